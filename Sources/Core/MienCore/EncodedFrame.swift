/// A picture as it came: bytes of a JPEG or PNG that nobody has decoded yet, and when it was received.
public struct EncodedFrame: Sendable {
  public let bytes: [UInt8]
  public let at: MonotonicInstant

  public init(bytes: [UInt8], at: MonotonicInstant) {
    self.bytes = bytes
    self.at = at
  }
}

extension EncodedFrame: CustomStringConvertible, CustomReflectable {
  public var description: String { "EncodedFrame(\(bytes.count) bytes)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
