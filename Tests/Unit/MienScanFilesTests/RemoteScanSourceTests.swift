import MienScanFormat
import MienCore
import MienScanFiles
import Synchronization
import Testing
import MienArchive

/// Bundle with the ranges of its records.
private struct Sample {
  var bytes: [UInt8]
  private(set) var places: [Range<Int>] = []
  /// End of the last record.
  private(set) var end = 0
  /// Range of the image after frame 5.
  private(set) var image = 0..<0

  init(
    frames count: Int, width: Int = 64, height: Int = 48, noise: Int = 4, coding: ScanWriter.Coding = .dense,
    image bytesOfImage: Int = 0, finished: Bool = true
  ) throws {
    let header = try #require(
      ScanHeader(
        device: "iPhone 13 Pro", sensor: .lidar, width: width, height: height, micrometersPerStep: 1000,
        world: .unleveled, clock: .start))
    var seed: UInt64 = 6
    var writer = ScanWriter(header, coding: coding)
    bytes = writer.start()
    for number in 0..<count {
      let depth = (0..<width * height).map { place in
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt16(truncatingIfNeeded: 900 + place % width * 3 + number + Int(seed >> 40) % noise)
      }
      let frame = try #require(
        ScanFrame(
          width: width, height: height, depth: depth, confidence: nil, pose: nil,
          intrinsics: PinholeIntrinsics(fx: 60, fy: 60, cx: 32, cy: 24),
          at: MonotonicInstant(nanoseconds: Int64(number))))
      let start = bytes.count
      bytes += try writer.append(frame)
      places.append(start..<bytes.count)
      if number == 5, bytesOfImage > 0 {
        let content = [UInt8](repeating: 7, count: bytesOfImage)
        bytes += try writer.append(
          try #require(ScanImage(role: .photo, bytes: content, pose: nil, intrinsics: nil, at: nil)))
        image = places[5].upperBound..<bytes.count
      }
    }
    end = bytes.count
    if finished { bytes += writer.finish() }
  }

  /// Returns the key frame that a frame depends on.
  func key(of number: Int) -> Int {
    (0...number).last { bytes[places[$0].lowerBound + 16] & 1 == 1 } ?? 0
  }

  /// Returns the bundle with another index, which has a correct checksum.
  func indexed(_ entries: [(offset: Int, kind: UInt8)]) -> [UInt8] {
    let payload = entries.flatMap { Zip.little($0.offset, 8) + [$0.kind] }
    let head = Array("INDX".utf8) + Zip.little(0, 4) + Zip.little(payload.count, 4)
    let sum = Zip.little(Int(CRC32.of((head + payload)[...])), 4)
    let trailer = Zip.little(end, 8) + Array("MSCANEND".utf8)
    return Array(bytes[..<end]) + head + sum + payload + trailer
  }

  /// Entries of the writer's index.
  var entries: [(offset: Int, kind: UInt8)] { places.map { ($0.lowerBound, bytes[$0.lowerBound + 16] & 1) } }
}

/// Store that records its requests and can fail.
private final class Store: Sendable {
  struct Outage: Error {}

  private let bytes: [UInt8]
  private let requested = Mutex<[Range<Int>]>([])
  private let isOut = Mutex(false)

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func scan() -> RemoteScanSource {
    RemoteScanSource(bytes: bytes.count) { range in
      await Task.yield()
      return try self.read(range)
    }
  }

  private func read(_ range: Range<Int>) throws -> [UInt8] {
    if isOut.withLock({ $0 }) { throw Outage() }
    requested.withLock { $0.append(range) }
    return Array(bytes[range])
  }

  func fail(_ fails: Bool) { isOut.withLock { $0 = fails } }

  /// Returns the requests since the last call.
  func taken() -> [Range<Int>] {
    requested.withLock { requested in
      defer { requested = [] }
      return requested
    }
  }
}

/// Returns the depth of a frame, or the error of reading it.
private func outcome(_ read: () async throws -> ScanFrame?) async throws -> Result<[UInt16]?, ScanError> {
  do { return .success(try await read()?.depth) } catch let error as ScanError { return .failure(error) }
}

@Suite struct `Remote scan bundles` {
  /// Access patterns: forward, backward, repeated and random.
  private let walks: [Int] = Array(0..<40) + (0..<40).reversed() + [7, 33, 12, 13, 14, 14, 39, 0, 15, 15, 31]

  @Test(arguments: ScanWriter.Coding.allCases, [true, false])
  func `frames match those of the complete bundle`(coding: ScanWriter.Coding, finished: Bool) async throws {
    let sample = try Sample(frames: 40, coding: coding, finished: finished)
    let whole = try ScanReader(sample.bytes)
    let depths = try (0..<40).map { try whole.frame(at: $0).depth }
    let scan = Store(sample.bytes).scan()
    for number in walks { #expect(try await scan.frame(at: number)?.depth == depths[number], "frame \(number)") }
    #expect(try await scan.frame(at: 40) == nil)
    #expect(try await scan.frame(at: -1) == nil)
  }

  @Test func `only the records that a frame depends on are read, and only its own for the next frame`() async throws {
    let sample = try Sample(frames: 40)
    let store = Store(sample.bytes)
    let scan = store.scan()
    func requested(for number: Int) async throws -> [Range<Int>] {
      _ = try #require(try await scan.frame(at: number))
      return store.taken()
    }
    func run(to number: Int) -> Range<Int> {
      sample.places[sample.key(of: number)].lowerBound..<sample.places[number].upperBound
    }
    #expect((0..<40).contains(where: { sample.key(of: $0) < $0 }))
    let first = try await requested(for: 20)
    #expect(first.last == run(to: 20))
    // Header, trailer, index with trailer.
    #expect(first.dropLast().map(\.count) == [282, 16, 16 + 9 * 40 + 16])
    for number in 21..<40 { #expect(try await requested(for: number) == [sample.places[number]]) }
    for number in [38, 3, 3, 17, 0] { #expect(try await requested(for: number) == [run(to: number)]) }
    #expect(try await requested(for: 1) == [sample.places[1]])
  }

  @Test func `images between frames are not read`() async throws {
    let sample = try Sample(frames: 12, image: 3 << 20)
    let store = Store(sample.bytes)
    let scan = store.scan()
    for number in [11, 0, 5, 6, 7] { #expect(try await scan.frame(at: number) != nil) }
    let requested = store.taken()
    #expect(requested.allSatisfy { !$0.overlaps(sample.image) })
    #expect(requested.map(\.count).reduce(0, +) < 1 << 20)
  }

  @Test func `reads are limited to 1 MiB regardless of a frame's dependencies`() async throws {
    let sample = try Sample(frames: 15, width: 256, height: 192, noise: 20_000)
    #expect(sample.key(of: 14) == 0 && sample.end > 1 << 20)
    let store = Store(sample.bytes)
    let depth = try ScanReader(sample.bytes).frame(at: 14).depth
    #expect(try await store.scan().frame(at: 14)?.depth == depth)
    let records = store.taken().dropFirst(3)
    #expect(records.count > 1 && records.allSatisfy { $0.count <= 1 << 20 })
    #expect(records.first?.lowerBound == sample.places[0].lowerBound && records.last?.upperBound == sample.end)
    #expect(records.map(\.count).reduce(0, +) == sample.end - sample.places[0].lowerBound)
  }

  @Test func `a bundle without an index is scanned once in reads of 1 MiB`() async throws {
    let sample = try Sample(frames: 30, width: 256, height: 192, coding: .plain, finished: false)
    for bytes in [sample.bytes, Array(sample.bytes.dropLast(5000))] {
      let whole = try ScanReader(bytes)
      let store = Store(bytes)
      let scan = store.scan()
      #expect(try await scan.frame(at: 7)?.depth == whole.frame(at: 7).depth)
      let walked = store.taken()
      #expect(bytes.count > 2 << 20 && walked.allSatisfy { $0.count <= 1 << 20 })
      #expect(walked.map(\.count).reduce(0, +) < 2 * bytes.count)
      for number in 8..<whole.count {
        #expect(try await scan.frame(at: number)?.depth == whole.frame(at: number).depth)
      }
      #expect(store.taken() == Array(sample.places[8..<whole.count]))
      #expect(try await scan.frame(at: whole.count) == nil)
    }
  }

  @Test func `a damaged bundle reports the same errors as a local one`() async throws {
    let sound = try Sample(frames: 40)
    for finished in [true, false] {
      var bytes = finished ? sound.bytes : Array(sound.bytes[..<sound.end])
      for number in [4, 15, 22] { bytes[sound.places[number].lowerBound + 30] ^= 1 }
      let whole = try ScanReader(bytes)
      let scan = Store(bytes).scan()
      for number in walks {
        let found = try await outcome { try await scan.frame(at: number) }
        let expected = try await outcome { try whole.frame(at: number) }
        #expect(found == expected, "frame \(number)")
      }
    }
    for bytes in [[], [1, 2, 3], Array(sound.bytes[..<20])] as [[UInt8]] {
      let scan = Store(bytes).scan()
      let expected = #expect(throws: ScanError.self) { try ScanReader(bytes) }
      for _ in 0..<2 {
        let found = await #expect(throws: ScanError.self) { _ = try await scan.frame(at: 0) }
        #expect(found == expected)
      }
    }
  }

  @Test func `an index that disagrees with the records reports damage there`() async throws {
    let sample = try Sample(frames: 20)
    // One index marks a difference frame as a key frame; the other omits its entry, which merges two records.
    let number = try #require((0..<20).first(where: { sample.key(of: $0) < $0 }))
    var lying = sample.entries
    lying[number].kind = 1
    var missing = sample.entries
    missing.remove(at: number)
    for entries in [lying, missing] {
      let scan = Store(sample.indexed(entries)).scan()
      let wrong = entries.count == 20 ? number : number - 1
      let error = await #expect(throws: ScanError.self) { _ = try await scan.frame(at: wrong) }
      #expect(error == ScanError(.damaged, "", byte: sample.places[wrong].lowerBound, frame: wrong))
    }
    let honest = Store(sample.indexed(sample.entries)).scan()
    let depth = try ScanReader(sample.bytes).frame(at: number).depth
    #expect(try await honest.frame(at: number)?.depth == depth)
  }

  @Test func `a bundle with an invalid index is scanned`() async throws {
    let sample = try Sample(frames: 20)
    let depth = try ScanReader(sample.bytes).frame(at: 19).depth
    for place in [-1, 0, sample.places[3].lowerBound + 15, sample.end, .max] {
      var entries = sample.entries
      entries[4].offset = place
      let scan = Store(sample.indexed(entries)).scan()
      #expect(try await scan.frame(at: 19)?.depth == depth)
    }
  }

  @Test func `a failed read is retried`() async throws {
    let sample = try Sample(frames: 20)
    let depth = try ScanReader(sample.bytes).frame(at: 19).depth
    let store = Store(sample.bytes)
    let scan = store.scan()
    store.fail(true)
    await #expect(throws: Store.Outage.self) { _ = try await scan.frame(at: 3) }
    store.fail(false)
    #expect(try await scan.frame(at: 3) != nil)
    store.fail(true)
    await #expect(throws: Store.Outage.self) { _ = try await scan.frame(at: 19) }
    store.fail(false)
    #expect(try await scan.frame(at: 19)?.depth == depth)
  }

  @Test func `concurrent reads share one opening`() async throws {
    let sample = try Sample(frames: 40)
    let whole = try ScanReader(sample.bytes)
    let depths = try (0..<40).map { try whole.frame(at: $0).depth }
    let store = Store(sample.bytes)
    let scan = store.scan()
    try await withThrowingTaskGroup(of: (Int, [UInt16]?).self) { group in
      for number in 0..<120 {
        group.addTask { (number % 40, try await scan.frame(at: number * 7 % 40)?.depth) }
      }
      for try await (number, depth) in group { #expect(depth == depths[number * 7 % 40]) }
    }
    #expect(store.taken().count(where: { $0.lowerBound == 0 }) == 1)
  }
}
