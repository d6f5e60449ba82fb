internal import MienCore

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
    ScanError(.damaged, "\(what) is not as a writer writes it", byte: cursor.place, frame: frame)
  }

  private func located<Value>(_ read: () throws(DepthCodecError) -> Value) throws(ScanError) -> Value {
    do { return try read() } catch {
      throw ScanError(.damaged, "a record ends too early", byte: record.offset, frame: frame)
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
