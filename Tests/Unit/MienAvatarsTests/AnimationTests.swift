import MienTestGenerators
import MienAvatars
import MienExpressions
import MienImaging
import Testing

@Suite struct `Avatar animations` {
  static let sequence = "smile,wink_l,tongue_out,surprise,smooch"
  var code: MessageID {
    var generator = SplitMixGenerator(seed: 5)
    return MessageID(using: &generator)
  }

  func images(_ gif: [UInt8]) throws -> [(frame: Frame, delay: Int)] {
    var all: [(Frame, Int)] = []
    try GIFReader(gif).forEachImage {
      all.append(($0, $1))
      return true
    }
    return all
  }

  @Test func `five expressions give eleven images with fixed timing, looping forever`() throws {
    let sheet = try SpriteSheet(expressions: Drawing.expressions, rest: Drawing.rest)
    let sequence = try ExpressionSequence(text: Self.sequence)
    let gif = sheet.animation(of: sequence, code: code)
    let reader = try GIFReader(gif)
    #expect(reader.width == 256 && reader.height == 256 && reader.loopCount == 0 && !reader.isTruncated)
    let images = try images(gif)
    #expect(images.map(\.delay) == [50, 50, 30, 50, 30, 50, 30, 50, 30, 50, 50])
    let neutral = Drawing.sprite(0, of: Drawing.rest)
    for (index, image) in images.dropLast().enumerated() {
      let expected =
        index % 2 == 0
        ? neutral : Drawing.sprite(Int(sequence.steps[index / 2].rawValue), of: Drawing.expressions)
      #expect(Array(image.frame.pixels) == expected, "picture \(index)")
    }
    // The last frame is neutral, with the message ID label at the bottom.
    let last = try #require(images.last).frame
    #expect(last.cut(x: 0, y: 0, width: 256, height: 180) == Array(neutral.prefix(180 * 256)))
    #expect(Array(last.pixels) != neutral)
  }

  @Test func `a smooth animation passes through the in-between sprites in both directions`() throws {
    let sheet = try SpriteSheet(
      expressions: Drawing.expressions, rest: Drawing.rest, between: Drawing.between)
    let sequence = try ExpressionSequence(text: Self.sequence)
    let options = try #require(GIFOptions(style: .smooth, labelSeconds: 2.5))
    let gif = sheet.animation(of: sequence, code: code, options: options)
    #expect(gif.count <= GIFOptions.maximumSmoothBytes)
    let images = try images(gif)
    let step = [6, 6, 50, 6, 6, 30]
    #expect(images.map(\.delay) == [50] + Array(repeating: step, count: 5).joined().dropLast() + [250])
    for (number, expression) in sequence.steps.enumerated() {
      let raw = Int(expression.rawValue)
      let expected = [raw, 6 + raw].map { Drawing.sprite($0, of: Drawing.between) }
      let shown = images[(1 + 6 * number)..<(6 + 6 * number)].map { Array($0.frame.pixels) }
      #expect(shown[0] == expected[0] && shown[1] == expected[1] && shown[3] == expected[1] && shown[4] == expected[0])
      #expect(shown[2] == Drawing.sprite(raw, of: Drawing.expressions))
    }
    #expect(try MessageIDDetector().read(gif: gif) == .comment(code))
    // The classic animation is the same with and without in-between sprites.
    let plain = try SpriteSheet(expressions: Drawing.expressions, rest: Drawing.rest)
    #expect(try self.images(sheet.animation(of: sequence, code: code)).map(\.delay).count == 11)
    #expect(
      plain.animation(of: sequence, code: code, options: options)
        == plain.animation(
          of: sequence, code: code, options: try #require(GIFOptions(style: .classic, labelSeconds: 2.5))))
  }

  @Test func `a smooth animation leaves out in-between images rather than becoming too large`() throws {
    var grainy = Drawing.between
    let noise = Drawing.grainy(seed: 4)
    for y in 0..<1024 { for x in 0..<768 { grainy[x, y] = noise[x, y % 512] } }
    let sheet = try SpriteSheet(expressions: Drawing.expressions, rest: Drawing.rest, between: grainy)
    let options = try #require(GIFOptions(style: .smooth, labelSeconds: 0.5))
    let gif = sheet.animation(of: try ExpressionSequence(text: Self.sequence), code: code, options: options)
    #expect(try images(gif).count == 11)
  }

  @Test(arguments: [0.49, 10.01, .nan, -1]) func `label times out of range are rejected`(_ seconds: Double) {
    #expect(GIFOptions(style: .classic, labelSeconds: seconds) == nil)
  }

  @Test(arguments: 3...12) func `n expressions give 2 n + 1 images`(_ count: Int) throws {
    let sheet = try SpriteSheet(expressions: Drawing.expressions, rest: Drawing.rest)
    let steps = (0..<count).map { FaceExpression.allCases[$0 % 6] }
    let gif = sheet.animation(of: try ExpressionSequence(steps), code: code)
    #expect(try images(gif).count == 2 * count + 1)
    #expect(try MessageIDDetector().read(gif: gif) == .comment(code))
  }

  @Test func `an animation's length and timing do not depend on the sequence`() throws {
    let sheet = try SpriteSheet(expressions: Drawing.expressions, rest: Drawing.rest)
    let images = try images(sheet.idle(code: code))
    let shown = Set(images.dropLast().map { Array($0.frame.pixels) })
    #expect(shown == Set((0..<3).map { Drawing.sprite($0, of: Drawing.rest) }), "resting sprites only")
    #expect(try MessageIDDetector().read(gif: sheet.idle(code: code)) == .comment(code))
  }

  @Test func `a custom sprite sheet uses the left wink as its neutral sprite`() throws {
    let sheet = try SpriteSheet(expressions: Drawing.expressions)
    let wink = Drawing.sprite(0, of: Drawing.expressions)
    let images = try images(sheet.animation(of: try ExpressionSequence(text: "wink_l,smile,wink_l"), code: code))
    #expect(images.count == 7)
    for index in [0, 1, 2, 4, 5] { #expect(Array(images[index].frame.pixels) == wink) }
    #expect(Array(images[3].frame.pixels) == Drawing.sprite(4, of: Drawing.expressions))
    let idle = try self.images(sheet.idle(code: code))
    #expect(idle.dropLast().allSatisfy { Array($0.frame.pixels) == wink })
  }

  @Test func `a sheet with many colors keeps colors close to the original`() throws {
    let grainy = Drawing.grainy(seed: 8)
    let sheet = try SpriteSheet(expressions: grainy)
    let images = try images(sheet.animation(of: try ExpressionSequence(text: Self.sequence), code: code))
    for (index, sprite) in [(0, 0), (1, 4), (3, 0), (5, 1), (7, 2), (9, 5)] {
      let wanted = Drawing.sprite(sprite, of: grainy)
      let error = zip(images[index].frame.pixels, wanted).reduce(0) { sum, pair in
        func square(_ a: UInt8, _ b: UInt8) -> Int { (Int(a) - Int(b)) * (Int(a) - Int(b)) }
        return sum + square(pair.0.red, pair.1.red) + square(pair.0.green, pair.1.green)
          + square(pair.0.blue, pair.1.blue)
      }
      // A mean square error of 6.5 is 40 dB.
      #expect(Double(error) / Double(3 * wanted.count) < 6.5, "picture \(index)")
    }
  }

  @Test func `transparent pixels show the background`() throws {
    var frame = Drawing.expressions
    frame[300, 10] = Pixel(packed: 0x0000_0000)
    frame[301, 10] = Pixel(packed: 0x8000_0000)
    let sheet = try SpriteSheet(expressions: frame, background: Pixel(red: 10, green: 200, blue: 100))
    let images = try images(
      sheet.animation(of: try ExpressionSequence(text: "tongue_out,smile,smooch"), code: code))
    #expect(images[1].frame[44, 10] == Pixel(red: 10, green: 200, blue: 100))
    #expect(images[1].frame[45, 10] == Pixel(red: 5, green: 100, blue: 50))
  }

  @Test func `sheets with another layout are rejected`() {
    for size in [(767, 512), (768, 511), (512, 768), (0, 0), (768, 768)] {
      let refusal = #expect(throws: AvatarError.self) {
        try SpriteSheet(expressions: Frame(width: size.0, height: size.1))
      }
      #expect(refusal?.code == .wrongSheetSize)
    }
    let refusal = #expect(throws: AvatarError.self) {
      try SpriteSheet(expressions: Drawing.expressions, rest: Frame(width: 768, height: 512))
    }
    #expect(refusal?.code == .wrongSheetSize)
    let between = #expect(throws: AvatarError.self) {
      try SpriteSheet(expressions: Drawing.expressions, between: Frame(width: 768, height: 512))
    }
    #expect(between?.code == .wrongSheetSize)
  }
}
