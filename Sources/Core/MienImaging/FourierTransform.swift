internal import RealModule

/// Eight discrete Fourier transforms in parallel, one per SIMD lane, of a length that is a power of two.
///
/// Uses Stockham's self-sorting algorithm in steps of radix 4 and at most one of radix 2. Forward transform with
/// exp(−2πi·jk/n), without normalization.
struct FourierTransform {
  /// Eight complex numbers.
  struct Lanes {
    var re: SIMD8<Float>
    var im: SIMD8<Float>
    static let zero = Lanes(re: .zero, im: .zero)

    @inline(__always)
    static func + (a: Lanes, b: Lanes) -> Lanes { Lanes(re: a.re + b.re, im: a.im + b.im) }
    @inline(__always)
    static func - (a: Lanes, b: Lanes) -> Lanes { Lanes(re: a.re - b.re, im: a.im - b.im) }

    @inline(__always)
    func multiplied(by factor: SIMD2<Float>) -> Lanes {
      Lanes(re: re * factor.x - im * factor.y, im: re * factor.y + im * factor.x)
    }
  }

  let length: Int
  /// exp(−2πi·k/length).
  private let roots: ContiguousArray<SIMD2<Float>>
  /// The input, replaced by the result.
  var values: ContiguousArray<Lanes>
  private var other: ContiguousArray<Lanes>

  /// - Precondition: `length` is a power of two from 8 to 4096.
  init(length: Int) {
    precondition(length >= 8 && length <= 4096 && length & (length - 1) == 0, "not a power of two in 8…4096")
    self.length = length
    roots = ContiguousArray(RootsOfUnity.all(length).map { SIMD2(Float($0.x), Float(-$0.y)) })
    values = ContiguousArray(repeating: .zero, count: length)
    other = values
  }

  /// Transforms ``values`` in place.
  mutating func run() {
    // Moved out, so that spans of one can be read while the other is written.
    var (source, target) = (ContiguousArray<Lanes>(), ContiguousArray<Lanes>())
    swap(&source, &values)
    swap(&target, &other)
    var (count, stride) = (length, 1)
    while count > 1 {
      let radix = count.isMultiple(of: 4) ? 4 : 2
      var span = target.mutableSpan
      if radix == 4 {
        Self.radix4(source.span, into: &span, count: count, stride: stride, roots: roots.span)
      } else {
        Self.radix2(source.span, into: &span, count: count, stride: stride, roots: roots.span)
      }
      (count, stride) = (count / radix, stride * radix)
      swap(&source, &target)
    }
    swap(&source, &values)
    swap(&target, &other)
  }

  private static func radix4(
    _ source: Span<Lanes>, into target: inout MutableSpan<Lanes>, count: Int, stride: Int, roots: Span<SIMD2<Float>>
  ) {
    let quarter = count / 4
    for p in 0..<quarter {
      let (w1, w2, w3) = (roots[p * stride], roots[2 * p * stride], roots[3 * p * stride])
      let step = stride * quarter
      for q in 0..<stride {
        let from = q + stride * p
        let (a, b, c, d) = (source[from], source[from + step], source[from + 2 * step], source[from + 3 * step])
        let (sum, difference, sumBD) = (a + c, a - c, b + d)
        let turned = Lanes(re: d.im - b.im, im: b.re - d.re)  // i · (b − d)
        let to = q + stride * 4 * p
        target[to] = sum + sumBD
        target[to + stride] = (difference - turned).multiplied(by: w1)
        target[to + 2 * stride] = (sum - sumBD).multiplied(by: w2)
        target[to + 3 * stride] = (difference + turned).multiplied(by: w3)
      }
    }
  }

  private static func radix2(
    _ source: Span<Lanes>, into target: inout MutableSpan<Lanes>, count: Int, stride: Int, roots: Span<SIMD2<Float>>
  ) {
    let half = count / 2
    for p in 0..<half {
      let root = roots[p * stride]
      for q in 0..<stride {
        let (a, b) = (source[q + stride * p], source[q + stride * (p + half)])
        target[q + stride * 2 * p] = a + b
        target[q + stride * (2 * p + 1)] = (a - b).multiplied(by: root)
      }
    }
  }
}

/// Roots of unity.
package enum RootsOfUnity {
  /// Returns exp(2πi·k/length) for k = 0..<length.
  package static func all(_ length: Int) -> [SIMD2<Double>] {
    (0..<length).map { k in
      let angle = 2 * Double.pi * Double(k) / Double(length)
      return SIMD2(.cos(angle), .sin(angle))
    }
  }
}
