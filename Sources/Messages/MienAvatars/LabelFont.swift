/// Font for message IDs: round strokes and mutually distinct glyphs, so that they can be recognized.
enum LabelFont {
  /// Size of a glyph in pixels, including half the stroke width around it.
  static let width = 14
  static let height = 20
  /// Number of levels of a pixel, from darkest to lightest.
  static let levels = 5
  /// Glyph index of the hyphen; the glyphs before it are the digits by value.
  static let hyphen = 32

  /// Strokes on a grid of 4 × 6, y down: M moves, L draws a line, Q draws a curve with one control point.
  private static let paths = [
    "M2,0 Q4,0 4,3 Q4,6 2,6 Q0,6 0,3 Q0,0 2,0 M1.4,4 L2.6,2",
    "M0.6,1.3 L2.2,0 L2.2,6 M0.5,6 L3.9,6",
    "M0.1,1.6 Q0.2,0 2,0 Q4,0 3.9,1.8 Q3.8,3 2.4,4 L0,6 L4,6",
    "M0.2,0 L3.8,0 L1.9,2.4 Q4,2.4 4,4.2 Q4,6 1.9,6 Q0.4,6 0,4.9",
    "M3,6 L3,0 L0,4.2 L4,4.2",
    "M3.7,0 L0.5,0 L0.3,2.7 Q1,2.2 2,2.2 Q4,2.2 4,4.1 Q4,6 1.9,6 Q0.5,6 0,5",
    "M3.4,0 Q0,1 0,4 Q0,6 2,6 Q4,6 4,4.2 Q4,2.5 2.1,2.5 Q0.5,2.5 0.05,3.8",
    "M0,0 L4,0 L1.4,6",
    "M2,2.8 Q0.3,2.7 0.3,1.4 Q0.3,0 2,0 Q3.7,0 3.7,1.4 Q3.7,2.7 2,2.8 Q0,2.9 0,4.4 Q0,6 2,6 Q4,6 4,4.4 Q4,2.9 2,2.8",
    "M0.6,6 Q4,5 4,2 Q4,0 2,0 Q0,0 0,1.8 Q0,3.5 1.9,3.5 Q3.5,3.5 3.95,2.2",
    "M0,6 L2,0 L4,6 M0.8,4 L3.2,4",
    "M0,0 L0,6 L2.2,6 Q4,6 4,4.5 Q4,3 2.2,3 L0,3 M2,3 Q3.6,3 3.6,1.5 Q3.6,0 2,0 L0,0",
    "M4,1.2 Q3.3,0 2.1,0 Q0,0 0,3 Q0,6 2.1,6 Q3.3,6 4,4.8",
    "M0,0 L0,6 L1.6,6 Q4,6 4,3 Q4,0 1.6,0 L0,0",
    "M4,0 L0,0 L0,6 L4,6 M0,3 L3,3",
    "M4,0 L0,0 L0,6 M0,3 L3,3",
    "M3.9,1.1 Q3.2,0 2.1,0 Q0,0 0,3 Q0,6 2.1,6 Q4,6 4,3.6 L4,3.3 L2.3,3.3",
    "M0,0 L0,6 M4,0 L4,6 M0,3 L4,3",
    "M1.6,0 L3.6,0 L3.6,4.2 Q3.6,6 1.8,6 Q0.2,6 0,4.4",
    "M0,0 L0,6 M3.8,0 L0.1,3.4 M1.3,2.4 L4,6",
    "M0,6 L0,0 L2,3.4 L4,0 L4,6",
    "M0,6 L0,0 L4,6 L4,0",
    "M0,6 L0,0 L2.1,0 Q4,0 4,1.8 Q4,3.6 2.1,3.6 L0,3.6",
    "M2,0 Q4,0 4,2.7 Q4,5.4 2,5.4 Q0,5.4 0,2.7 Q0,0 2,0 M2.2,3.8 L4,6.3",
    "M0,6 L0,0 L2.1,0 Q4,0 4,1.6 Q4,3.2 2.1,3.2 L0,3.2 M1.8,3.2 L4,6",
    "M3.8,1.1 Q3.3,0 2,0 Q0.2,0 0.2,1.5 Q0.2,2.6 2,3 Q4,3.4 4,4.5 Q4,6 2,6 Q0.4,6 0,4.8",
    "M0,0 L4,0 M2,0 L2,6",
    "M0,0 L2,6 L4,0",
    "M0,0 L0.9,6 L2,2.4 L3.1,6 L4,0",
    "M0,0 L4,6 M4,0 L0,6",
    "M0,0 L2,3 L4,0 M2,3 L2,6",
    "M0,0 L4,0 L0,6 L4,6",
    "M0.8,3 L3.2,3",
  ]

  /// Half the stroke width in pixels.
  private static let radius: Float = 1.75
  /// Scale from the grid to pixels, leaving half the stroke width and half a pixel of antialiasing inside the glyph.
  private static let step = SIMD2<Float>(
    (Float(width) - 2 * radius - 1) / 4, (Float(height) - 2 * radius - 1) / 6)

  /// Coverage of each pixel by each glyph, 0…1, in row-major order; computed once.
  static let coverage: [[Float]] = paths.map { path in
    let segments = segments(path)
    return (0..<width * height).map { index in
      let place = SIMD2(Float(index % width) + 0.5, Float(index / width) + 0.5)
      let nearest = segments.reduce(Float.infinity) { min($0, distance(place, $1)) }
      return min(max(radius + 0.5 - nearest, 0), 1)
    }
  }

  /// Coverage in levels from 0 (background) to ``levels`` − 1 (character).
  static let leveled: [[UInt8]] = coverage.map { $0.map { UInt8(($0 * Float(levels - 1)).rounded()) } }

  private typealias Segment = (from: SIMD2<Float>, to: SIMD2<Float>)

  private static func segments(_ path: String) -> [Segment] {
    var place = SIMD2<Float>(0, 0)
    var found: [Segment] = []
    var control: SIMD2<Float>?
    for word in path.split(separator: " ") {
      let isCommand = word.first?.isLetter == true
      let numbers = (isCommand ? word.dropFirst() : word).split(separator: ",").compactMap { Float($0) }
      precondition(numbers.count == 2, "a glyph's path has pairs of numbers")
      let point = SIMD2(numbers[0], numbers[1]) * step + radius + 0.5
      if let bend = control {
        // Eight chords are finer than the pixels.
        var last = place
        for part in 1...8 {
          let t = Float(part) / 8
          let next = place * ((1 - t) * (1 - t)) + bend * (2 * t * (1 - t)) + point * (t * t)
          found.append((last, next))
          last = next
        }
        control = nil
        place = point
        continue
      }
      switch word.first {
      case "Q": control = point
      case "L":
        found.append((place, point))
        place = point
      default: place = point
      }
    }
    return found
  }

  private static func distance(_ place: SIMD2<Float>, _ segment: Segment) -> Float {
    let way = segment.to - segment.from
    let length = (way * way).sum()
    let share = length > 0 ? min(max(((place - segment.from) * way).sum() / length, 0), 1) : 0
    let offset = place - segment.from - way * share
    return (offset * offset).sum().squareRoot()
  }
}
