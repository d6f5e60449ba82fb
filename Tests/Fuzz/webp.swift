import MienCodecs
import MienImaging

/// WebP images of 64 × 64 pixels of one tone, written by cwebp, plain and with an extended header.
func seeds() -> [[UInt8]] {
  let header = Array("VP8X".utf8) + [10, 0, 0, 0, 8, 0, 0, 0, 63, 0, 0, 63, 0, 0]
  let exif =
    Array("EXIF".utf8) + [26, 0, 0, 0, 73, 73, 42, 0, 8, 0, 0, 0, 1, 0, 18, 1, 3, 0, 1, 0, 0, 0, 6, 0]
    + [UInt8](repeating: 0, count: 6)
  return [lossy, lossless, lossy.prefix(12) + header + lossy.dropFirst(12) + exif]
}

/// Low limits, so that headers with large sizes cost little time.
private let limits = ImageLimits(pixels: 1_000_000)

func fuzz(_ bytes: [UInt8]) {
  guard ImageFormat.sniff(bytes) == .webp else { return }
  var frame = Frame()
  do throws(ImageCodecError) {
    var decoder = try ImageDecoder(limits: limits, formats: ImageFormat.all)
    try decoder.decode(bytes, into: &frame)
    promise(frame.width > 0 && frame.height > 0, "a picture has pixels")
    promise(frame.width * frame.height <= limits.pixels, "a picture keeps the limit")
    promise(frame.pixels.count == frame.width * frame.height, "a picture has all its pixels")
  } catch {
    promise(!error.reason.isEmpty, "a refusal has a reason")
  }
  _ = ImageProvenanceReader.read(bytes)
}

private let lossy: [UInt8] = [
  82, 73, 70, 70, 78, 0, 0, 0, 87, 69, 66, 80, 86, 80, 56, 32, 66, 0, 0, 0, 176, 3, 0, 157, 1, 42, 64, 0, 64, 0,
  62, 209, 104, 175, 82, 40, 38, 36, 34, 162, 8, 1, 0, 26, 9, 105, 0, 206, 236, 5, 154, 235, 61, 217, 24, 5,
  211, 96, 0, 254, 222, 18, 125, 113, 115, 100, 68, 245, 225, 174, 190, 91, 30, 85, 115, 51, 25, 150, 57, 3, 40,
  209, 0, 0, 0, 0,
]

private let lossless: [UInt8] = [
  82, 73, 70, 70, 36, 0, 0, 0, 87, 69, 66, 80, 86, 80, 56, 76, 23, 0, 0, 0, 47, 63, 192, 15, 0, 7, 80, 188, 106,
  149, 167, 255, 1, 32, 33, 252, 127, 175, 69, 244, 63, 245, 3, 0,
]
