/// How a texture is made.
public struct TextureSettings: Hashable, Sendable {
  /// Most pixels of the texture's picture in a row, and most rows: 64…8192.
  public var size = 4096
  /// What a triangle gives of its worth (0…1, the best picture's is 1) to be of the same picture as a neighbour. More of
  /// it makes fewer seams, and less sharp places.
  public var unity: Float = 0.3
  /// Pieces of fewer triangles join their neighbours where these' picture shows them too.
  public var smallestChart = 24

  public init() {}
}
