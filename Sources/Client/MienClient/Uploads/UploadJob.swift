public import Foundation
internal import MienCore

/// Upload stored in the queue's folder. It survives termination of the process.
public struct UploadJob: Codable, Hashable, Sendable, Identifiable {
  /// State of a job.
  public enum State: String, Codable, Hashable, Sendable, CaseIterable {
    /// Waiting to be sent, or being sent.
    case waiting
    /// Paused by the user.
    case paused
    /// Rejected by the server; see ``UploadJob/problem``.
    case refused
    /// Received completely by the server.
    case done
  }

  /// Reason why a job was rejected.
  public struct Problem: Codable, Hashable, Sendable {
    /// One of the codes of ``ClientError``, or ``changed`` or ``missing``.
    public var code: String
    /// Description in the server's words, for developers.
    public var detail: String

    public init(code: String, detail: String) {
      self.code = code
      self.detail = detail
    }

    /// A file was modified after the job was created.
    public static let changed = "file-changed"
    /// A file no longer exists or cannot be read.
    public static let missing = "file-missing"
  }

  /// File of a job.
  public struct File: Codable, Hashable, Sendable {
    public var name: String
    /// Location: an absolute path, or a name in the job's own folder.
    var place: String
    public var bytes: Int
    /// Modification time in seconds, to detect changes to the file.
    var modified: Double
    var type: String?
    /// Upload path on the server, once assigned.
    var upload: String?

    /// `true` if the file is a copy made by the queue.
    var isOwned: Bool { !place.hasPrefix("/") }
  }

  /// Client-generated job ID. The server creates only one scan per ID.
  public let id: String
  /// Server address.
  public let server: String
  /// Position in the queue.
  public let number: Int
  public let subject: String?
  public let label: String?
  public let kind: ScanUpload.Kind
  public internal(set) var files: [File]
  public internal(set) var state = State.waiting
  public internal(set) var problem: Problem?
  /// ID of the scan on the server, once assigned.
  public internal(set) var scan: String?
  /// Revision number, incremented with each saved change.
  var edition = 0
  /// Number of times the server lost the scan, so that the upload had to be restarted.
  var restarts = 0

  /// Total size of all files in bytes.
  public var bytes: Int { files.reduce(0) { $0 + $1.bytes } }
}

extension UploadJob: CustomStringConvertible, CustomReflectable {
  public var description: String { "UploadJob(\(id), \(state.rawValue), \(files.count) files)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Outcome of sending a job.
public enum UploadOutcome: Hashable, Sendable {
  /// Received completely by the server, with the scan's ID.
  case done(scan: String)
  /// Rejected by the server for the given reason. Retrying the unchanged job would fail again.
  case refused(UploadJob.Problem)
  /// Postponed: the server does not respond or is overloaded. Run the queue again later; the progress is retained.
  case later(code: String)
  /// Paused, or canceled.
  case paused
}

/// Validation rules for file names on the server and upload paths returned by the server.
enum UploadNameRules {
  /// Reports whether a text is a plain name or a relative path that stays within its folder.
  static func isRelativePath(_ text: String) -> Bool {
    guard (1...1024).contains(text.utf8.count), text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != 0x5C })
    else { return false }
    return text.split(separator: "/", omittingEmptySubsequences: false)
      .allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." && $0.utf8.count <= 255 }
  }

  /// Reports whether a path is that of an upload on the same server: the API key must not be sent to another server.
  static func isUpload(_ path: String) -> Bool {
    let start = "/v1/uploads/"
    return path.hasPrefix(start) && IdentifierRules.isPlain(String(path.dropFirst(start.count)))
  }
}

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
