import MienImaging
import Testing

@testable import MienCodecs

@Suite struct `HEIC and AVIF images` {
  /// Mean difference of samples from the original that lossy compression of the drawn images causes.
  static let tolerance = 2.0

  static func decoded(_ bytes: [UInt8], pixels: Int = 1_000_000) throws(ImageCodecError) -> Frame {
    var frame = Frame()
    var decoder = try ImageDecoder(limits: ImageLimits(pixels: pixels), formats: ImageFormat.all)
    try decoder.decode(bytes, into: &frame)
    return frame
  }

  static func planes(_ bytes: [UInt8]) throws(ImageCodecError) -> YCbCrImage {
    var image = YCbCrImage()
    var decoder = try YCbCrDecoder(limits: ImageLimits(pixels: 1_000_000))
    try decoder.decode(bytes, into: &image)
    return image
  }

  @Test(arguments: [DrawnPhotos.heic, DrawnPhotos.avif])
  func `an image is decoded as drawn`(bytes: [UInt8]) throws {
    let difference = try #require(DrawnPhotos.difference(try Self.decoded(bytes), DrawnPhotos.frame))
    #expect(difference < Self.tolerance)
    let planes = try Self.planes(bytes)
    #expect((planes.width, planes.height, planes.orientation) == (96, 64, .upright))
    let drawn = YCbCrImage(DrawnPhotos.frame)
    let sum = zip(planes.luma.samples, drawn.luma.samples).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    #expect(Double(sum) / Double(planes.luma.samples.count) < 1)
  }

  @Test func `formats are detected by content`() {
    #expect(ImageFormat.sniff(DrawnPhotos.heic) == .heic)
    #expect(ImageFormat.sniff(DrawnPhotos.avif) == .avif)
    #expect(ImageFormat.sniff(HEIFBuilder.box("ftyp", Array("isom\0\0\0\0mp42".utf8))) == nil)
  }

  @Test func `a ten-bit image is decoded and turned once`() throws {
    var upright = Frame()
    DrawnPhotos.frame.stand(upright: .quarterLeft, into: &upright)
    let difference = try #require(DrawnPhotos.difference(try Self.decoded(DrawnPhotos.avifTurned), upright))
    #expect(difference < Self.tolerance)
    let planes = try Self.planes(DrawnPhotos.avifTurned)
    #expect((planes.width, planes.height, planes.orientation) == (96, 64, .quarterLeft))
  }

  /// Turns and mirrors in any order, with the EXIF orientation that has the same effect.
  @Test(arguments: [
    ([HEIFBuilder.box("irot", [0])], Orientation.upright), ([HEIFBuilder.box("irot", [1])], .quarterLeft),
    ([HEIFBuilder.box("irot", [2])], .upsideDown), ([HEIFBuilder.box("irot", [3])], .quarterRight),
    ([HEIFBuilder.box("imir", [0])], .mirroredUpsideDown), ([HEIFBuilder.box("imir", [1])], .mirrored),
    ([HEIFBuilder.box("irot", [1]), HEIFBuilder.box("imir", [1])], .mirroredQuarterRight),
    ([HEIFBuilder.box("imir", [1]), HEIFBuilder.box("irot", [1])], .mirroredQuarterLeft),
  ])
  func `properties turn an image, and EXIF does not turn it again`(boxes: [[UInt8]], orientation: Orientation) throws {
    var builder = try HEIFBuilder.single()
    for box in boxes {
      builder.properties.append(box)
      builder.items[0].properties.append(UInt8(builder.properties.count))
    }
    // EXIF with a quarter turn, as phones repeat the orientation there.
    let exif = [UInt8](`JPEG images`.oriented([0xFF, 0xD8], 6, bigEndian: true).dropFirst(6))
    builder.items.append(HEIFBuilder.Item(type: "Exif", data: [0, 0, 0, 6] + exif))
    builder.references.append(("cdsc", 2, [1]))
    var wanted = Frame()
    DrawnPhotos.frame.stand(upright: orientation, into: &wanted)
    let file = builder.file()
    let difference = try #require(DrawnPhotos.difference(try Self.decoded(file), wanted))
    #expect(difference < Self.tolerance)
    #expect(try Self.planes(file).orientation == orientation)
  }

  @Test func `an image is cropped before it is turned`() throws {
    var builder = try HEIFBuilder.single()
    // 40 × 20 pixels, whose center lies 4 to the right of and 6 above the middle.
    let numbers = [40, 1, 20, 1, 4, 1, -6, 1].flatMap { PNGWriter.number($0) }
    builder.properties += [HEIFBuilder.box("clap", numbers), HEIFBuilder.box("irot", [2])]
    builder.items[0].properties += [3, 4]
    let frame = try Self.decoded(builder.file())
    #expect((frame.width, frame.height) == (40, 20))
    // Column 96 / 2 + 4 - 20 = 32 is the last one after half a turn, and row 64 / 2 - 6 - 10 = 16 too.
    #expect(abs(Int(frame[39, 19].red) - 64) < 6)
    #expect(abs(Int(frame[39, 19].green) - 48) < 6)
  }

  @Test func `a grid is assembled and cropped to its size`() throws {
    let frame = try Self.decoded(HEIFBuilder.grid(columns: 3, rows: 2, width: 250, height: 100).file())
    #expect((frame.width, frame.height) == (250, 100))
    for (x, y) in [(10, 10), (110, 80), (200, 10), (249, 99)] {
      let drawn = DrawnPhotos.frame[x % DrawnPhotos.width, y % DrawnPhotos.height]
      #expect(abs(Int(frame[x, y].red) - Int(drawn.red)) < 6)
      #expect(abs(Int(frame[x, y].green) - Int(drawn.green)) < 6)
    }
  }

  @Test func `EXIF provides the capture time and location`() throws {
    var builder = try HEIFBuilder.single()
    builder.items.append(HEIFBuilder.Item(type: "Exif", data: [0, 0, 0, 0] + ExampleEXIF().tiff))
    builder.references.append(("cdsc", 2, [1]))
    let note = ImageProvenanceReader.read(builder.file())
    #expect(!note.isEmpty)
    #expect(note == ImageProvenanceReader.read(ExampleEXIF().jpeg))
    // A file cut off behind its metadata has the same.
    builder.items.swapAt(0, 1)
    builder.references = [("cdsc", 1, [2])]
    builder.primary = 2
    #expect(ImageProvenanceReader.read([UInt8](builder.file().dropLast(100))) == note)
  }

  @Test func `photo formats are rejected as camera frames`() throws {
    var decoder = try ImageDecoder()
    var frame = Frame()
    for bytes in [DrawnPhotos.heic, DrawnPhotos.avif, DrawnPhotos.webp] {
      do throws(ImageCodecError) {
        try decoder.decode(bytes, into: &frame)
        Issue.record("decoded")
      } catch {
        #expect(error.code == .notAImage)
      }
    }
  }
}

@Suite struct `Images embedded in HEIC` {
  private static let disparity = """
    <x:xmpmeta><rdf:Description xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/"><apdi:IntMaxValue>255</apdi:IntMaxValue>
    <apdi:IntMinValue>0</apdi:IntMinValue><apdi:FloatMaxValue>4.5</apdi:FloatMaxValue>
    <apdi:FloatMinValue>0.5</apdi:FloatMinValue><apdi:AuxiliaryImageType>disparity</apdi:AuxiliaryImageType>
    """

  @Test func `a depth map is read in meters`() throws {
    var builder = try HEIFBuilder.grid(columns: 2, rows: 2, width: 192, height: 128)
    try builder.addDepth(Self.disparity)
    let file = builder.file()
    #expect(EmbeddedImages.kinds(in: file) == [.depth])
    let depth = try #require(try EmbeddedImages.depth(in: file))
    #expect((depth.width, depth.height) == (96, 64))
    for x in [8, 48, 88] {
      // The level is twice the column, the disparity 0.5 to 4.5 per meter.
      let disparity = 0.5 + 4 * Float(2 * x) / 255
      #expect(abs(1 / depth.meters[32 * 96 + x] - disparity) < 0.1)
    }
    #expect(try `HEIC and AVIF images`.decoded(file).width == 192)
  }

  @Test func `levels of unknown meaning are not read as depth`() throws {
    var builder = try HEIFBuilder.single()
    try builder.addDepth("<x:xmpmeta/>")
    #expect(EmbeddedImages.kinds(in: builder.file()) == [.depth])
    #expect(try EmbeddedImages.depth(in: builder.file()) == nil)
    #expect(EmbeddedImages.kinds(in: DrawnPhotos.webp).isEmpty)
  }

  @Test(arguments: [
    ("urn:com:apple:photo:2018:aux:portraiteffectsmatte", EmbeddedImages.Kind.portraitMatte),
    ("urn:com:apple:photo:2019:aux:semanticskinmatte", .semanticMatte),
    ("urn:com:apple:photo:2020:aux:hdrgainmap", .gainMap), ("urn:mpeg:hevc:2015:auxid:1", .transparency),
    ("urn:example:new", .other),
  ])
  func `mattes and maps are named`(urn: String, kind: EmbeddedImages.Kind) throws {
    var builder = try HEIFBuilder.single()
    builder.properties.append(HEIFBuilder.box("auxC", [0, 0, 0, 0], Array(urn.utf8), [0]))
    var item = builder.items[0]
    item.properties.append(3)
    builder.items.append(item)
    builder.references = [("auxl", 2, [1])]
    #expect(EmbeddedImages.kinds(in: builder.file()) == [kind])
  }
}
