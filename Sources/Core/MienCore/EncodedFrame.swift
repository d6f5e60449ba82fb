/// An encoded image as received: undecoded JPEG or PNG bytes and the time of arrival.
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
