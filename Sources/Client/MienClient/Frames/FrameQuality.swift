/// JPEG quality and size of a camera's frames, adjusted to bring them close to a desired number of bytes.
public struct FrameQuality: Hashable, Sendable {
  private static let lowest = (quality: 0.3, size: 0.667)
  private static let step = (quality: 0.04, size: 0.083)
  private static let first = 0.6
  private static let highest = 0.8

  /// JPEG quality, 0…1.
  public private(set) var quality = first
  /// Factor of the usual size in pixels.
  public private(set) var size = 1.0
  /// Desired number of bytes of a frame.
  public var wanted = 9500

  public init() {}

  /// Adjusts the values after a frame of `bytes` bytes: the quality, and at its limits the size.
  public mutating func encoded(_ bytes: Int) {
    if bytes > wanted {
      if quality <= Self.lowest.quality { size = max(Self.lowest.size, size - Self.step.size) }
      quality = max(Self.lowest.quality, quality - Self.step.quality)
    } else if Double(bytes) < 0.8 * Double(wanted) {
      if quality >= Self.first { size = min(1, size + Self.step.size) }
      quality = min(Self.highest, quality + Self.step.quality / 2)
    }
  }
}
