public import MienCore

/// The template that a check's face is compared with, as stored until the check is decided.
public struct FaceReference: Hashable, Sendable {
  /// ``FaceTemplate/bytes``.
  public let bytes: [UInt8]

  public init(_ template: FaceTemplate) { bytes = template.bytes }

  /// Creates a reference from stored bytes.
  public init(stored bytes: [UInt8]) { self.bytes = bytes }

  /// The template; `nil` if it is of another model version.
  public var template: FaceTemplate? { FaceTemplate(bytes: bytes) }
}

extension FaceReference: CustomStringConvertible, CustomReflectable {
  public var description: String { "FaceReference(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
