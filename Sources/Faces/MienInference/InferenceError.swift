public import MienCore

/// The reason why a model could not be loaded or run. Compared by code and by the name of the file or library.
public struct InferenceError: Error, Hashable, Sendable, CustomStringConvertible {
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    fileprivate enum Kind: String { case runtimeUnavailable, modelMissing, modelUnusable, inferenceFailed }
    fileprivate let kind: Kind
    /// The inference runtime or one of its plugins is missing or does not start.
    public static let runtimeUnavailable = Code(kind: .runtimeUnavailable)
    /// The model file is missing or unreadable.
    public static let modelMissing = Code(kind: .modelMissing)
    /// The file exists, but is not a model, or not the expected one.
    public static let modelUnusable = Code(kind: .modelUnusable)
    /// A loaded model failed to run.
    public static let inferenceFailed = Code(kind: .inferenceFailed)
    public var description: String { kind.rawValue }
  }

  public let code: Code
  /// Name of the model file or library, without the directory.
  public let name: String
  /// The runtime's error message.
  public let reason: String

  public init(_ code: Code, name: String, reason: String) {
    self.code = code
    self.name = name
    self.reason = reason
  }

  /// The corresponding reason for a failed assessment.
  public var obstacle: UnavailableReason { .modelUnavailable(name) }

  public static func == (left: InferenceError, right: InferenceError) -> Bool {
    left.code == right.code && left.name == right.name
  }
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(name)
  }
  public var description: String { "\(code): \(name): \(reason)" }
}
