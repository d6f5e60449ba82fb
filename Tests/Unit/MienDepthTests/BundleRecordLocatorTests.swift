import MienScanFormat
import Testing

private func little64(_ value: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }

/// Encodes an index of records with a correct checksum.
private func index(_ records: [(UInt64, UInt8)]) -> [UInt8] { index(records.flatMap { little64($0.0) + [$0.1] }) }

private func index(_ payload: [UInt8], length: Int? = nil) -> [UInt8] {
  let head = Array("INDX".utf8) + little(0) + little(UInt32(length ?? payload.count))
  return head + little(crc(head + payload)) + payload
}

private func trailer(_ place: UInt64) -> [UInt8] { little64(place) + Array("MSCANEND".utf8) }

@Suite struct `Bundle index validation` {
  /// Offset of the first record.
  private let start = 40

  /// Reports whether a search uses the index of a bundle without other contents, instead of scanning the records.
  private func usesIndex(_ index: [UInt8], count: Int = 1 << 20) throws -> Bool {
    let end = count - 16
    var search = BundleRecordLocator(from: start, in: count)
    #expect(search.wanted == end..<count)
    search.take(trailer(UInt64(end - index.count)))
    try #require(search.wanted == end - index.count..<end)
    search.take(index)
    guard let next = search.wanted else { return true }
    #expect(next == start..<start + 17)
    return false
  }

  @Test func `records of the maximum size are accepted and larger ones rejected`() throws {
    let largest = UInt64(16 + 128 << 20)
    let (second, end) = (40 + largest, 40 + 2 * largest)
    let count = Int(end) + 16 + 18 + 16
    #expect(try usesIndex(index([(40, 1), (second, 2)]), count: count))
    #expect(try !usesIndex(index([(40, 1), (second + 1, 2)]), count: count))
    #expect(try !usesIndex(index([(40, 1), (second - 1, 2)]), count: count))
  }

  @Test func `overlapping, gapped, out-of-range or unknown records are rejected`() throws {
    let end = UInt64(1 << 20 - 16 - (16 + 18))
    let (late, far) = (end - 15, UInt64(1) << 63)
    #expect(try usesIndex(index([(40, 1), (56, 0)])))
    #expect(try usesIndex(index([(40, 1), (end - 16, 0)])))
    for records in [
      [(40, 1), (55, 0)], [(40, 1), (40, 0)], [(40, 1), (0, 0)], [(40, 1), (late, 0)], [(40, 1), (end, 0)],
      [(40, 1), (.max, 0)], [(40, 1), (far, 0)], [(41, 1), (100, 0)], [(39, 1), (100, 0)], [(.max, 1), (100, 0)],
      [(40, 3), (100, 0)], [(40, 1), (100, 255)],
    ] as [[(UInt64, UInt8)]] {
      #expect(try !usesIndex(index(records)), "\(records)")
    }
    #expect(try !usesIndex(index([UInt8]())), "the index does not cover all bytes")
  }

  @Test func `an index that differs from the written format is rejected`() throws {
    var bytes = index([(40, 1), (100, 0), (200, 0)])
    let payload = Array(bytes.dropFirst(16))
    #expect(try usesIndex(bytes))
    #expect(try !usesIndex(index(payload + [0])))
    #expect(try !usesIndex(index(payload, length: 26)))
    #expect(try !usesIndex(Array("FRAM".utf8) + bytes.dropFirst(4)))
    bytes[20] ^= 1
    #expect(try !usesIndex(bytes))
  }

  @Test func `an index with too many frames or images is rejected`() throws {
    for (kind, most) in [(0, 100_000), (2, 1000)] as [(UInt8, Int)] {
      for count in [most, most + 1] {
        let bytes = index((0..<count).map { (UInt64(40 + 16 * $0), kind) })
        let isUsed = try usesIndex(bytes, count: 40 + 16 * count + bytes.count + 16)
        #expect(isUsed == (count == most))
      }
    }
  }

  @Test func `an index that is too long or out of range is not read`() {
    let count = 300 << 20
    let end = UInt64(count - 16)
    for place in [end - 16 - 9 * 101_000 - 1, end - 15, end, 39, 0, 1 << 40, 1 << 63, .max] {
      var search = BundleRecordLocator(from: start, in: count)
      search.take(trailer(place))
      #expect(search.wanted == start..<start + 17, "\(place)")
    }
    var search = BundleRecordLocator(from: start, in: count)
    search.take([1, 2, 3])
    #expect(search.wanted == start..<start + 17)
    search.take([])
    search.take([])
    #expect(search.wanted == nil, "unreadable bytes end the scan")
  }
}
