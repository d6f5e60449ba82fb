public import Foundation

/// Scan to upload: its files and its subject.
public struct ScanUpload: Sendable {
  /// Kind of the scanned subject.
  public enum Kind: String, Codable, Hashable, Sendable, CaseIterable { case face, object, room }

  /// File of the scan.
  public struct File: Hashable, Sendable {
    /// Name on the server: a plain file name, or a relative path for files in a folder.
    public var name: String
    /// Location on this device.
    public var place: URL
    /// Media type, if known.
    public var type: String?

    public init(name: String, place: URL, type: String? = nil) {
      self.name = name
      self.place = place
      self.type = type
    }
  }

  public var files: [File]
  /// Number of an existing subject on the server.
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
