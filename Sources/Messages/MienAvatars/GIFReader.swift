public import MienImaging

/// Reads any GIF: first its structure, within limits and without decoding anything, then its pictures one after the other.
///
/// A file that ends too early is read as far as it goes; what contradicts the format is refused with a reason.
public struct GIFReader: Sendable {
  /// Pixels in a row of the canvas.
  public let width: Int
  public let height: Int
  /// How often the animation shall run; 0 = for ever, nil = not said, which means once.
  public private(set) var loopCount: Int?
  /// The comments, at most 64 KB of them.
  public private(set) var comments: [[UInt8]] = []
  /// True when the file ends before its end mark.
  public private(set) var isTruncated = false

  private(set) var images: [GIFImage] = []
  private let bytes: ContiguousArray<UInt8>

  /// How many pictures there are, at least one.
  public var imageCount: Int { images.count }

  /// - Throws: ``AvatarError``; `tooLarge` before anything of that size was allocated.
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

  /// Decodes the pictures in order, each as it is seen on the canvas; pixels that nothing covers have an opacity of 0.
  ///
  /// - Parameter body: gets the canvas and the delay in hundredths of a second; it ends the reading with false.
  /// - Throws: ``AvatarError`` with `corrupt` where a picture cannot be decoded.
  public func forEachImage(_ body: (Frame, Int) -> Bool) throws(AvatarError) {
    var canvas = GIFCanvas(width: width, height: height)
    for image in images {
      try canvas.draw(image, bytes)
      if !body(canvas.frame, image.delay) { return }
      canvas.dispose(image)
    }
  }

  /// The canvas as the last picture leaves it to be seen.
  ///
  /// - Parameter isOverdue: asked before each picture; true ends the reading.
  /// - Throws: ``AvatarError`` with `corrupt` where a picture cannot be decoded, with `tooLarge` when it takes too long.
  public func lastImage(isOverdue: () -> Bool = { false }) throws(AvatarError) -> Frame {
    var canvas = GIFCanvas(width: width, height: height)
    for (index, image) in images.enumerated() {
      guard !isOverdue() else { throw AvatarError(.tooLarge, "the pictures take too long to decode") }
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
          // A text is drawn with the control before it; texts are not drawn here.
          if label == 0x01 { control = GIFImage.Control() }
        }
      case 0x2C:
        guard let image = try readImage(&cursor, control, table, limits) else {
          isTruncated = true
          return
        }
        pixelsInAll += image.width * image.height
        guard images.count < limits.images, pixelsInAll <= limits.pixelsInAll else {
          throw AvatarError(.tooLarge, "more than \(limits.images) pictures or \(limits.pixelsInAll) pixels in all")
        }
        images.append(image)
        control = GIFImage.Control()
      case 0: continue  // Padding between blocks, which some programs leave.
      default:
        // What follows cannot be told apart; what was read before it stands.
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

  /// nil when the file ends within what stands before the picture's data.
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
