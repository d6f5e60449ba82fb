/// Best few images for each triangle of a mesh.
struct TriangleViewCandidates {
  /// Image numbers, best first; -1 if there are fewer.
  private(set) var images: ContiguousArray<SIMD4<Int32>>
  /// Quality of each candidate: the visible area in pixels, weighted by viewing angle and sharpness, and much reduced
  /// beside a foreground edge.
  private(set) var worths: ContiguousArray<SIMD4<Float>>

  init(count: Int) {
    images = ContiguousArray(repeating: SIMD4(repeating: -1), count: count)
    worths = ContiguousArray(repeating: .zero, count: count)
  }

  mutating func offer(_ image: Int32, worth: Float, of triangle: Int) {
    guard worth > worths[triangle][3] else { return }
    var place = 3
    while place > 0, worths[triangle][place - 1] < worth {
      worths[triangle][place] = worths[triangle][place - 1]
      images[triangle][place] = images[triangle][place - 1]
      place -= 1
    }
    worths[triangle][place] = worth
    images[triangle][place] = image
  }

  /// Returns the quality of an image for a triangle relative to the best one, 0…1; nil if it is not among the
  /// candidates.
  func share(of image: Int32, _ triangle: Int) -> Float? {
    for place in 0..<4 where images[triangle][place] == image && image >= 0 {
      return worths[triangle][place] / worths[triangle][0]
    }
    return nil
  }
}
