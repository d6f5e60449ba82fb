internal import MienCore
internal import MienArchive

/// Header that precedes a record's payload.
struct RecordHeader: Sendable {
  let mark: ScanFormat.Mark
  let number: Int
  /// Length of the payload in bytes.
  let length: Int
  /// First byte of the payload; nil if the payload is empty.
  private let first: UInt8?

  /// Number of bytes examined: the header and the first byte of its payload.
  static let looked = ScanFormat.headLength + 1

  /// Returns nil for data that is not a header, declares more than a record may have, or has a payload that exceeds the
  /// available bytes.
  ///
  /// - Parameter left: number of bytes from `place` on in the whole bundle, whether contained in `bytes` or not.
  init?(_ bytes: [UInt8], at place: Int, left: Int) {
    guard place + ScanFormat.headLength <= bytes.count, let mark = ScanFormat.Mark(bytes.little32(at: place)) else {
      return nil
    }
    let number = Int(bytes.little32(at: place + 4))
    let length = Int(bytes.little32(at: place + 8))
    guard length <= ScanFormat.largestPayload, length <= left - ScanFormat.headLength,
      number < (mark == .image ? ScanFormat.mostImages : ScanFormat.mostFrames)
    else { return nil }
    let payload = place + ScanFormat.headLength
    self.mark = mark
    self.number = number
    self.length = length
    first = length > 0 && payload < bytes.count ? bytes[payload] : nil
  }

  /// Kind of the record; nil for an index.
  var kind: ScanReader.Record.Kind? {
    switch mark {
    case .index: nil
    case .image: .image
    case .frame: first.map { $0 & 1 == 0 } ?? true ? .frame : .keyFrame
    }
  }
}

/// Reads the fields of a record's payload and reports the location of invalid ones.
struct RecordFieldReader {
  private var cursor: LittleEndianReader
  private let record: ScanReader.Record
  private let frame: Int?

  init(_ payload: ArraySlice<UInt8>, record: ScanReader.Record, frame: Int?) {
    cursor = LittleEndianReader(payload)
    self.record = record
    self.frame = frame
  }

  func damaged(_ what: String) -> ScanError {
    ScanError(.damaged, "\(what) is invalid", byte: cursor.place, frame: frame)
  }

  private func located<Value>(_ read: () throws(DepthCodecError) -> Value) throws(ScanError) -> Value {
    do { return try read() } catch {
      throw ScanError(.damaged, "a record is truncated", byte: record.offset, frame: frame)
    }
  }

  mutating func byte() throws(ScanError) -> UInt8 {
    var cursor = cursor
    defer { self.cursor = cursor }
    return try located { () throws(DepthCodecError) in try cursor.byte() }
  }

  mutating func word16() throws(ScanError) -> UInt16 {
    let low = try byte()
    return UInt16(low) | UInt16(try byte()) << 8
  }

  mutating func word32() throws(ScanError) -> UInt32 {
    var cursor = cursor
    defer { self.cursor = cursor }
    return try located { () throws(DepthCodecError) in try cursor.word32() }
  }

  mutating func integer64() throws(ScanError) -> Int64 {
    let low = try word32()
    return Int64(bitPattern: UInt64(low) | UInt64(try word32()) << 32)
  }

  private mutating func float() throws(ScanError) -> Float { Float(bitPattern: try word32()) }

  mutating func intrinsics() throws(ScanError) -> PinholeIntrinsics {
    let intrinsics = PinholeIntrinsics(fx: try float(), fy: try float(), cx: try float(), cy: try float())
    guard intrinsics.isPlausible else {
      throw ScanError(
        .refused, "the intrinsics are zero, negative or not finite", byte: cursor.place - 16, frame: frame)
    }
    return intrinsics
  }

  mutating func pose() throws(ScanError) -> CameraPose {
    let place = cursor.place
    var matrix: [Float] = []
    for _ in 0..<12 { matrix.append(try float()) }
    do throws(PoseError) { return try CameraPose(rowMajor: matrix + [0, 0, 0, 1]) } catch {
      throw ScanError(.refused, "\(error)", byte: place, frame: frame)
    }
  }

  mutating func take(_ count: Int) throws(ScanError) -> ArraySlice<UInt8> {
    var cursor = cursor
    defer { self.cursor = cursor }
    return try located { () throws(DepthCodecError) in try cursor.take(count) }
  }

  mutating func rest() throws(ScanError) -> ArraySlice<UInt8> { try take(cursor.left) }

  var left: Int { cursor.left }
}

/// Verifies a record's checksum incrementally from its payload.
struct RecordChecksumVerifier: Sendable {
  /// Maximum number of bytes processed at a time.
  static let window = 1 << 18

  private let expected: UInt32
  private var sum = CRC32()
  private var rest: Range<Int>
  private var isCut = false

  /// - Parameters:
  ///   - bytes: data containing the record's header at `place`.
  ///   - payload: byte range of the record's payload.
  init(_ bytes: [UInt8], at place: Int, payload: Range<Int>) {
    expected = bytes.little32(at: place + 12)
    rest = payload
    sum.add(bytes[place..<place + 12])
  }

  /// Byte range needed next; nil when verification is complete.
  var wanted: Range<Int>? { isCut || rest.isEmpty ? nil : rest.prefix(Self.window) }

  /// Accepts the ``wanted`` bytes or a prefix of them; none if they cannot be read.
  mutating func take(_ bytes: ArraySlice<UInt8>) {
    isCut = bytes.isEmpty
    sum.add(bytes)
    rest = rest.dropFirst(bytes.count)
  }

  /// `true` if the checksum matches; valid once ``wanted`` is nil.
  var isRight: Bool { rest.isEmpty && sum.value == expected }
}
