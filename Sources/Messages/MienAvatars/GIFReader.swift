public import MienImaging

/// Reader of arbitrary GIF files: parses the structure first, within limits and without decoding, and then decodes the images one after
/// another.
///
/// A truncated file is read as far as possible; content that violates the format is rejected with a reason.
public struct GIFReader: Sendable {
  /// Width of the canvas in pixels.
  public let width: Int
  public let height: Int
  /// Number of repetitions of the animation; 0 = endless, `nil` = unspecified, which means once.
  public private(set) var loopCount: Int?
  /// Comments, at most 64 KB in total.
  public private(set) var comments: [[UInt8]] = []
  /// `true` if the file ends before its trailer.
  public private(set) var isTruncated = false

  private(set) var images: [GIFImage] = []
  private let bytes: ContiguousArray<UInt8>

  /// Number of images, at least one.
  public var imageCount: Int { images.count }

  /// Parses the structure of a GIF.
  ///
  /// - Throws: ``AvatarError``; `tooLarge` is thrown before memory of that size is allocated.
  public init(_ file: [UInt8], limits: GIFLimits = GIFLimits()) throws(AvatarError) {
    guard file.count <= limits.bytes else {
      throw AvatarError(.tooLarge, "the file has \(file.count) bytes; at most \(limits.bytes) are read")
    }
    guard file.count >= 13, file.starts(with: "GIF87a".utf8) || file.starts(with: "GIF89a".utf8) else {
      throw AvatarError(.notAGIF, "this is not a GIF")
    }
    var cursor = GIFCursor(ContiguousArray(file), at: 6)
    width = cursor.number() ?? 0
    height = cursor.number() ?? 0
    bytes = cursor.bytes
    guard width > 0, height > 0 else { throw AvatarError(.noImage, "the canvas has no pixels") }
    guard width * height <= limits.pixels else {
      throw AvatarError(.tooLarge, "the canvas has \(width)×\(height) pixels; at most \(limits.pixels) are read")
    }
    let flags = cursor.byte() ?? 0
    cursor.skip(2)
    var table: Range<Int>?
    if flags & 0x80 != 0 { table = cursor.take(3 << (Int(flags & 7) + 1)) }
    try readBlocks(&cursor, table, limits)
    guard !images.isEmpty else {
      throw isTruncated
        ? AvatarError(.truncated, "the file ends before its first picture")
        : AvatarError(.noImage, "there is no picture in it")
    }
  }

  /// Decodes the images in order and passes each composited canvas to `body`; uncovered pixels have an opacity of 0.
  ///
  /// - Parameter body: Receives the canvas and the delay in hundredths of a second; returns `false` to stop.
  /// - Throws: ``AvatarError`` with `corrupt` if an image cannot be decoded.
  public func forEachImage(_ body: (Frame, Int) -> Bool) throws(AvatarError) {
    var canvas = GIFCanvas(width: width, height: height)
    for image in images {
      try canvas.draw(image, bytes)
      if !body(canvas.frame, image.delay) { return }
      canvas.dispose(image)
    }
  }

  /// Returns the canvas as displayed after the last image is drawn.
  ///
  /// - Parameter isOverdue: Called before each image; returns `true` to abort.
  /// - Throws: ``AvatarError`` with `corrupt` if an image cannot be decoded, or with `tooLarge` if `isOverdue` aborts the decoding.
  public func lastImage(isOverdue: () -> Bool = { false }) throws(AvatarError) -> Frame {
    var canvas = GIFCanvas(width: width, height: height)
    for (index, image) in images.enumerated() {
      guard !isOverdue() else { throw AvatarError(.tooLarge, "the images take too long to decode") }
      try canvas.draw(image, bytes)
      if index < images.count - 1 { canvas.dispose(image) }
    }
    return canvas.frame
  }

  // MARK: - Structure

  private mutating func readBlocks(_ cursor: inout GIFCursor, _ table: Range<Int>?, _ limits: GIFLimits)
    throws(AvatarError)
  {
    var control = GIFImage.Control()
    var pixelsInAll = 0
    var commentBytes = 0
    while true {
      guard let kind = cursor.byte() else {
        isTruncated = true
        return
      }
      switch kind {
      case 0x3B: return
      case 0x21:
        guard let label = cursor.byte() else { continue }
        if label == 0xF9 {
          let block = cursor.blocks(atMost: 16)
          if block.count >= 4 { control = GIFImage.Control(block) }
        } else if label == 0xFE {
          let comment = cursor.blocks(atMost: max(0, 65_536 - commentBytes))
          commentBytes += comment.count
          comments.append(comment)
        } else if label == 0xFF {
          readApplication(cursor.blocks(atMost: 64))
        } else {
          cursor.skipBlocks()
          // A plain text extension uses the preceding control extension; plain text is not rendered here.
          if label == 0x01 { control = GIFImage.Control() }
        }
      case 0x2C:
        guard let image = try readImage(&cursor, control, table, limits) else {
          isTruncated = true
          return
        }
        pixelsInAll += image.width * image.height
        guard images.count < limits.images, pixelsInAll <= limits.pixelsInAll else {
          throw AvatarError(.tooLarge, "more than \(limits.images) images or \(limits.pixelsInAll) pixels in all")
        }
        images.append(image)
        control = GIFImage.Control()
      case 0: continue  // Padding between blocks, which some encoders write.
      default:
        // The rest cannot be parsed; images parsed earlier remain valid.
        if images.isEmpty { throw AvatarError(.corrupt, "a block of no known kind") }
        isTruncated = true
        return
      }
    }
  }

  private mutating func readApplication(_ block: [UInt8]) {
    let isLoop = block.starts(with: "NETSCAPE2.0".utf8) || block.starts(with: "ANIMEXTS1.0".utf8)
    guard isLoop, block.count >= 14, block[11] == 1 else { return }
    loopCount = Int(block[12]) | Int(block[13]) << 8
  }

  /// Returns `nil` if the file ends within the header of the image.
  private func readImage(
    _ cursor: inout GIFCursor, _ control: GIFImage.Control, _ table: Range<Int>?, _ limits: GIFLimits
  ) throws(AvatarError) -> GIFImage? {
    guard let x = cursor.number(), let y = cursor.number(), let width = cursor.number(), let height = cursor.number(),
      let flags = cursor.byte()
    else { return nil }
    guard width * height <= limits.pixels else {
      throw AvatarError(.tooLarge, "a picture has \(width)×\(height) pixels; at most \(limits.pixels) are read")
    }
    var colors = table
    if flags & 0x80 != 0 { colors = cursor.take(3 << (Int(flags & 7) + 1)) }
    guard let bits = cursor.byte() else { return nil }
    let start = cursor.place
    cursor.skipBlocks()
    return GIFImage(
      x: x, y: y, width: width, height: height, isInterlaced: flags & 0x40 != 0, colors: colors, bits: Int(bits),
      data: start..<cursor.place, control: control)
  }
}

/// Limits for reading an untrusted GIF, checked before memory is allocated for it.
public struct GIFLimits: Hashable, Sendable {
  /// Maximum number of bytes in the file.
  public var bytes: Int
  /// Maximum number of pixels of the canvas and of each image.
  public var pixels: Int
  /// Maximum number of images.
  public var images: Int
  /// Maximum number of pixels of all images together.
  public var pixelsInAll: Int

  /// Creates limits. Defaults: 16 MB, 4 million pixels, 600 images, and 100 million pixels in total.
  public init(
    bytes: Int = 16_000_000, pixels: Int = 4_000_000, images: Int = 600, pixelsInAll: Int = 100_000_000
  ) {
    self.bytes = bytes
    self.pixels = pixels
    self.images = images
    self.pixelsInAll = pixelsInAll
  }
}

/// Sequential reader of a GIF's bytes; reading past the end returns `nil` or nothing.
struct GIFCursor {
  let bytes: ContiguousArray<UInt8>
  private(set) var place: Int

  init(_ bytes: ContiguousArray<UInt8>, at place: Int) {
    self.bytes = bytes
    self.place = place
  }

  mutating func byte() -> UInt8? {
    guard place < bytes.count else { return nil }
    defer { place += 1 }
    return bytes[place]
  }

  /// Reads a little-endian 16-bit number.
  mutating func number() -> Int? {
    guard place + 2 <= bytes.count else {
      place = bytes.count
      return nil
    }
    defer { place += 2 }
    return Int(bytes[place]) | Int(bytes[place + 1]) << 8
  }

  mutating func skip(_ count: Int) { place = min(place + count, bytes.count) }

  /// Returns the range of the next bytes, or `nil` if fewer remain.
  mutating func take(_ count: Int) -> Range<Int>? {
    guard place + count <= bytes.count else {
      place = bytes.count
      return nil
    }
    defer { place += count }
    return place..<place + count
  }

  /// Reads data sub-blocks up to the terminator and returns their first `most` bytes.
  mutating func blocks(atMost most: Int) -> [UInt8] {
    var content: [UInt8] = []
    while let length = byte(), length > 0 {
      let end = min(place + Int(length), bytes.count)
      content += bytes[place..<min(end, place + max(0, most - content.count))]
      place = end
    }
    return content
  }

  mutating func skipBlocks() {
    while let length = byte(), length > 0 { skip(Int(length)) }
  }
}
