/// Index at the end of a finished bundle; it is self-consistent, but not verified against the records it refers to.
struct ScanIndex: Sendable {
  let records: [ScanReader.Record]
  /// Offset where the records end and the index begins.
  let end: Int

  private static let entryLength = 9
  private static let longest =
    ScanFormat.headLength + entryLength * (ScanFormat.mostFrames + ScanFormat.mostImages)

  /// Returns the byte range of the index; nil if the bundle has none or if it exceeds the maximum length.
  ///
  /// - Parameters:
  ///   - trailer: the last bytes of the bundle.
  ///   - start: offset of the first record.
  ///   - count: size of the bundle in bytes.
  static func place(by trailer: [UInt8], from start: Int, in count: Int) -> Range<Int>? {
    let end = count - ScanFormat.trailerLength
    guard trailer.count == ScanFormat.trailerLength, trailer[8...].elementsEqual(ScanFormat.end),
      let place = Int(exactly: trailer.little64(at: 0)), place >= start, place <= end - ScanFormat.headLength,
      end - place <= longest
    else { return nil }
    return place..<end
  }

  /// Returns nil for data that is not an index. Records must be contiguous in bytes and in numbers, so that no entry
  /// can point to an arbitrary location.
  ///
  /// - Parameters:
  ///   - bytes: data at `place`.
  ///   - start: offset of the first record.
  init?(_ bytes: [UInt8], at place: Range<Int>, from start: Int) {
    guard bytes.count == place.count, let head = RecordHeader(bytes, at: 0, left: bytes.count), head.mark == .index,
      head.length == bytes.count - ScanFormat.headLength, head.length % Self.entryLength == 0
    else { return nil }
    let payload = ScanFormat.headLength..<bytes.count
    var check = RecordChecksumVerifier(bytes, at: 0, payload: payload)
    check.take(bytes[payload])
    guard check.isRight else { return nil }
    var records: [ScanReader.Record] = []
    records.reserveCapacity(payload.count / Self.entryLength)
    var offset = start
    var (frames, images) = (0, 0)
    for entry in stride(from: payload.lowerBound, to: payload.upperBound, by: Self.entryLength) {
      let following = entry + Self.entryLength
      let next: Int? = following < bytes.count ? Int(exactly: bytes.little64(at: following)) : place.lowerBound
      guard bytes.little64(at: entry) == UInt64(offset), let next, next <= place.lowerBound,
        (0...ScanFormat.largestPayload).contains(next - offset - ScanFormat.headLength),
        let kind = ScanReader.Record.Kind(rawValue: bytes[entry + 8])
      else { return nil }
      let number = kind == .image ? images : frames
      guard number < (kind == .image ? ScanFormat.mostImages : ScanFormat.mostFrames) else { return nil }
      if kind == .image { images += 1 } else { frames += 1 }
      records.append(
        ScanReader.Record(kind: kind, number: number, offset: offset, length: next - offset - ScanFormat.headLength))
      offset = next
    }
    guard offset == place.lowerBound else { return nil }
    self.records = records
    end = offset
  }
}
