/// Parameters of texture generation.
public struct TextureSettings: Hashable, Sendable {
  /// Maximum width and height of the texture image in pixels: 64…8192.
  public var size = 4096
  /// Quality, relative to the best image's (0…1), that a triangle gives up to use the same image as a neighbor. Higher
  /// values result in fewer seams, but less sharpness.
  public var unity: Float = 0.3
  /// Charts with fewer triangles are merged with adjacent charts if the adjacent image covers them.
  public var smallestChart = 24

  public init() {}
}
