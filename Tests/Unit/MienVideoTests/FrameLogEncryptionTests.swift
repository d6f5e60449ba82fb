import Foundation
import MienCore
import MienTestSupport
import Testing

@testable import MienVideo

@Sendable private func unguessable(_ count: Int) -> [UInt8] {
  var generator = SystemRandomNumberGenerator()
  return (0..<count).map { _ in .random(in: 0...255, using: &generator) }
}

/// Encryption of frame logs at rest.
@Suite struct `Encrypted frame logs` {
  private static let head = 72
  private static let around = 40

  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "mien-encrypted-frame-logs-\(UUID())")
  private let id: CheckID
  private let other: CheckID

  init() throws {
    id = try #require(CheckID("chk_1"))
    other = try #require(CheckID("chk_2"))
  }

  /// Opens the folder without cached state, as after a restart.
  private func open(keyring byte: UInt8 = 1) throws -> FrameLogStore {
    try FrameLogStore(folder.path, keyring: try sampleKeyring(byte), random: unguessable)
  }

  /// Returns a frame that begins like a JPEG; it is not decoded.
  private func frame(_ number: Int, _ count: Int = 20) -> EncodedFrame {
    EncodedFrame(
      bytes: [0xFF, 0xD8] + unguessable(count), at: MonotonicInstant(nanoseconds: Int64(number) * 66_000_000))
  }

  private func record(_ frames: [EncodedFrame], _ frameLogs: FrameLogStore, _ id: CheckID) async throws {
    for frame in frames { try await frameLogs.record(frame, of: id) }
  }

  private func read(_ frameLogs: FrameLogStore, _ id: CheckID) throws -> [EncodedFrame] {
    var reader = try frameLogs.reader(of: id)
    var found: [EncodedFrame] = []
    while let frame = try reader.next() { found.append(frame) }
    return found
  }

  /// Reads a frame log, or returns `nil` if that fails with an error that does not identify the check or the image.
  private func readOrRefused(_ frameLogs: FrameLogStore, _ id: CheckID) throws -> [EncodedFrame]? {
    do {
      return try read(frameLogs, id)
    } catch let error as VideoError {
      #expect(error.reason.contains("data folder") && !error.reason.contains("chk"))
      #expect(!error.reason.contains { $0.isNumber })
      return nil
    }
  }

  private func file(_ id: CheckID) -> URL { folder.appendingPathComponent("\(id.text).framelog") }
  private func raw(_ id: CheckID) throws -> [UInt8] { [UInt8](try Data(contentsOf: file(id))) }
  private func put(_ bytes: some Collection<UInt8>, _ id: CheckID) throws { try Data(bytes).write(to: file(id)) }

  /// Splits a file into records by their lengths.
  private func records(_ raw: [UInt8]) -> [ArraySlice<UInt8>] {
    var (rest, found): (ArraySlice<UInt8>, [ArraySlice<UInt8>]) = (raw[Self.head...], [])
    while rest.count > Self.around {
      let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) } + Self.around
      found.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return found
  }

  private func expect(
    _ found: [EncodedFrame]?, are frames: [EncodedFrame], _ comment: Comment? = nil,
    at place: SourceLocation = #_sourceLocation
  ) {
    #expect(found?.map(\.bytes) == frames.map(\.bytes), comment, sourceLocation: place)
    #expect(found?.map(\.at) == frames.map(\.at), comment, sourceLocation: place)
  }

  // MARK: - Operations

  @Test func `frames are read back and are unreadable on disk`() async throws {
    let frames = [0, 18, 5000, 70_000, 300_000].enumerated().map { frame($0.offset, $0.element) }
    let frameLogs = try open()
    // Alternating, as with concurrent checks.
    for frame in frames {
      try await frameLogs.record(frame, of: id)
      try await frameLogs.record(frame, of: other)
    }
    for frameLogs in [frameLogs, try open()] {
      for id in [id, other] { expect(try read(frameLogs, id), are: frames) }
    }
    let (one, two) = (try raw(id), try raw(other))
    let size = Self.head + frames.map { $0.bytes.count + Self.around }.reduce(0, +)
    #expect(one.count == size && two.count == size)
    #expect(try FileManager.default.attributesOfItem(atPath: file(id).path)[.posixPermissions] as? Int == 0o600)
    for noise in [Data(one), Data(two)] {
      for bytes in frames.map(\.bytes) where bytes.count > 16 {
        for place in stride(from: 0, to: bytes.count - 16, by: 997) {
          #expect(noise.range(of: Data(bytes[place..<place + 16])) == nil)
        }
      }
    }
    #expect(one[12..<Self.head] != two[12..<Self.head], "each log has its own key")
    let nonces = (records(one) + records(two)).map { Array($0.dropFirst(12).prefix(12)) }
    #expect(nonces.count == 10 && Set(nonces).count == 10)
  }

  // MARK: - Crashes

  @Test func `only a truncated frame is lost and recording continues after the previous one`() async throws {
    let (kept, lost, next) = ([frame(0), frame(1)], frame(2), frame(3))
    let first = try open()
    try await record(kept + [lost], first, id)
    let whole = try raw(id)
    let end = whole.count - (lost.bytes.count + Self.around)
    for cut in end..<whole.count {
      // In a new process, or in the same one.
      for again in [try open(), first] {
        try put(whole[..<cut], id)
        expect(try read(again, id), are: kept, "\(cut) of \(whole.count)")
        try await again.record(next, of: id)
        expect(try read(try open(), id), are: kept + [next], "\(cut) of \(whole.count)")
        #expect(try raw(id).count == whole.count)
      }
    }
  }

  @Test func `a log without a complete frame is empty and restarts`() async throws {
    let next = frame(1)
    try await record([frame(0)], try open(), id)
    let whole = try raw(id)
    for cut in 0..<whole.count {
      try put(whole[..<cut], id)
      let again = try open()
      expect(try read(again, id), are: [])
      if cut.isMultiple(of: 37) {
        await #expect(throws: VideoError.self) { _ = try await again.encodedClip(id) }
      }
      try await record([next], again, id)
      expect(try read(try open(), id), are: [next], "\(cut) of \(whole.count)")
      let now = try raw(id)
      #expect(now.count == whole.count && now[12..<Self.head] != whole[12..<Self.head])
    }
  }

  @Test(arguments: [1, 11, 12, 13, 40, 5000])
  func `recording continues before trailing garbage of the file system`(count: Int) async throws {
    let (kept, next) = ([frame(0), frame(1)], frame(2))
    try await record(kept, try open(), id)
    let whole = try raw(id)
    for byte in [UInt8(0), 0xFF] {
      try put(whole + [UInt8](repeating: byte, count: count), id)
      let again = try open()
      expect(try read(again, id), are: kept)
      try await record([next], again, id)
      expect(try read(try open(), id), are: kept + [next])
    }
  }

  // MARK: - Tampering

  @Test func `a changed byte is detected`() async throws {
    let frames = [frame(0), frame(1), frame(2)]
    try await record(frames, try open(), id)
    let whole = try raw(id)
    for place in whole.indices {
      for bit in [UInt8(1), 0x80] {
        var changed = whole
        changed[place] ^= bit
        try put(changed, id)
        // A record with a larger declared length is incomplete and counts as truncated.
        guard let found = try readOrRefused(try open(), id) else { continue }
        #expect((Self.head..<whole.count).contains(place), "a log with a changed header is not readable: byte \(place)")
        #expect(found.count < frames.count, "byte \(place)")
        expect(found, are: Array(frames.prefix(found.count)), "byte \(place)")
      }
    }
    try put(whole, id)
    expect(try read(try open(), id), are: frames)
  }

  @Test func `reordered, mixed, duplicated or moved frames are detected`() async throws {
    let frames = (0..<4).map { frame($0) }
    let frameLogs = try open()
    try await record(frames, frameLogs, id)
    try await record(frames, frameLogs, other)
    let (one, two) = (try raw(id), try raw(other))
    let (head, own, strange) = (one[..<Self.head], records(one), records(two))
    #expect(own.count == 4 && own.joined().count == one.count - Self.head)
    let spoiled: [[ArraySlice<UInt8>]] = [
      [own[0], own[2], own[1], own[3]], [own[1], own[0], own[2], own[3]], [own[1], own[2], own[3]],
      [own[0], own[2], own[3]], [own[0], own[0], own[1], own[2], own[3]], [own[0], strange[1], own[2], own[3]],
      strange, [strange[0], own[1], own[2], own[3]],
    ]
    for (number, records) in spoiled.enumerated() {
      try put(head + records.joined(), id)
      #expect(try readOrRefused(try open(), id) == nil, "\(number)")
      let refused = await #expect(throws: VideoError.self, "\(number)") { _ = try await open().encodedClip(id) }
      #expect(refused?.reason.contains("cannot be decrypted") == true)
    }
    // Without the last record it is shorter, which cannot be detected.
    try put(head + own[..<3].joined(), id)
    expect(try read(try open(), id), are: Array(frames.prefix(3)))
    // Another log's file, another header, another key: without the key, the file stays unchanged.
    for file in [two, Array(two[..<Self.head] + one[Self.head...])] {
      try put(file, id)
      let again = try open()
      #expect(try readOrRefused(again, id) == nil)
      await #expect(throws: VideoError.self) { try await again.record(frames[0], of: id) }
      #expect(try raw(id) == file)
    }
    try put(one, id)
    #expect(try readOrRefused(try open(keyring: 2), id) == nil)
    expect(try read(try open(), id), are: frames)
  }

  // MARK: - Key rotation

  @Test func `logs in progress continue after a key rotation and stay readable for two days`() async throws {
    let rotation = try await KeyRotationFixture()
    let frames = (0..<4).map { frame($0) }
    let before = try FrameLogStore(folder.path, keyring: rotation.before, random: unguessable)
    try await record(Array(frames[..<2]), before, id)
    let during = try FrameLogStore(folder.path, keyring: rotation.during, random: unguessable)
    expect(try read(during, id), are: Array(frames[..<2]))
    try await during.record(frames[2], of: id)
    try await during.record(frames[0], of: other)
    let after = try FrameLogStore(folder.path, keyring: rotation.after, random: unguessable)
    try await after.record(frames[3], of: id)
    expect(try read(after, id), are: frames)
    expect(try read(after, other), are: [frames[0]])
    #expect(try readOrRefused(before, other) == nil, "the old keyring does not decrypt logs under the new key")
    let late = try FrameLogStore(folder.path, keyring: rotation.late, random: unguessable)
    #expect(try readOrRefused(late, id) == nil)
    expect(try read(late, other), are: [frames[0]])
  }

  // MARK: - Temporary clip files

  @Test func `no video draft remains on disk and those left by a crash are deleted at startup`() async throws {
    try await record([frame(0)], try open(), id)
    let drafts = [try ClipOutputFile(of: folder), try ClipOutputFile(of: folder)]
    let elsewhere = folder.appendingPathComponent("elsewhere", isDirectory: true)
    try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
    let strange = try ClipOutputFile(of: elsewhere)
    defer { strange.remove() }
    let hasMemory = FileManager.default.isWritableFile(atPath: "/dev/shm")
    for draft in drafts + [strange] {
      #expect(draft.file.path.hasPrefix("/dev/shm/") == hasMemory)
      #expect(try FileManager.default.attributesOfItem(atPath: draft.file.path)[.posixPermissions] as? Int == 0o600)
    }
    drafts[0].remove()
    #expect(FileManager.default.fileExists(atPath: drafts[1].file.path))
    _ = try open()
    #expect(drafts.allSatisfy { !FileManager.default.fileExists(atPath: $0.file.path) })
    #expect(FileManager.default.fileExists(atPath: strange.file.path), "files of other servers remain")
    #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) == ["chk_1.framelog", "elsewhere"])
  }
}

@Suite struct `Video timeline` {
  /// Returns the frame shown at each step, for frames at these times in seconds.
  private func shown(_ seconds: [Double]) -> [Int] {
    let times = seconds.map { MonotonicInstant(nanoseconds: Int64($0 * 1e9)) }
    var (steps, shown) = (ConstantFrameRateResampler(from: times[0]), [Int]())
    for (index, time) in times.enumerated().dropFirst() where !steps.isFull {
      shown += Array(repeating: index - 1, count: steps.steps(until: time))
    }
    return shown + Array(repeating: times.count - 1, count: steps.lastSteps())
  }

  @Test func `each step shows the latest frame`() {
    #expect(shown([7]) == [0])
    #expect(shown([0, 0.2]) == [0, 0, 0, 1])
    #expect(shown([7, 7.25]) == [0, 0, 0, 0])
    #expect(shown((0..<5).map { Double($0) / 15 }) == [0, 1, 2, 3, 4])
    #expect(shown([0, 0.01, 0.02, 0.07]) == [0, 2])
    #expect(shown([0, 0, 0]) == [2])
  }

  @Test func `a clock reset continues the timeline and videos end after three minutes`() {
    #expect(shown([5, 1, 2]) == Array(repeating: 1, count: 15) + [2])
    #expect(shown([0, 100, 500, 501]) == Array(repeating: 0, count: 1500) + Array(repeating: 1, count: 1201))
  }
}
