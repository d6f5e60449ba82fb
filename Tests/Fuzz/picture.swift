import MienCodecs
import MienImaging

func seeds() -> [[UInt8]] {
  var frame = Frame(width: 33, height: 17)
  for y in 0..<frame.height {
    for x in 0..<frame.width { frame[x, y] = Pixel(red: UInt8(x * 7), green: UInt8(y * 14), blue: 90) }
  }
  do throws(ImageCodecError) {
    let encoder = try JPEGEncoder()
    return [try encoder.encode(frame, quality: 90), try encoder.encode(frame, quality: 5)]
  } catch {
    fatalError("a seed cannot be written: \(error)")
  }
}

/// Low limits, so that headers with large sizes cost little time.
private let limits = ImageLimits(pixels: 1_000_000)

func fuzz(_ bytes: [UInt8]) {
  var frame = Frame()
  do throws(ImageCodecError) {
    var decoder = try ImageDecoder(limits: limits)
    try decoder.decode(bytes, into: &frame)
    promise(frame.width > 0 && frame.height > 0, "a picture has pixels")
    promise(frame.width * frame.height <= limits.pixels, "a picture keeps the limit")
    promise(frame.pixels.count == frame.width * frame.height, "a picture has all its pixels")
  } catch {
    promise(!error.reason.isEmpty, "a refusal has a reason")
  }
  do throws(ImageCodecError) {
    var decoder = try YCbCrDecoder(limits: limits)
    let image = try decoder.sample(bytes) { width, height in
      let corners = width >= 16 && height >= 16 ? [SIMD2((width - 16) / 8 * 8, 0)] : []
      return SamplingPlan(
        tileSize: 16, corners: corners, factor: min(width, height) >= 4 ? 4 : 1, blockPace: 2)
    }
    promise(image.width * image.height <= limits.pixels, "samples keep the limit")
  } catch {
    promise(!error.reason.isEmpty, "a refusal has a reason")
  }
}
