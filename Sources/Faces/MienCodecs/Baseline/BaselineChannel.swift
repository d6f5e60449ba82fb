/// The decoding parameters of one color component.
struct BaselineChannel {
  /// Number of blocks per MCU, horizontally and vertically.
  let across: Int
  let down: Int
  let first: HuffmanCode
  let other: HuffmanCode
  let steps: ContiguousArray<InverseDCT.Step>

  /// Reads the coefficients of a block and returns the zigzag index of the last one; −1 if the data is invalid.
  ///
  /// - Parameters:
  ///   - level: the DC coefficient of the previous block; replaced by that of this block.
  ///   - block: 64 zeros that receive the coefficients.
  @inline(never)
  func read(
    _ bytes: Span<UInt8>, _ source: inout BitReader, _ level: inout Int32, into block: inout MutableSpan<Float>
  ) -> Int {
    var values = block._mutatingExtracting(0..<64)
    let steps = steps.span.extracting(0..<64)
    var last = 0
    let isSound = decodeBlock(in: bytes, &source, &level) { at, number in
      let step = steps[at]
      values[Int(step.place & 63)] = Float(number) * step.factor
      last = at
    }
    return isSound ? last : -1
  }

  /// Reads a block as above, and also adds it to the box sums as ``add(_:_:_:_:to:)`` does.
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
    let isSound = decodeBlock(in: bytes, &source, &level) { at, number in
      let step = steps[at]
      let value = Float(number) * step.factor
      values[Int(step.place & 63)] = value
      sums[Int(step.place & 7)] += weights[Int(step.place &>> 3 & 7)] * value
      last = at
    }
    return isSound ? last : -1
  }

  /// Adds a block to the box sums; returns `false` if the data is invalid.
  ///
  /// The sums of the previous coefficient are computed while the next code word is looked up, so they cost almost
  /// nothing.
  ///
  /// - Parameters:
  ///   - weights: contribution of the n-th of eight coefficients along a row to each box.
  ///   - sums: one sum per coefficient down a column.
  @inline(never)
  func add(
    _ bytes: Span<UInt8>, _ source: inout BitReader, _ level: inout Int32, _ weights: Span<DownscaleAccumulator.Lanes>,
    to sums: inout MutableSpan<DownscaleAccumulator.Lanes>
  ) -> Bool {
    let steps = steps.span.extracting(0..<64)
    let weights = weights.extracting(0..<8)
    var sums = sums._mutatingExtracting(0..<8)
    return decodeBlock(in: bytes, &source, &level) { at, number in
      let step = steps[at]
      sums[Int(step.place & 7)] += weights[Int(step.place &>> 3 & 7)] * (Float(number) * step.factor)
    }
  }

  /// Skips a block; returns `false` if the data is invalid.
  @inline(never)
  func skip(_ bytes: Span<UInt8>, _ source: inout BitReader, _ level: inout Int32) -> Bool {
    decodeBlock(in: bytes, &source, &level) { _, _ in }
  }

  /// Decodes a block; returns `false` if the data is invalid.
  ///
  /// - Parameter found: called for each coefficient that has a code, some of which are zero, with its increasing zigzag
  ///   index and its amount in quantization steps.
  @inline(__always)
  private func decodeBlock(
    in bytes: Span<UInt8>, _ source: inout BitReader, _ level: inout Int32, _ found: (Int, Int32) -> Void
  ) -> Bool {
    // Local copies stay in registers.
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
