public import MienCore

/// A template as stored: that of a reference picture until its check is decided, or that of an enrolled person.
public struct FaceReference: Hashable, Sendable {
  /// ``FaceTemplate/bytes``.
  public let bytes: [UInt8]

  public init(_ template: FaceTemplate) { bytes = template.bytes }

  /// Creates a reference from stored bytes.
  public init(stored bytes: [UInt8]) { self.bytes = bytes }

  /// Version of the model that made the template; empty for bytes of another format.
  public var model: String { String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }

  /// Takes the place of the template when the subject declines the comparison.
  public static let declined = FaceReference(stored: Array("declined".utf8))

  /// `true` if the subject declined the comparison; there is no template then.
  public var isDeclined: Bool { self == .declined }

  /// The template; `nil` if it is of another model version, or was deleted because the comparison was declined.
  public var template: FaceTemplate? { FaceTemplate(bytes: bytes) }
}

extension FaceReference: CustomStringConvertible, CustomReflectable {
  public var description: String { "FaceReference(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
