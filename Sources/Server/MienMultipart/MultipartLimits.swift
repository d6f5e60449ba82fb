/// Limits on a form apart from the parts' contents, which the caller limits.
public struct MultipartLimits: Hashable, Sendable {
  /// Maximum number of parts.
  public var parts: Int
  /// Maximum size of one part's headers in bytes, including line ends.
  public var headerBytes: Int
  /// Maximum number of ignored bytes before the first delimiter and after the last one, each.
  public var idleBytes: Int

  /// Defaults to 16 parts, 8 KiB of headers each, and 64 KiB around the parts.
  public init(parts: Int = 16, headerBytes: Int = 8192, idleBytes: Int = 65_536) {
    self.parts = parts
    self.headerBytes = headerBytes
    self.idleBytes = idleBytes
  }
}
