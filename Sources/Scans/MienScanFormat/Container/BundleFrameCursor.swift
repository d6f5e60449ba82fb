internal import MienCore

/// Iterates over the frames of a bundle, decoding each predicted frame only once.
public struct BundleFrameCursor: Sendable {
  private var reader: ScanReader
  private var decoder: DepthDecoder
  /// Index of the last frame decoded; nil if decoding failed.
  private var decoded: Int?
  /// Frames that cannot be decoded: a lost or damaged frame, and those that depend on it.
  private var gap: Gap?
  private var upcoming = 0

  private struct Gap {
    let first: Int
    /// Last frame requested so far that depends on `first`.
    let last: Int
    let code: ScanError.Code
  }

  init(_ reader: ScanReader) {
    self.reader = reader
    decoder = DepthDecoder(
      width: reader.header.width, height: reader.header.height, micrometersPerStep: reader.header.micrometersPerStep)
  }

  /// Returns the next frame, or nil after the last. After an error, the next call returns the frame after the damaged
  /// one.
  ///
  /// - Throws: ``ScanError`` with the frame's number.
  public mutating func next() throws(ScanError) -> ScanFrame? {
    guard upcoming < reader.count else { return nil }
    return try frame(at: upcoming)
  }

  /// Source of the records; it must contain those of the frames from ``start(of:)`` on.
  package var bytes: any ByteSource {
    get { reader.bytes }
    set { reader.bytes = newValue }
  }

  /// Returns a frame by number; ``next()`` continues after it.
  ///
  /// - Throws: ``ScanError`` with the frame's number.
  public mutating func frame(at number: Int) throws(ScanError) -> ScanFrame {
    upcoming = number + 1
    let record = try reader.record(ofFrame: number)
    for earlier in try start(of: number)..<number {
      do throws(ScanError) { _ = try decode(try reader.record(ofFrame: earlier), number: earlier) } catch {
        throw dependencyError(number, record, for: earlier, .damaged)
      }
    }
    do throws(ScanError) { return try decode(record, number: number) } catch {
      gap = Gap(first: number, last: number, code: .damaged)
      throw error
    }
  }

  /// Returns the first frame that has to be decoded for this one: the preceding key frame, unless decoding can continue
  /// from the last frame read.
  ///
  /// - Throws: ``ScanError`` as ``frame(at:)`` does, for a frame that cannot be decoded.
  package mutating func start(of number: Int) throws(ScanError) -> Int {
    let record = try reader.record(ofFrame: number)
    var first = number
    while decoded != first - 1, try reader.record(ofFrame: first).kind != .keyFrame {
      guard first > 0 else {
        gap = Gap(first: 0, last: number, code: .damaged)
        throw ScanError(.damaged, "there is no key frame", byte: record.offset, frame: number)
      }
      first -= 1
      if let gap, (gap.first...gap.last).contains(first) {
        throw dependencyError(number, record, for: gap.first, gap.code)
      }
      if (try? reader.record(ofFrame: first)) == nil { throw dependencyError(number, record, for: first, .missing) }
    }
    return first
  }

  /// Records that a frame depends on one that cannot be decoded, so that its dependents fail immediately.
  private mutating func dependencyError(
    _ number: Int, _ record: ScanReader.Record, for broken: Int, _ code: ScanError.Code
  ) -> ScanError {
    gap = Gap(first: broken, last: number, code: code)
    let what = code == .missing ? "lost" : "damaged"
    return ScanError(
      code, "the frame depends on frame \(broken), which is \(what)", byte: record.offset, frame: number)
  }

  private mutating func decode(_ record: ScanReader.Record, number: Int) throws(ScanError) -> ScanFrame {
    decoded = nil
    let (width, height) = (reader.header.width, reader.header.height)
    var fields = RecordFieldReader(try reader.payload(of: record, frame: number), record: record, frame: number)
    let flags = try fields.byte()
    let depthCoding = ScanFormat.DepthCoding(rawValue: try fields.byte())
    let confidenceCoding = ScanFormat.ConfidenceCoding(rawValue: try fields.byte())
    guard flags < 8, let depthCoding, let confidenceCoding, try fields.byte() == 0 else {
      throw fields.damaged("a frame's coding")
    }
    let at = MonotonicInstant(nanoseconds: try fields.integer64())
    let intrinsics = try fields.intrinsics()
    let pose = flags & 4 == 0 ? nil : try fields.pose()
    let coded = try fields.take(Int(try fields.word32()))
    let rest = try fields.rest()
    guard flags & 2 != 0 || rest.isEmpty else { throw fields.damaged("the data after the depth") }
    // A key frame has no dependencies, and no frame depends on one with a stateless codec.
    if record.kind == .keyFrame || depthCoding != .dense { decoder.remove() }
    let depth: [UInt16]
    var confidence: [UInt8]?
    do throws(DepthCodecError) {
      switch depthCoding {
      case .dense: depth = try decoder.decode(coded)
      case .quick: depth = try FastDepthCodec.decode(coded, width: width, height: height)
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
    decoded = number
    return frame
  }
}

/// Locates the records of a bundle: by its index or, without one, by scanning. The caller supplies the ``wanted`` bytes
/// until it is nil.
package struct BundleRecordLocator: Sendable {
  private enum Stage: Sendable {
    case trailer
    case index(Range<Int>)
    case indexed(ScanIndex)
    case walk
  }

  private let start: Int
  private let count: Int
  private var stage: Stage
  /// Recovery scanner; it has no records unless scanning has started.
  private(set) var walk: BundleRecoveryScanner

  /// - Parameters:
  ///   - start: offset of the first record.
  ///   - count: size of the bundle in bytes.
  package init(from start: Int, in count: Int) {
    self.start = start
    self.count = count
    stage = count - ScanFormat.trailerLength >= start ? .trailer : .walk
    walk = BundleRecoveryScanner(from: start, in: count)
  }

  /// Byte range needed next, never longer than the longest index; nil when done.
  package var wanted: Range<Int>? {
    switch stage {
    case .trailer: count - ScanFormat.trailerLength..<count
    case .index(let place): place
    case .indexed: nil
    case .walk: walk.wanted
    }
  }

  /// Accepts the ``wanted`` bytes; fewer if they cannot be read.
  package mutating func take(_ bytes: [UInt8]) {
    switch stage {
    case .trailer: stage = ScanIndex.place(by: bytes, from: start, in: count).map { Stage.index($0) } ?? .walk
    case .index(let place): stage = ScanIndex(bytes, at: place, from: start).map { Stage.indexed($0) } ?? .walk
    case .indexed: break
    case .walk: walk.take(bytes)
    }
  }

  /// Index used to locate the records; nil if they were found by scanning.
  var index: ScanIndex? {
    if case .indexed(let index) = stage { index } else { nil }
  }

  /// Switches to scanning, ignoring the index.
  mutating func leaveIndex() { stage = .walk }

  /// Runs to completion on available bytes.
  mutating func run(over bytes: any ByteSource) {
    while let wanted { take(bytes.bytes(wanted)) }
  }
}
