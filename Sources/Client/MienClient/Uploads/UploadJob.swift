/// One upload as it stands in the queue's folder; it outlives the program.
public struct UploadJob: Codable, Hashable, Sendable, Identifiable {
  /// Where a job stands.
  public enum State: String, Codable, Hashable, Sendable, CaseIterable {
    /// To be sent, or being sent.
    case waiting
    /// Set aside by the person.
    case paused
    /// The server will not take it; ``UploadJob/problem`` says why.
    case refused
    /// The server has all of it.
    case done
  }

  /// Why a server will not take a job.
  public struct Problem: Codable, Hashable, Sendable {
    /// One of the codes of ``ClientError``, or ``changed`` or ``missing``.
    public var code: String
    /// In the server's words, for a developer.
    public var detail: String

    public init(code: String, detail: String) {
      self.code = code
      self.detail = detail
    }

    /// A file was changed after the job was made.
    public static let changed = "file-changed"
    /// A file is not there any more, or cannot be read.
    public static let missing = "file-missing"
  }

  /// A file of a job.
  public struct File: Codable, Hashable, Sendable {
    public var name: String
    /// Where it is: an absolute path, or a name in the job's own folder.
    var place: String
    public var bytes: Int
    /// Seconds of its last change, to see whether it is still the same file.
    var modified: Double
    var type: String?
    /// Its address on the server, once there is one.
    var upload: String?

    /// Whether it is a copy that the queue has made.
    var isOwned: Bool { !place.hasPrefix("/") }
  }

  /// The name that the device gave the job: the server makes no second scan of the same one.
  public let id: String
  /// The server's address.
  public let server: String
  /// The place in the queue.
  public let number: Int
  public let subject: String?
  public let label: String?
  public let kind: ScanUpload.Kind
  public internal(set) var files: [File]
  public internal(set) var state = State.waiting
  public internal(set) var problem: Problem?
  /// The scan's id on the server, once there is one.
  public internal(set) var scan: String?
  /// Grows with every change that was written.
  var edition = 0
  /// How often the server lost the scan, so that it had to be begun anew.
  var restarts = 0

  /// All bytes of all files.
  public var bytes: Int { files.reduce(0) { $0 + $1.bytes } }
}

extension UploadJob: CustomStringConvertible, CustomReflectable {
  public var description: String { "UploadJob(\(id), \(state.rawValue), \(files.count) files)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
