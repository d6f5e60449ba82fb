/// What decoding needs to know of a component.
struct BaselineChannel {
  /// Blocks in a unit of the scan.
  let across: Int
  let down: Int
  let first: HuffmanCode
  let other: HuffmanCode
  let steps: ContiguousArray<CosineBlock.Step>

  /// Reads the coefficients of a block; the last one's place in the order of the zigzag, −1 when they are not sound.
  ///
  /// - Parameters:
  ///   - level: the first coefficient of the block before, and then of this one.
  ///   - block: 64 zeros, where the coefficients go.
  @inline(never)
  func read(
    _ bytes: Span<UInt8>, _ source: inout BitReader, _ level: inout Int32, into block: inout MutableSpan<Float>
  ) -> Int {
    // Copies stay in registers.
    var reader = source
    let firstWords = first.words.span.extracting(0..<1 << HuffmanCode.reach)
    let otherWords = other.words.span.extracting(0..<1 << HuffmanCode.reach)
    let steps = steps.span.extracting(0..<64)
    var values = block._mutatingExtracting(0..<64)
    reader.fill(bytes)
    var word = firstWords[reader.next(HuffmanCode.reach)]
    if word.isMissing {
      guard let long = first.longWord(in: reader.bits) else { return -1 }
      word = long
    }
    level &+= reader.take(word)
    values[0] = Float(level) * steps[0].factor
    var (at, last) = (0, 0)
    repeat {
      reader.fill(bytes)
      word = otherWords[reader.next(HuffmanCode.reach)]
      if word.isMissing {
        guard let long = other.longWord(in: reader.bits) else { return -1 }
        word = long
      }
      at &+= word.steps
      let number = reader.take(word)
      guard at < 64 else { break }
      let step = steps[at]
      values[Int(step.place & 63)] = Float(number) * step.factor
      last = at
    } while at < 63
    source = reader
    return at < 64 || at >= HuffmanCode.Word.endOfBlock ? last : -1
  }

  /// Goes over a block; false when it is not sound.
  @inline(never)
  func skip(_ bytes: Span<UInt8>, _ source: inout BitReader, _ level: inout Int32) -> Bool {
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
    var at = 0
    repeat {
      reader.fill(bytes)
      word = otherWords[reader.next(HuffmanCode.reach)]
      if word.isMissing {
        guard let long = other.longWord(in: reader.bits) else { return false }
        word = long
      }
      at &+= word.steps
      reader.drop(word)
    } while at < 63
    source = reader
    return at < 64 || at >= HuffmanCode.Word.endOfBlock
  }
}
