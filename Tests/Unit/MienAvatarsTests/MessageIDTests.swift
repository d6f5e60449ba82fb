import MienTestGenerators
import MienAvatars
import Testing

@Suite struct `Message IDs` {
  @Test func `an ID is parsed as written and as people type it`() throws {
    var generator = SplitMixGenerator(seed: 3)
    for _ in 0..<200 {
      let code = MessageID(using: &generator)
      let text = code.text
      #expect(text.count == 19 && text.split(separator: "-").map(\.count) == [4, 4, 4, 4])
      #expect(!text.contains { "ILOU".contains($0) })
      let typed = text.lowercased().replacing("-", with: " ").replacing("0", with: "o").replacing("1", with: "l")
      #expect(MessageID(text: text) == code && MessageID(text: typed) == code)
      #expect(MessageID(text: text.replacing("-", with: "")) == code && MessageID(digits: code.digits) == code)
    }
  }

  @Test func `an ID starts with the given characters and has a valid checksum`() throws {
    var generator = SplitMixGenerator(seed: 5)
    for length in [0, 1, 4, 13] {
      let lead = (0..<length).map { UInt8(31 - $0) }
      let code = MessageID(leading: lead, using: &generator)
      #expect(code.digits.starts(with: lead) && MessageID(text: code.text) == code)
    }
  }

  @Test func `a fixed ID never changes`() {
    // IDs are printed in existing images: their check digits must never change.
    #expect(MessageID(text: "0123-4567-89AB-CTVX")?.digits == Array(0..<13) + [26, 27, 29])
    #expect(MessageID(text: "0000-0000-0000-0000")?.digits == [UInt8](repeating: 0, count: 16))
  }

  @Test func `up to three wrong characters and any transposition are detected`() {
    var generator = SplitMixGenerator(seed: 9)
    for _ in 0..<500 {
      let code = MessageID(using: &generator)
      var digits = code.digits
      for place in digits.indices.shuffled(using: &generator).prefix(Int.random(in: 1...3, using: &generator)) {
        digits[place] ^= UInt8.random(in: 1..<32, using: &generator)
      }
      #expect(MessageID(digits: digits) == nil)
      var swapped = code.digits
      let (first, second) = (Int.random(in: 0..<16, using: &generator), Int.random(in: 0..<16, using: &generator))
      swapped.swapAt(first, second)
      #expect(swapped == code.digits || MessageID(digits: swapped) == nil)
    }
  }

  @Test(arguments: [
    "", "-", "0123", "0123-4567-89AB-CDE", "0123-4567-89AB-CDEFG", "0123-4567-89AB-CDEU", "0123_4567_89AB_CDEF",
    "٠١٢٣٤٥٦٧٨٩٠١٢٣٤٥", String(repeating: "0", count: 10_000), "0000\n0000\n0000\n0000",
  ])
  func `an invalid ID is rejected`(_ text: String) {
    #expect(MessageID(text: text) == nil)
    #expect(MessageID(digits: [32] + [UInt8](repeating: 0, count: 15)) == nil)
  }
}
