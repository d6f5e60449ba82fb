/// What decoding needs to know of a component.
struct BaselineChannel {
  /// Blocks in a unit of the scan.
  let across: Int
  let down: Int
  let first: HuffmanCode
  let other: HuffmanCode
  let steps: ContiguousArray<InverseDCT.Step>

  /// Reads the coefficients of a block; the last one's place in the order of the zigzag, −1 when they are not sound.
  ///
  /// - Parameters:
  ///   - level: the first coefficient of the block before, and then of this one.
  ///   - block: 64 zeros, where the coefficients go.
  @inline(never)
  func read(
    _ bytes: Span<UInt8>, _ source: inout BitReader, _ level: inout Int32, into block: inout MutableSpan<Float>
  ) -> Int {
    var values = block._mutatingExtracting(0..<64)
    let steps = steps.span.extracting(0..<64)
    var last = 0
    let isSound = go(over: bytes, &source, &level) { at, number in
      let step = steps[at]
      values[Int(step.place & 63)] = Float(number) * step.factor
      last = at
    }
    return isSound ? last : -1
  }

  /// The same, and adds the block up to boxes as ``add(_:_:_:_:to:)`` does.
  @inline(never)
  func read(
    _ bytes: Span<UInt8>, _ source: inout BitReader, _ level: inout Int32, into block: inout MutableSpan<Float>,
    adding weights: Span<DownscaleAccumulator.Lanes>, to sums: inout MutableSpan<DownscaleAccumulator.Lanes>
  ) -> Int {
    var values = block._mutatingExtracting(0..<64)
    let steps = steps.span.extracting(0..<64)
    let weights = weights.extracting(0..<8)
    var sums = sums._mutatingExtracting(0..<8)
    var last = 0
    let isSound = go(over: bytes, &source, &level) { at, number in
      let step = steps[at]
      let value = Float(number) * step.factor
      values[Int(step.place & 63)] = value
      sums[Int(step.place & 7)] += weights[Int(step.place &>> 3 & 7)] * value
      last = at
    }
    return isSound ? last : -1
  }

  /// Adds a block up to boxes; false when it is not sound.
  ///
  /// While a code word is looked up, nothing is in the way of the sums of the one before: they cost next to nothing here.
  ///
  /// - Parameters:
  ///   - weights: how much the n-th of eight coefficients along a row adds to each box.
  ///   - sums: by coefficient down a column.
  @inline(never)
  func add(
    _ bytes: Span<UInt8>, _ source: inout BitReader, _ level: inout Int32, _ weights: Span<DownscaleAccumulator.Lanes>,
    to sums: inout MutableSpan<DownscaleAccumulator.Lanes>
  ) -> Bool {
    let steps = steps.span.extracting(0..<64)
    let weights = weights.extracting(0..<8)
    var sums = sums._mutatingExtracting(0..<8)
    return go(over: bytes, &source, &level) { at, number in
      let step = steps[at]
      sums[Int(step.place & 7)] += weights[Int(step.place &>> 3 & 7)] * (Float(number) * step.factor)
    }
  }

  /// Goes over a block; false when it is not sound.
  @inline(never)
  func skip(_ bytes: Span<UInt8>, _ source: inout BitReader, _ level: inout Int32) -> Bool {
    go(over: bytes, &source, &level) { _, _ in }
  }

  /// - Parameter found: is given each coefficient that has a code, some of which are zero: its place in the order of the
  ///   zigzag, which grows, and its amount in steps.
  @inline(__always)
  private func go(
    over bytes: Span<UInt8>, _ source: inout BitReader, _ level: inout Int32, _ found: (Int, Int32) -> Void
  ) -> Bool {
    // Copies stay in registers.
    var reader = source
    let firstWords = first.words.span.extracting(0..<1 << HuffmanCode.reach)
    let otherWords = other.words.span.extracting(0..<1 << HuffmanCode.reach)
    reader.fill(bytes)
    var word = firstWords[reader.next(HuffmanCode.reach)]
    if word.isMissing {
      guard let long = first.longWord(in: reader.bits) else { return false }
      word = long
    }
    level &+= reader.take(word)
    found(0, level)
    var at = 0
    repeat {
      reader.fill(bytes)
      word = otherWords[reader.next(HuffmanCode.reach)]
      if word.isMissing {
        guard let long = other.longWord(in: reader.bits) else { return false }
        word = long
      }
      at &+= word.steps
      let number = reader.take(word)
      guard at < 64 else { break }
      found(at, number)
    } while at < 63
    source = reader
    return at < 64 || at >= HuffmanCode.Word.endOfBlock
  }
}
