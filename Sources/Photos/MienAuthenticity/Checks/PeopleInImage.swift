internal import MienCore

/// Regions of an image occupied by people, derived from their face boxes: the head with hair and a margin, and the body
/// below it.
///
/// Hair, forehead, eyes and clothes alternate like bands, so some scene checks measure only outside of these regions.
struct PeopleInImage: Hashable, Sendable {
  /// Minimum share of the image covered by a face box (without hair and body) that leaves too little for scene checks.
  static let fillingShare: Float = 1 / 8

  private let faces: [FaceBox]

  init(_ faces: [FaceBox]) {
    self.faces = faces.filter(\.isPlausible)
  }

  var isEmpty: Bool { faces.isEmpty }

  /// `true` if the largest face takes up at least an eighth of the image.
  var fillImage: Bool {
    faces.contains { face in
      let width = max(0, min(1, face.x + face.width) - max(0, face.x))
      let height = max(0, min(1, face.y + face.height) - max(0, face.y))
      return width * height >= Self.fillingShare
    }
  }

  /// Columns that heads cover, as fractions of the width.
  private var heads: [ClosedRange<Float>] {
    faces.map { $0.x - $0.width / 2...$0.x + $0.width * 1.5 }
  }

  /// Returns the columns of a plane that no head covers.
  func columnsBesideHeads(_ width: Int) -> [Int] {
    let heads = heads
    return (0..<width).filter { column in
      let place = (Float(column) + 0.5) / Float(width)
      return !heads.contains { $0.contains(place) }
    }
  }

  /// Returns the number of rows of a plane above all chins, where bodies begin.
  func rowsAboveChins(_ height: Int) -> Int {
    faces.reduce(height) { min($0, Self.row($1.y + $1.height, height)) }
  }

  /// Returns the number of rows of a plane above all heads.
  func rowsAboveHeads(_ height: Int) -> Int {
    faces.reduce(height) { min($0, Self.row($1.y - $1.height * 0.6, height)) }
  }

  private static func row(_ share: Float, _ height: Int) -> Int { Int(min(max(share, 0), 1) * Float(height)) }
}
