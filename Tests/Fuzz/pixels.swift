import MienAvatars
import MienImaging

/// The last frame of a message at half size, in the format that ``fuzz(_:)`` reads, and stripes.
func seeds() -> [[UInt8]] {
  var generator = SplitMixGenerator(seed: 1)
  do {
    let sheet = try SpriteSheet(
      expressions: Frame(width: 768, height: 512, filledWith: Pixel(red: 240, green: 230, blue: 200)))
    let image = try GIFReader(sheet.idle(code: MessageID(using: &generator))).lastImage()
    var bytes: [UInt8] = [128, 128]
    for y in stride(from: 0, to: image.height, by: 2) {
      for x in stride(from: 0, to: image.width, by: 2) { bytes.append(image[x, y].green) }
    }
    return [bytes, [255, 200] + (0...255)]
  } catch {
    fatalError("a seed cannot be written: \(error)")
  }
}

private let codes = MessageIDDetector()

/// Reads width, height and pixels from the input, a byte each.
func fuzz(_ bytes: [UInt8]) {
  guard bytes.count > 2 else { return }
  let (width, height) = (max(1, Int(bytes[0])), max(1, Int(bytes[1])))
  var frame = Frame(width: width, height: height)
  for index in 0..<width * height {
    let value = bytes[2 + index % (bytes.count - 2)]
    frame[index % width, index / width] = Pixel(red: value, green: value, blue: value)
  }
  switch codes.read(frame) {
  case .pixels(let code): promise(MessageID(text: code.text) == code, "a code is read as it is written")
  case .comment: promise(false, "pixels have no comment")
  case .damaged, .nothing: break
  }
}
