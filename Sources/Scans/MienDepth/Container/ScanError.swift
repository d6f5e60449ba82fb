/// What is wrong with a scan's bytes or with what was to be written, where, and in which frame.
///
/// Equal by code, place and numbers; ``reason`` is for people.
public struct ScanError: Error, Hashable, Sendable, CustomStringConvertible {
  public struct Code: Hashable, Sendable {
    fileprivate enum Kind { case notAScan, unsupported, damaged, cutShort, missing, tooMuch, refused }
    fileprivate let kind: Kind

    /// The bytes are not a scan of the format at all.
    public static let notAScan = Code(kind: .notAScan)
    /// A version, coding or kind of file that this reader does not know.
    public static let unsupported = Code(kind: .unsupported)
    /// A checksum does not fit, or a value is one that no writer writes.
    public static let damaged = Code(kind: .damaged)
    /// The bytes end before what they announce.
    public static let cutShort = Code(kind: .cutShort)
    /// A frame, a picture or a file is not there.
    public static let missing = Code(kind: .missing)
    /// More than the limits allow.
    public static let tooMuch = Code(kind: .tooMuch)
    /// Well-formed, but not a scan that can be used: no intrinsics, poses that are not poses, sizes that do not agree.
    public static let refused = Code(kind: .refused)
  }

  public let code: Code
  /// For people: what is wrong, without any measurement.
  public let reason: String
  /// Where in the bytes; nil when the fault has no place.
  public let byte: Int?
  /// In which frame; nil when it is in none.
  public let frame: Int?

  public init(_ code: Code, _ reason: String, byte: Int? = nil, frame: Int? = nil) {
    self.code = code
    self.reason = reason
    self.byte = byte
    self.frame = frame
  }

  public static func == (left: ScanError, right: ScanError) -> Bool {
    left.code == right.code && left.byte == right.byte && left.frame == right.frame
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(byte)
    hasher.combine(frame)
  }

  public var description: String {
    let place = [frame.map { "frame \($0)" }, byte.map { "byte \($0)" }].compactMap { $0 }
    return place.isEmpty ? reason : "\(reason) (\(place.joined(separator: ", ")))"
  }
}
