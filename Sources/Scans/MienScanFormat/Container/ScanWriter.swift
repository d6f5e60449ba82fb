internal import MienCore
internal import MienArchive

/// Serializes a scan into a bundle incrementally: each call returns the bytes to append to the file.
///
/// The file can be read at any time; ``finish()`` adds the index.
public struct ScanWriter: Sendable {
  /// Depth codec of the bundle.
  public enum Coding: String, Sendable, CaseIterable {
    /// Two bytes per sample.
    case plain
    /// Writes about as fast as memory; three quarters of RVL's size.
    case quick
    /// Half of RVL's size.
    case dense
  }

  public let header: ScanHeader
  public let coding: Coding
  /// Numbers of frames and images written.
  public private(set) var frameCount = 0
  public private(set) var imageCount = 0
  private var records: [(offset: Int, kind: UInt8)] = []
  private var length: Int
  private var encoder: DepthEncoder
  private var untilKey = 0

  /// Creates a writer for a new file; call ``start()`` first.
  public init(_ header: ScanHeader, coding: Coding = .dense) {
    self.header = header
    self.coding = coding
    encoder = DepthEncoder(
      width: header.width, height: header.height, micrometersPerStep: header.micrometersPerStep)
    length = 0
  }

  /// Creates a writer that continues a truncated file, which must first be cut to `reader.wholeLength` bytes.
  public init(continuing reader: ScanReader, coding: Coding = .dense) {
    self.init(reader.header, coding: coding)
    length = reader.wholeLength
    records = reader.records.map { ($0.offset, $0.kind.rawValue) }
    frameCount = reader.count
    imageCount = reader.imageCount
  }

  /// Returns the header.
  public mutating func start() -> [UInt8] {
    var bytes = ScanFormat.magic
    bytes.appendLittle16(UInt16(ScanFormat.version))
    bytes.appendLittle16(UInt16(header.width))
    bytes.appendLittle16(UInt16(header.height))
    bytes.appendLittle(UInt32(header.micrometersPerStep))
    bytes.append(ScanFormat.code(of: header.sensor, in: ScanFormat.sensors))
    bytes.append(ScanFormat.code(of: header.world, in: ScanFormat.worlds))
    bytes.append(ScanFormat.code(of: header.clock, in: ScanFormat.clocks))
    bytes.append(1)
    bytes.append(UInt8(header.device.utf8.count))
    bytes += Array(header.device.utf8)
    bytes.appendLittle(CRC32.of(bytes[...]))
    length += bytes.count
    return bytes
  }

  /// Encodes the next frame.
  ///
  /// - Throws: ``ScanError``: `refused` if its size differs from the header's, `tooMuch` after 100 000 frames.
  public mutating func append(_ frame: ScanFrame) throws(ScanError) -> [UInt8] {
    guard frame.width == header.width, frame.height == header.height else {
      throw ScanError(
        .refused, "the map is \(frame.width)×\(frame.height), the scan's are \(header.width)×\(header.height)",
        frame: frameCount)
    }
    guard frameCount < ScanFormat.mostFrames else {
      throw ScanError(.tooMuch, "a scan has at most \(ScanFormat.mostFrames) frames", frame: frameCount)
    }
    let (depth, depthCoding, isKey) = code(frame.depth)
    let confidence = frame.confidence.map(ConfidenceCoding.write)
    var payload: [UInt8] = []
    payload.reserveCapacity(depth.count + (confidence?.bytes.count ?? 0) + 84)
    payload.append((isKey ? 1 : 0) | (confidence == nil ? 0 : 2) | (frame.pose == nil ? 0 : 4))
    payload.append(depthCoding.rawValue)
    payload.append(confidence?.coding.rawValue ?? 0)
    payload.append(0)
    payload.appendLittle64(UInt64(bitPattern: frame.at.nanoseconds))
    payload.append(frame.intrinsics)
    if let pose = frame.pose { payload.append(pose) }
    payload.appendLittle(UInt32(depth.count))
    payload += depth
    if let confidence { payload += confidence.bytes }
    defer { frameCount += 1 }
    return record(.frame, kind: isKey ? .keyFrame : .frame, number: frameCount, payload)
  }

  private mutating func code(_ depth: [UInt16]) -> (bytes: [UInt8], coding: ScanFormat.DepthCoding, isKey: Bool) {
    switch coding {
    case .dense:
      let coded = encoder.encode(depth, asKey: untilKey == 0)
      untilKey = coded.isKey ? ScanFormat.keyDistance - 1 : untilKey - 1
      return (coded.bytes, .dense, coded.isKey)
    case .quick: return (FastDepthCodec.encode(depth, width: header.width), .quick, true)
    case .plain:
      var bytes: [UInt8] = []
      bytes.reserveCapacity(depth.count * 2)
      for sample in depth { bytes.appendLittle16(sample) }
      return (bytes, .plain, true)
    }
  }

  /// Encodes an image; can be called at any time.
  ///
  /// - Throws: ``ScanError``: `tooMuch` after 1000 images.
  public mutating func append(_ image: ScanImage) throws(ScanError) -> [UInt8] {
    guard imageCount < ScanFormat.mostImages else {
      throw ScanError(.tooMuch, "a scan has at most \(ScanFormat.mostImages) images")
    }
    var payload: [UInt8] = []
    payload.reserveCapacity(image.bytes.count + 76)
    payload.append(ScanFormat.code(of: image.role, in: ScanFormat.imageRoles))
    payload.append(
      (image.pose == nil ? 0 : 1) | (image.intrinsics == nil ? 0 : 2) | (image.at == nil ? 0 : 4))
    payload.appendLittle16(0)
    if let at = image.at { payload.appendLittle64(UInt64(bitPattern: at.nanoseconds)) }
    if let intrinsics = image.intrinsics { payload.append(intrinsics) }
    if let pose = image.pose { payload.append(pose) }
    payload += image.bytes
    defer { imageCount += 1 }
    return record(.image, kind: .image, number: imageCount, payload)
  }

  /// Returns index and trailer; nothing may be appended after them.
  public mutating func finish() -> [UInt8] {
    let place = length
    var payload: [UInt8] = []
    for (offset, kind) in records {
      payload.appendLittle64(UInt64(offset))
      payload.append(kind)
    }
    var bytes = Self.record(.index, number: 0, payload)
    bytes.appendLittle64(UInt64(place))
    bytes += ScanFormat.end
    length += bytes.count
    return bytes
  }

  private mutating func record(
    _ mark: ScanFormat.Mark, kind: ScanReader.Record.Kind, number: Int, _ payload: [UInt8]
  ) -> [UInt8] {
    records.append((length, kind.rawValue))
    let bytes = Self.record(mark, number: number, payload)
    length += bytes.count
    return bytes
  }

  private static func record(_ mark: ScanFormat.Mark, number: Int, _ payload: [UInt8]) -> [UInt8] {
    var bytes = mark.bytes
    bytes.reserveCapacity(payload.count + ScanFormat.headLength)
    bytes.appendLittle(UInt32(number))
    bytes.appendLittle(UInt32(payload.count))
    var sum = CRC32()
    sum.add(bytes[...])
    sum.add(payload[...])
    bytes.appendLittle(sum.value)
    bytes += payload
    return bytes
  }
}
