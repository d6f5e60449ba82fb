/// Recognizes the characters of a message ID label at a known position by correlation with the glyphs of ``LabelFont``.
struct GlyphRecognizer: Sendable {
  enum Reading {
    case found(MessageID)
    /// Characters were recognized, but they are not a valid message ID.
    case damaged
    /// Nothing there resembles the label font.
    case noLetters
  }

  /// Columns and rows of a character template; each cell covers two by two pixels of the label.
  private static let columns = 8
  private static let rows = 12
  /// Pixels around a glyph that belong to its template.
  private static let margin = SIMD2(1, 2)
  /// Minimum mean correlation for the result to count as characters.
  private static let leastLikeness: Float = 0.6
  /// Maximum offset of the characters from their nominal position, in label pixels.
  private static let reach = 3

  /// Six vectors per digit: its template with mean 0 and length 1.
  private let templates: ContiguousArray<SIMD16<Float>>

  init() {
    var templates = ContiguousArray<SIMD16<Float>>()
    for digit in 0..<32 {
      let glyph = LabelFont.coverage[digit]
      func at(_ x: Int, _ y: Int) -> Float {
        (0..<LabelFont.width).contains(x) && (0..<LabelFont.height).contains(y) ? glyph[y * LabelFont.width + x] : 0
      }
      let letter = Letter { column, row in
        let x = column * 2 - Self.margin.x
        let y = row * 2 - Self.margin.y
        return at(x, y) + at(x + 1, y) + at(x, y + 1) + at(x + 1, y + 1)
      }
      templates += [letter.a, letter.b, letter.c, letter.d, letter.e, letter.f]
    }
    self.templates = templates
  }

  /// Searches for the characters near a position and reads them at the offset with the highest correlation.
  func read(_ luma: LumaPlane, _ place: LabelRect) -> Reading {
    let plate = LabelImage(luma, place)
    var shift = SIMD2(0, 0)
    var best = look(plate, shift)
    // Hill climbing in single steps; no offset is evaluated twice.
    var seen: UInt64 = 1 << bit(shift)
    climb: while true {
      for step in [SIMD2(1, 0), SIMD2(-1, 0), SIMD2(0, 1), SIMD2(0, -1)] {
        let next = shift &+ step
        guard abs(next.x) <= Self.reach, abs(next.y) <= Self.reach, seen >> bit(next) & 1 == 0 else { continue }
        seen |= 1 << bit(next)
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
    return MessageID(digits: best.digits).map { .found($0) } ?? .damaged
  }

  private func bit(_ shift: SIMD2<Int>) -> UInt64 {
    UInt64((shift.y + Self.reach) * (2 * Self.reach + 1) + shift.x + Self.reach)
  }

  private func look(_ plate: LabelImage, _ shift: SIMD2<Int>) -> (digits: [UInt8], likeness: Float) {
    var digits: [UInt8] = []
    digits.reserveCapacity(MessageID.length)
    var sum: Float = 0
    let templates = templates.span
    for place in MessageIDLabel.places {
      let corner = place &+ shift &- Self.margin
      let letter = Letter { column, row in plate[corner.x + column * 2, corner.y + row * 2] }
      var best: (digit: Int, likeness: Float) = (0, -1)
      for digit in 0..<32 {
        let start = digit * 6
        let first = letter.a * templates[start] + letter.b * templates[start + 1] + letter.c * templates[start + 2]
        let second = letter.d * templates[start + 3] + letter.e * templates[start + 4] + letter.f * templates[start + 5]
        let likeness = (first + second).sum()
        if likeness > best.likeness { best = (digit, likeness) }
      }
      digits.append(UInt8(best.digit))
      sum += best.likeness
    }
    return (digits, sum / Float(MessageID.length))
  }

  /// Values of a character with mean 0 and length 1; zeros if it has no contrast. Two rows per vector.
  private struct Letter {
    var a: SIMD16<Float>
    var b: SIMD16<Float>
    var c: SIMD16<Float>
    var d: SIMD16<Float>
    var e: SIMD16<Float>
    var f: SIMD16<Float>

    @inline(__always)
    init(_ value: (Int, Int) -> Float) {
      @inline(__always)
      func lane(_ row: Int) -> SIMD16<Float> {
        var lane = SIMD16<Float>(repeating: 0)
        for place in 0..<16 {
          lane[place] = value(place % GlyphRecognizer.columns, row + place / GlyphRecognizer.columns)
        }
        return lane
      }
      (a, b, c, d, e, f) = (lane(0), lane(2), lane(4), lane(6), lane(8), lane(10))
      let mean = (a + b + c + d + e + f).sum() / Float(GlyphRecognizer.columns * GlyphRecognizer.rows)
      (a, b, c, d, e, f) = (a - mean, b - mean, c - mean, d - mean, e - mean, f - mean)
      let square = (a * a + b * b + c * c + d * d + e * e + f * f).sum()
      let scale: Float = square > 1e-6 ? 1 / square.squareRoot() : 0
      (a, b, c, d, e, f) = (a * scale, b * scale, c * scale, d * scale, e * scale, f * scale)
    }
  }
}
