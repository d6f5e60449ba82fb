/// The few pictures that show each triangle of a mesh best.
struct TriangleViewCandidates {
  /// Numbers of pictures, the best first; -1 where there are fewer.
  private(set) var images: ContiguousArray<SIMD4<Int32>>
  /// How much they show, in pixels looked at squarely.
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

  /// How good a picture is for a triangle beside the best one, 0…1; nil when it is not among those kept.
  func share(of image: Int32, _ triangle: Int) -> Float? {
    for place in 0..<4 where images[triangle][place] == image && image >= 0 {
      return worths[triangle][place] / worths[triangle][0]
    }
    return nil
  }
}
