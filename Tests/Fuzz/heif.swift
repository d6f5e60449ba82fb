import MienCodecs
import MienImaging

/// A HEIC and an AVIF of 64 × 64 pixels of one tone, written by heif-enc and avifenc, and a header.
func seeds() -> [[UInt8]] {
  [hexadecimal(heic), hexadecimal(avif), Array(hexadecimal(heic).prefix(200))]
}

/// Low limits, so that headers with large sizes cost little time.
private let limits = ImageLimits(pixels: 1_000_000)

func fuzz(_ bytes: [UInt8]) {
  // libFuzzer's other formats are those of another target.
  guard let format = ImageFormat.sniff(bytes), format == .heic || format == .avif else { return }
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
  promise(EmbeddedImages.kinds(in: bytes).count <= EmbeddedImages.Kind.allCases.count, "each kind is named once")
  do throws(ImageCodecError) {
    if let depth = try EmbeddedImages.depth(in: bytes) {
      promise(depth.meters.count == depth.width * depth.height, "a depth map has all its samples")
      promise(depth.meters.allSatisfy { !($0 <= 0) }, "a depth is positive or missing")
    }
  } catch {
    promise(!error.reason.isEmpty, "a refusal has a reason")
  }
}

private func hexadecimal(_ text: String) -> [UInt8] {
  var bytes: [UInt8] = []
  var high: UInt8?
  for digit in text.utf8 where digit != 10 {
    let value = digit < 58 ? digit - 48 : digit - 87
    if let first = high { bytes.append(first << 4 | value) }
    high = high == nil ? value : nil
  }
  return bytes
}

private let heic = """
  0000001c6674797068656963000000006d696631686569636d696166000001426d657461000000000000002168646c7200000000000000
  0070696374000000000000000000000000000000000e7069746d00000000000100000022696c6f63000000004440000100010000000001
  660001000000000000001c0000002369696e6600000000000100000015696e666502000000000100006876633100000000c26970727000
  0000a46970636f00000078687663430103700000000000000000001ef000fcfdf8f800000f03200001001840010c01ffff037000000300
  90000003000003001eba0240210001002b42010103700000030090000003000003001ea020810596ea4929ae6e04040c08000003000800
  000300084022000100074401c172b022400000001469737065000000000000004000000040000000107069786900000000030808080000
  001669706d610000000000000001000103810283000000246d646174000000182801af1380e6a870d3fffc1d51ffece9abfb8bab49e6fd
  f0
  """

private let avif = """
  00000020667479706176696600000000617669666d6966316d6961664d413142000000f26d657461000000000000002868646c72000000
  0000000000706963740000000000000000000000006c696261766966000000000e7069746d0000000000010000001e696c6f6300000000
  440000010001000000010000011a000000220000002869696e660000000000010000001a696e6665020000000001000061763031436f6c
  6f72000000006a697072700000004b6970636f000000146973706500000000000000400000004000000010706978690000000003080808
  0000000c6176314381000c0000000013636f6c726e636c780001000d0006800000001769706d6100000000000000010001040102830400
  00002a6d64617412000a0918157ffd82021a0d08321318c00d34d34400b4db7b27465185d8c21aa240
  """
