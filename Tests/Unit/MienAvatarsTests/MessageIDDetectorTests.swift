import MienTestGenerators
import MienAvatars
import MienExpressions
import MienImaging
import Testing

@Suite struct `Message ID detection` {
  static let sheet = try? SpriteSheet(expressions: Drawing.expressions, rest: Drawing.rest)

  func stamped(_ seed: UInt64) throws -> (code: MessageID, image: Frame) {
    var generator = SplitMixGenerator(seed: seed)
    let code = MessageID(using: &generator)
    let gif = try #require(Self.sheet).idle(code: code)
    return (code, try GIFReader(gif).lastImage())
  }

  @Test(arguments: 1...5) func `an ID is read from pixels at many sizes and within any surroundings`(_ seed: UInt64)
    throws
  {
    let (code, image) = try stamped(seed)
    let reader = MessageIDDetector()
    #expect(reader.read(image) == .pixels(code))
    for size in [128, 160, 200, 300, 333, 512] {
      #expect(reader.read(image.scaled(to: size)) == .pixels(code), "\(size) pixels")
    }
    let around = [Pixel.black, Pixel(red: 255, green: 255, blue: 255), Pixel(red: 120, green: 30, blue: 60)]
    for (index, color) in around.enumerated() {
      let shot = image.scaled(to: 128 + index * 90).placed(on: color, width: 500, height: 640, x: 37, y: 211)
      #expect(reader.read(shot) == .pixels(code), "on color \(index)")
    }
  }

  @Test func `every character is recognized`() throws {
    var seen: Set<UInt8> = []
    for seed in UInt64(100)..<120 {
      let (code, image) = try stamped(seed)
      #expect(MessageIDDetector().read(image) == .pixels(code))
      seen.formUnion(code.digits)
    }
    #expect(seen.count == 32)
  }

  @Test func `a damaged stamp is detected`() throws {
    let (_, image) = try stamped(4)
    var damaged = image
    // Two characters are painted over.
    for y in 195..<215 { for x in 60..<90 { damaged[x, y] = Pixel(red: 255, green: 252, blue: 246) } }
    #expect(MessageIDDetector().read(damaged) == .damaged)
    // A character of another ID is inserted.
    let (_, other) = try stamped(11)
    var mixed = image
    for y in 190..<252 { for x in 128..<212 { mixed[x, y] = other[x, y] } }
    #expect(MessageIDDetector().read(mixed) == .damaged)
  }

  @Test func `an image without a stamp has no ID`() {
    let reader = MessageIDDetector()
    #expect(reader.read(Frame()) == .nothing && reader.read(Frame(width: 4, height: 4)) == .nothing)
    for color in [Pixel.black, Drawing.ground] {
      #expect(reader.read(Frame(width: 256, height: 256, filledWith: color)) == .nothing)
    }
    #expect(reader.read(Drawing.expressions) == .nothing)
    var generator = SplitMixGenerator(seed: 1)
    for size in [64, 256, 300] {
      var noise = Frame(width: size, height: size)
      for y in 0..<size {
        for x in 0..<size { noise[x, y] = Pixel(packed: UInt32.random(in: 0 ... .max, using: &generator)) }
      }
      #expect(reader.read(noise).code == nil)
    }
  }

  @Test func `an unrelated comment is ignored`() throws {
    var generator = SplitMixGenerator(seed: 2)
    let code = MessageID(using: &generator)
    var gif = try #require(Self.sheet).idle(code: code)
    let digits = Array(code.text.utf8)
    let place = try #require(gif.firstRange(of: digits)).lowerBound
    // Another character in the comment: the ID is read from the pixels.
    gif[place] = gif[place] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
    #expect(try MessageIDDetector().read(gif: gif) == .pixels(code))
  }

  @Test func `a file that is not a GIF is rejected with a reason`() {
    for (bytes, error): ([UInt8], AvatarError.Code) in [
      ([], .notAGIF), (Array("not a gif at all".utf8), .notAGIF), (Array("GIF89a".utf8), .notAGIF),
      (Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0], .truncated),
      (Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x3B], .noImage),
      (Array("GIF89a".utf8) + [255, 255, 255, 255, 0, 0, 0, 0x3B], .tooLarge),
      (Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x77], .corrupt),
      ([UInt8](repeating: 0, count: 17_000_000), .tooLarge),
    ] {
      let refusal = #expect(throws: AvatarError.self) { try MessageIDDetector().read(gif: bytes) }
      #expect(refusal?.code == error && refusal?.reason.isEmpty == false)
    }
  }
}
