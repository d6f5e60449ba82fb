/// Reads the letters of a plate whose place is known, by their likeness to our own lettering.
struct LetterReader: Sendable {
  enum Reading {
    case found(MessageCode)
    /// Letters, which are no code together.
    case damaged
    /// Nothing there looks like our letters.
    case noLetters
  }

  /// Columns and rows of a letter that is compared, each two pixels of the plate wide and high.
  private static let columns = 8
  private static let rows = 12
  private static let lanes = columns * rows / 16
  /// Pixels around a glyph that belong to its letter.
  private static let margin = SIMD2(1, 2)
  /// The mean likeness below which there are no letters.
  private static let leastLikeness: Float = 0.6
  /// How far the letters may lie from their place, in pixels of the plate.
  private static let reach = 5

  /// For each digit its letter: mean 0, length 1.
  private let templates: [[SIMD16<Float>]]

  init() {
    templates = (0..<32).map { digit in
      let glyph = Lettering.coverage[digit]
      func at(_ x: Int, _ y: Int) -> Float {
        (0..<Lettering.width).contains(x) && (0..<Lettering.height).contains(y) ? glyph[y * Lettering.width + x] : 0
      }
      return Self.normal { column, row in
        let x = column * 2 - Self.margin.x
        let y = row * 2 - Self.margin.y
        return at(x, y) + at(x + 1, y) + at(x, y + 1) + at(x + 1, y + 1)
      }
    }
  }

  /// Looks for the letters around a place and reads them where they are most like letters.
  func read(_ luma: LumaPlane, _ place: PlatePlace) -> Reading {
    let plate = PlateImage(luma, place)
    var shift = SIMD2(0, 0)
    var best = look(plate, shift)
    var seen: Set = [shift]
    climb: while true {
      for step in [SIMD2(1, 0), SIMD2(-1, 0), SIMD2(0, 1), SIMD2(0, -1)] {
        let next = shift &+ step
        guard abs(next.x) <= Self.reach, abs(next.y) <= Self.reach, seen.insert(next).inserted else { continue }
        let found = look(plate, next)
        if found.likeness > best.likeness {
          best = found
          shift = next
          continue climb
        }
      }
      break
    }
    guard best.likeness >= Self.leastLikeness else { return .noLetters }
    return MessageCode(digits: best.digits).map { .found($0) } ?? .damaged
  }

  private func look(_ plate: PlateImage, _ shift: SIMD2<Int>) -> (digits: [UInt8], likeness: Float) {
    var digits: [UInt8] = []
    digits.reserveCapacity(MessageCode.length)
    var sum: Float = 0
    for place in Stamp.places {
      let corner = place &+ shift &- Self.margin
      let letter = Self.normal { column, row in plate[corner.x + column * 2, corner.y + row * 2] }
      var best: (digit: Int, likeness: Float) = (0, -1)
      for digit in 0..<32 {
        var product = SIMD16<Float>(repeating: 0)
        for lane in 0..<Self.lanes { product += letter[lane] * templates[digit][lane] }
        let likeness = product.sum()
        if likeness > best.likeness { best = (digit, likeness) }
      }
      digits.append(UInt8(best.digit))
      sum += best.likeness
    }
    return (digits, sum / Float(MessageCode.length))
  }

  /// A letter's values with their mean taken off and their length made 1; zeros for a plain one.
  @inline(__always)
  private static func normal(_ value: (Int, Int) -> Float) -> [SIMD16<Float>] {
    var vector = [SIMD16<Float>](repeating: SIMD16(repeating: 0), count: lanes)
    var sum: Float = 0
    for row in 0..<rows {
      for column in 0..<columns {
        let place = row * columns + column
        let read = value(column, row)
        vector[place / 16][place % 16] = read
        sum += read
      }
    }
    let mean = sum / Float(columns * rows)
    var square: Float = 0
    for lane in 0..<lanes {
      vector[lane] -= mean
      square += (vector[lane] * vector[lane]).sum()
    }
    guard square > 1e-6 else { return [SIMD16<Float>](repeating: SIMD16(repeating: 0), count: lanes) }
    let scale = 1 / square.squareRoot()
    for lane in 0..<lanes { vector[lane] *= scale }
    return vector
  }
}
