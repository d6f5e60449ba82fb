public import MienCore

/// Why a model could not be loaded or run. Equal by code and by what is missing.
public struct InferenceError: Error, Hashable, Sendable, CustomStringConvertible {
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    fileprivate enum Kind: String { case runtimeUnavailable, modelMissing, modelUnusable, inferenceFailed }
    fileprivate let kind: Kind
    /// The inference runtime or one of its plugins is missing or does not start.
    public static let runtimeUnavailable = Code(kind: .runtimeUnavailable)
    /// The model's file is not there or cannot be read.
    public static let modelMissing = Code(kind: .modelMissing)
    /// The file is there, but it is no model, or another one than expected.
    public static let modelUnusable = Code(kind: .modelUnusable)
    /// A loaded model failed to run.
    public static let inferenceFailed = Code(kind: .inferenceFailed)
    public var description: String { kind.rawValue }
  }

  public let code: Code
  /// The model file's or the library's name, without its folder.
  public let name: String
  /// The runtime's own words.
  public let reason: String

  public init(_ code: Code, name: String, reason: String) {
    self.code = code
    self.name = name
    self.reason = reason
  }

  /// What this means for whoever wanted to see.
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
