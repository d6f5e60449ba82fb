import MienAvatars
import MienExpressions
import MienImaging

func seeds() -> [[UInt8]] {
  var generator = SplitMixGenerator(seed: 1)
  let code = MessageID(using: &generator)
  var painter = DebugOverlayRenderer(Frame(width: 768, height: 512, filledWith: Pixel(red: 240, green: 230, blue: 200)))
  for sprite in 0..<6 {
    let place = SIMD2(Float(sprite % 3 * 256 + 80 + sprite * 9), Float(sprite / 3 * 256 + 100))
    painter.drawDisc(at: place, radius: 40, Pixel(red: 200, green: UInt8(40 * sprite), blue: 60))
  }
  // Two pixels, interlaced, with a local palette and every disposal method.
  let small = Array("GIF89a".utf8) + [2, 0, 2, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
  let images = (UInt8(0)...3).flatMap { disposal -> [UInt8] in
    [
      0x21, 0xF9, 4, disposal << 2 | 1, 5, 0, 1, 0, 0x2C, 0, 0, 0, 0, 2, 0, 2, 0, 0xC0, 9, 9, 9, 7, 7, 7, 2, 3, 0x44,
      0x34, 0x05, 0,
    ]
  }
  do {
    let sheet = try SpriteSheet(expressions: painter.frame)
    return [sheet.idle(code: code), small + images + [0x3B]]
  } catch {
    fatalError("a seed cannot be written: \(error)")
  }
}

private let limits = GIFLimits(bytes: 1_000_000, pixels: 100_000, images: 40, pixelsInAll: 400_000)
private let codes = MessageIDDetector()

func fuzz(_ bytes: [UInt8]) {
  do throws(AvatarError) {
    let reader = try GIFReader(bytes, limits: limits)
    promise(reader.imageCount > 0 && reader.imageCount <= limits.images, "pictures keep the limit")
    promise(reader.width * reader.height <= limits.pixels, "the canvas keeps the limit")
    promise(reader.comments.reduce(0) { $0 + $1.count } <= 65_536, "comments keep the limit")
    var shown = 0
    try reader.forEachImage { frame, delay in
      shown += 1
      promise(frame.pixels.count == reader.width * reader.height, "each picture is the whole canvas")
      promise(delay >= 0 && delay < 65_536, "a delay is two bytes")
      return true
    }
    promise(shown == reader.imageCount, "all pictures are shown")
    if let code = try codes.read(gif: bytes, limits: limits).code {
      promise(MessageID(text: code.text) == code, "a code is read as it is written")
    }
  } catch {
    promise(!error.reason.isEmpty, "a refusal has a reason")
  }
}
