/// Error in a scan's data or in data to be written, with its location and frame.
///
/// Equality considers code, location and numbers, but not ``reason``, which is a message for people.
public struct ScanError: Error, Hashable, Sendable, CustomStringConvertible {
  public struct Code: Hashable, Sendable {
    fileprivate enum Kind { case notAScan, unsupported, damaged, cutShort, missing, tooMuch, refused }
    fileprivate let kind: Kind

    /// The data is not a scan in this format.
    public static let notAScan = Code(kind: .notAScan)
    /// A version, coding or file type that this reader does not support.
    public static let unsupported = Code(kind: .unsupported)
    /// A checksum does not match, or a value is one that no writer produces.
    public static let damaged = Code(kind: .damaged)
    /// The data is truncated.
    public static let cutShort = Code(kind: .cutShort)
    /// A frame, an image or a file is missing.
    public static let missing = Code(kind: .missing)
    /// A limit is exceeded.
    public static let tooMuch = Code(kind: .tooMuch)
    /// The scan is well-formed but unusable: no intrinsics, invalid poses, sizes that do not match.
    public static let refused = Code(kind: .refused)
  }

  public let code: Code
  /// Human-readable description, without any measurements.
  public let reason: String
  /// Offset in bytes; nil if the error has no location.
  public let byte: Int?
  /// Frame number; nil if the error is not in a frame.
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
