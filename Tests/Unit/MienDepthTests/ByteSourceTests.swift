import MienScanFormat
import Synchronization
import Testing

/// Byte source that records its accesses.
private final class WatchedBytes: ByteSource {
  private let all: [UInt8]
  private let log = Mutex<(largest: Int, total: Int)>((0, 0))

  init(_ bytes: [UInt8]) { all = bytes }

  var count: Int { all.count }
  var largest: Int { log.withLock { $0.largest } }
  var total: Int { log.withLock { $0.total } }

  func bytes(_ range: Range<Int>) -> [UInt8] {
    log.withLock { $0 = (max($0.largest, range.count), $0.total + range.count) }
    return Array(all[range])
  }
}

/// Encodes a record with a correct checksum.
private func record(_ number: UInt32, _ payload: [UInt8] = []) -> [UInt8] {
  let head = Array("FRAM".utf8) + little(number) + little(UInt32(payload.count))
  return head + little(crc(head + payload)) + payload
}

/// Returns the range of a frame's record; images follow the first two.
private func place(ofFrame number: Int, _ ends: [Int]) -> Range<Int> {
  let start = number < 2 ? 2 * number : number + 2
  return ends[start]..<ends[start + 1]
}

@Suite struct `Incremental bundle reading` {
  @Test(arguments: [true, false])
  func `memory stays within little more than one record`(finished: Bool) throws {
    let example = try Example(frames: 40, width: 64, height: 48)
    let (bytes, ends) = try example.written(.plain, finished: finished)
    let watched = WatchedBytes(bytes)
    let reader = try ScanReader(watched)
    let record = zip(ends, ends.dropFirst()).map { $1 - $0 }.max()
    let largest = try #require(record)
    #expect(bytes.count > 20 * largest)
    // With an index, only headers are read; without one, every byte is read once for its checksum.
    #expect(finished ? watched.total < bytes.count / 10 : watched.total < bytes.count + 50 * 100)
    var cursor = reader.cursor
    var number = 0
    while let frame = try cursor.next() {
      #expect(frame.depth == example.frames[number].depth)
      number += 1
    }
    #expect(number == 40)
    #expect(watched.largest <= largest + 300)
  }
}

@Suite struct `Malicious bundle workload` {
  /// Returns a header without records.
  private func header() throws -> [UInt8] {
    let (bytes, ends) = try Example(frames: 1).written()
    return Array(bytes[..<ends[0]])
  }

  @Test func `nested record headers are not scanned repeatedly`() throws {
    let pairs = 6000
    var bytes = try header()
    for pair in 0..<pairs {
      // A record that spans the rest with a wrong checksum, then a valid empty record.
      bytes += Array("FRAM".utf8) + little(UInt32(pair)) + little(UInt32((pairs - pair) * 32 - 16)) + little(0)
      bytes += record(UInt32(pair))
    }
    let watched = WatchedBytes(bytes)
    let reader = try ScanReader(watched)
    #expect(watched.total < 4 << 20)
    #expect(reader.count > 100 && reader.faults.count <= 1000 && reader.faults.last?.code == .damaged)
  }

  @Test func `records beyond the scan limit are not listed`() throws {
    let bytes = try header() + repeatElement(record(0), count: 101_001).joined()
    let reader = try ScanReader(bytes)
    #expect(reader.count == 1 && reader.faults.map(\.code) == [.tooMuch])
  }

  @Test func `damage in every second frame is skipped`() throws {
    let example = try Example(frames: 201, width: 6, height: 5)
    let (written, ends) = try example.written(.plain, finished: false)
    var bytes = written
    let odd = Array(stride(from: 1, to: 201, by: 2))
    for number in odd { bytes[place(ofFrame: number, ends).lowerBound + 20] ^= 1 }
    let reader = try ScanReader(bytes)
    #expect(reader.faults.compactMap(\.frame) == odd)
    for number in stride(from: 0, to: 201, by: 2) {
      #expect(same(try reader.frame(at: number), example.frames[number]))
    }
  }

  @Test func `frames of a stateless coding are decoded once, key frames or not`() throws {
    let example = try Example(frames: 60, width: 6, height: 5)
    let (written, ends) = try example.written(.quick, finished: false)
    var bytes = written
    for number in 1..<60 {
      let place = place(ofFrame: number, ends)
      var payload = Array(bytes[place].dropFirst(16))
      payload[0] &= ~1
      bytes.replaceSubrange(place, with: record(UInt32(number), payload))
    }
    let watched = WatchedBytes(bytes)
    let reader = try ScanReader(watched)
    let opened = watched.total
    var cursor = reader.cursor
    for frame in example.frames { #expect(same(try #require(try cursor.next()), frame)) }
    // Each record's bytes are read twice, for the checksum and for the contents.
    #expect(watched.total - opened < 3 * bytes.count)
  }

  @Test func `frames that depend on an unreadable frame are not decoded`() throws {
    let example = try Example(frames: 18, width: 6, height: 5)
    let (written, ends) = try example.written()
    var bytes = written
    bytes[place(ofFrame: 2, ends).lowerBound + 20] ^= 1
    let watched = WatchedBytes(bytes)
    let reader = try ScanReader(watched)
    var cursor = reader.cursor
    for number in 0..<2 { #expect(same(try cursor.frame(at: number), example.frames[number])) }
    #expect(throws: ScanError.self) { try cursor.frame(at: 2) }
    let before = watched.total
    for number in 3..<15 {
      let error = #expect(throws: ScanError.self) { try cursor.frame(at: number) }
      #expect(error?.code == .damaged && error?.frame == number && error?.reason.contains("frame 2,") == true)
    }
    #expect(watched.total == before)
    // The next key frame, and back again.
    for number in [15, 16, 1, 17, 0] { #expect(same(try cursor.frame(at: number), example.frames[number])) }
  }

  @Test func `results do not depend on earlier reads`() throws {
    let example = try Example(frames: 2, width: 6, height: 5)
    let (written, ends) = try example.written(finished: false)
    var bytes = written
    let place = place(ofFrame: 1, ends)
    var payload = Array(bytes[place].dropFirst(16))
    try #require(payload[0] & 1 == 0)
    // Marked as a key frame, but encoded as a difference frame.
    payload[0] |= 1
    bytes.replaceSubrange(place, with: record(1, payload))
    var cursor = try ScanReader(bytes).cursor
    #expect(same(try cursor.frame(at: 0), example.frames[0]))
    let error = #expect(throws: ScanError.self) { try cursor.frame(at: 1) }
    #expect(error?.code == .damaged)
  }
}
