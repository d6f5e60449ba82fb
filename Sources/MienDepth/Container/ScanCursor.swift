internal import MienModel

/// Goes through the frames of a bundle; frames that build on the one before are decoded once.
public struct ScanCursor: Sendable {
  private let reader: ScanReader
  private var decoder: DepthDecoder
  /// The frame that `decoder` decoded last.
  private var decoded: Int?
  private var upcoming = 0

  init(_ reader: ScanReader) {
    self.reader = reader
    decoder = DepthDecoder(
      width: reader.header.width, height: reader.header.height, micrometresPerStep: reader.header.micrometresPerStep)
  }

  /// The next frame, or nil after the last. After an error the frame after the damaged one is next.
  ///
  /// - Throws: ``ScanError`` with the frame's number.
  public mutating func next() throws(ScanError) -> ScanFrame? {
    guard upcoming < reader.count else { return nil }
    return try frame(at: upcoming)
  }

  /// A frame by its number; ``next()`` goes on behind it.
  ///
  /// - Throws: ``ScanError`` with the frame's number.
  public mutating func frame(at number: Int) throws(ScanError) -> ScanFrame {
    upcoming = number + 1
    let record = try reader.record(ofFrame: number)
    // Back to the key frame, unless the frame before was the last one decoded.
    var first = number
    while decoded != first - 1, try reader.record(ofFrame: first).kind != .keyFrame {
      guard first > 0 else { throw ScanError(.damaged, "there is no key frame", byte: record.offset, frame: number) }
      first -= 1
      if (try? reader.record(ofFrame: first)) == nil {
        throw ScanError(
          .missing, "the frame builds on frame \(first), which is lost", byte: record.offset, frame: number)
      }
    }
    for earlier in first..<number {
      do throws(ScanError) { _ = try decode(try reader.record(ofFrame: earlier), number: earlier) } catch {
        decoded = nil
        throw ScanError(
          .damaged, "the frame builds on frame \(earlier), which is damaged", byte: record.offset, frame: number)
      }
    }
    return try decode(record, number: number)
  }

  private mutating func decode(_ record: ScanReader.Record, number: Int) throws(ScanError) -> ScanFrame {
    decoded = nil
    let (width, height) = (reader.header.width, reader.header.height)
    var fields = ScanFields(try reader.payload(of: record, frame: number), record: record, frame: number)
    let flags = try fields.byte()
    let depthCoding = ScanFormat.DepthCoding(rawValue: try fields.byte())
    let confidenceCoding = ScanFormat.ConfidenceCoding(rawValue: try fields.byte())
    guard flags < 8, let depthCoding, let confidenceCoding, try fields.byte() == 0 else {
      throw fields.damaged("a frame's coding")
    }
    let at = Instant(nanoseconds: try fields.integer64())
    let intrinsics = try fields.intrinsics()
    let pose = flags & 4 == 0 ? nil : try fields.pose()
    let coded = try fields.take(Int(try fields.word32()))
    let rest = try fields.rest()
    guard flags & 2 != 0 || rest.isEmpty else { throw fields.damaged("what follows the depth") }
    let depth: [UInt16]
    var confidence: [UInt8]?
    do throws(DepthCodecFault) {
      switch depthCoding {
      case .dense: depth = try decoder.decode(coded)
      case .quick: depth = try QuickDepth.decode(coded, width: width, height: height)
      case .plain:
        guard coded.count == width * height * 2 else { throw .damaged("the length of the depth") }
        depth = stride(from: coded.startIndex, to: coded.endIndex, by: 2).map {
          UInt16(coded[$0]) | UInt16(coded[$0 + 1]) << 8
        }
      }
      if flags & 2 != 0 { confidence = try ConfidenceCoding.read(rest, confidenceCoding, count: width * height) }
    } catch {
      throw ScanError(.damaged, "\(error)", byte: record.offset, frame: number)
    }
    guard
      let frame = ScanFrame(
        width: width, height: height, depth: depth, confidence: confidence, pose: pose, intrinsics: intrinsics, at: at)
    else { throw fields.damaged("a level of confidence") }
    if depthCoding == .dense { decoded = number }
    return frame
  }
}
