/// How much a form may bring besides the parts' contents, which whoever takes the events limits.
public struct MultipartLimits: Hashable, Sendable {
  /// How many parts.
  public var parts: Int
  /// Bytes of one part's headers, with their line ends.
  public var headerBytes: Int
  /// Bytes before the first and after the last delimiter, each, which nobody reads.
  public var idleBytes: Int

  /// 16 parts, 8 KiB of headers each, 64 KiB around them.
  public init(parts: Int = 16, headerBytes: Int = 8192, idleBytes: Int = 65_536) {
    self.parts = parts
    self.headerBytes = headerBytes
    self.idleBytes = idleBytes
  }
}
