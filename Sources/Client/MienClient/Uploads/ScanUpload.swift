public import Foundation

/// A scan to be sent: its files, and whose it is.
public struct ScanUpload: Sendable {
  /// What was scanned.
  public enum Kind: String, Codable, Hashable, Sendable, CaseIterable { case face, object }

  /// A file of the scan.
  public struct File: Hashable, Sendable {
    /// Its name on the server: a plain name, or a relative path for files of a folder.
    public var name: String
    /// Where it is on this device.
    public var place: URL
    /// Its media type, where the sender knows it.
    public var type: String?

    public init(name: String, place: URL, type: String? = nil) {
      self.name = name
      self.place = place
      self.type = type
    }
  }

  public var files: [File]
  /// The number of a subject that the server knows.
  public var subject: String?
  public var label: String?
  public var kind: Kind

  public init(files: [File], subject: String? = nil, label: String? = nil, kind: Kind = .face) {
    self.files = files
    self.subject = subject
    self.label = label
    self.kind = kind
  }
}

extension ScanUpload: CustomStringConvertible, CustomReflectable {
  public var description: String { "ScanUpload(\(files.count) files)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
