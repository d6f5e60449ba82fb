import MienTestGenerators
import MienCore
import MienExpressions
import MienVault
import Testing

@Suite struct `Message cipher` {
  private let label = "0123-4567-89AB-CDEF"
  /// Cheap, since thousands of sequences are tried here.
  private let cost: ScryptParameters
  private let vault: MessageCipher
  private let sequence: ExpressionSequence
  private let text: MessageText

  init() throws {
    cost = try #require(ScryptParameters(logRounds: 1, blockSize: 1, parallelism: 1))
    vault = try #require(MessageCipher(secret: Examples.secret(7), cost: cost))
    sequence = try ExpressionSequence(Examples.five)
    text = try MessageText("Hey wanna play later? im eating pizza rn 🍕")
  }

  private func seal(_ seed: UInt64 = 1) -> EncryptedText {
    var generator = SplitMixGenerator(seed: seed)
    return vault.close(text, under: sequence, as: label, with: MessageCipher.Randomness(using: &generator))
  }

  @Test func `a text opens with the sequence that sealed it`() {
    #expect(vault.open(seal(), with: sequence, as: label) == text)
  }

  @Test func `a text with a link opens only with its key`() {
    var generator = SplitMixGenerator(seed: 1)
    let sealed = vault.close(text, under: sequence, link: "key", as: label, with: .init(using: &generator))
    #expect(vault.open(sealed, with: sequence, link: "key", as: label) == text)
    for other in ["kez", "", nil] { #expect(vault.open(sealed, with: sequence, link: other, as: label) == nil) }
    #expect(vault.open(seal(), with: sequence, link: "key", as: label) == nil)
  }

  @Test func `exactly one sequence of five steps opens a text, and none without the secret`() throws {
    let (sealed, stranger) = (seal(), try #require(MessageCipher(secret: Examples.secret(8))))
    let all = try Examples.everySequence()
    #expect(all.count == 3750)
    #expect(all.filter { vault.open(sealed, with: $0, as: label) != nil } == [sequence])
    #expect(!all.contains { stranger.open(sealed, with: $0, as: label) != nil })
  }

  @Test func `a text sealed by another implementation of the documented format opens`() throws {
    // Made with Python's cryptography from Documentation/reference/formats/EncryptedMessage.md: secret 32 × 7, key 0…31, nonce 100…111.
    let hex = """
      6465666768696a6b6c6d6e6fe61818d416dc179aae536ccab08969a9042bf26d\
      42f40d32be20b405fb410ab9a8c40730f91ac1cd815074506b7770beca2a4898\
      652a65b90f3b5f9e156d93c869b08df2510f59afbe60b2937eb0b741
      """
    let digits = hex.compactMap { $0.hexDigitValue.map { UInt8($0) } }
    let box = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    let sealed = try #require(EncryptedText(key: Array(0..<32), box: box, cost: .standard))
    #expect(vault.open(sealed, with: sequence, as: label)?.text == "Known answer ✓")
    let other = try #require(EncryptedText(key: sealed.key, box: box, cost: cost))
    #expect(vault.open(other, with: sequence, as: label) == nil, "the cost is bound to the text")
  }

  @Test func `a text opens with the secret that sealed it`() throws {
    let newer = try #require(MessageCipher(secret: Examples.secret(8), cost: cost))
    #expect(MessageCipher.open(seal(), with: sequence, as: label, by: [newer, vault]) == text)
    #expect(MessageCipher.open(seal(), with: sequence, as: label, by: [newer]) == nil)
  }

  @Test func `key derivation cost is authenticated and stored with the text`() throws {
    let sealed = seal()
    #expect(sealed.cost == cost && ScryptParameters(text: cost.text) == cost)
    let other = try #require(ScryptParameters(logRounds: 2, blockSize: 1, parallelism: 1))
    let changed = try #require(EncryptedText(key: sealed.key, box: sealed.box, cost: other))
    #expect(vault.open(changed, with: sequence, as: label) == nil)
    let standard = ScryptParameters.standard
    #expect(128 * (1 << standard.logRounds) * standard.blockSize >= 32 << 20, "each sequence costs 32 MiB")
    for text in [
      "", "scrypt", "scrypt,ln=15,r=8", "scrypt,ln=15,r=8,p=1,", "scrypt,r=8,ln=15,p=1", "scrypt,ln=18,r=8,p=1",
      "scrypt,ln=0,r=8,p=1", "scrypt,ln=15,r=9,p=1", "scrypt,ln=15,r=8,p=5", "scrypt,ln=99999999999999999999,r=8,p=1",
      "argon2,ln=15,r=8,p=1",
    ] {
      #expect(ScryptParameters(text: text) == nil, "\(text)")
    }
  }

  @Test func `a shorter or longer sequence with the same prefix does not open the text`() throws {
    for steps in [Array(Examples.five.dropLast()), Examples.five + [.smile]] {
      #expect(vault.open(seal(), with: try ExpressionSequence(steps), as: label) == nil)
    }
  }

  @Test func `a text moved to another message does not open`() {
    #expect(vault.open(seal(), with: sequence, as: "0123-4567-89AB-CDE0") == nil)
  }

  @Test func `a change of any byte is detected`() throws {
    let sealed = seal()
    for index in sealed.box.indices {
      var box = sealed.box
      box[index] ^= 1
      let changed = try #require(EncryptedText(key: sealed.key, box: box, cost: cost))
      #expect(vault.open(changed, with: sequence, as: label) == nil, "byte \(index) of the box")
    }
    for index in sealed.key.indices {
      var key = sealed.key
      key[index] ^= 0x80
      let changed = try #require(EncryptedText(key: key, box: sealed.box, cost: cost))
      #expect(vault.open(changed, with: sequence, as: label) == nil, "byte \(index) of the key")
    }
  }

  @Test func `sealing the same text twice gives different bytes`() {
    let (one, two) = (seal(1), seal(2))
    #expect(one.key != two.key && one.box != two.box)
  }

  @Test func `texts of up to 62 bytes have the same sealed length`() throws {
    var generator = SplitMixGenerator(seed: 3)
    let lengths = try ["a", String(repeating: "b", count: 62)].map {
      vault.close(try MessageText($0), under: sequence, as: label, with: .init(using: &generator)).box.count
    }
    #expect(lengths == [92, 92])
    #expect(
      vault.close(
        try MessageText(String(repeating: "b", count: 63)), under: sequence, as: label, with: .init(using: &generator)
      ).box.count == 156)
  }

  @Test func `the longest text is opened unchanged`() throws {
    var generator = SplitMixGenerator(seed: 4)
    let long = try MessageText(String(repeating: "👨🏻‍👩🏻‍👧🏻‍👦🏻", count: 100))
    let sealed = vault.close(long, under: sequence, as: label, with: .init(using: &generator))
    #expect(EncryptedText(key: sealed.key, box: sealed.box, cost: cost) == sealed)
    #expect(vault.open(sealed, with: sequence, as: label) == long)
  }

  @Test(arguments: [0, 1, 31, 33]) func `a secret with another length is rejected`(count: Int) {
    #expect(MessageCipher(secret: [UInt8](repeating: 1, count: count)) == nil)
  }

  @Test func `printing reveals nothing`() {
    for value in [vault as Any, seal(), text, sequence] {
      var dumped = ""
      dump(value, to: &dumped)
      for printed in [String(describing: value), String(reflecting: value), dumped] {
        #expect(printed.contains("withheld") && !printed.contains("pizza") && !printed.contains("smile"))
      }
    }
  }
}
