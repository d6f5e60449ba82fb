import MienDepth
import Synchronization
import Testing

/// Bytes that note what was asked for.
private final class WatchedBytes: ScanBytes {
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

@Suite struct `Bundles are read piece by piece` {
  @Test(arguments: [true, false])
  func `never much more than a record at a time`(finished: Bool) throws {
    let example = try Example(frames: 40, width: 64, height: 48)
    let (bytes, ends) = try example.written(.plain, finished: finished)
    let watched = WatchedBytes(bytes)
    let reader = try ScanReader(watched)
    let record = zip(ends, ends.dropFirst()).map { $1 - $0 }.max()
    let largest = try #require(record)
    #expect(bytes.count > 20 * largest)
    // With an index only heads are looked at; without one, every byte once for its checksum.
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
