import MienTestGenerators
import MienScanFormat
import MienCore
import Testing

@Suite struct ScanBundleTests {
  @Test(arguments: ScanWriter.Coding.allCases, [true, false])
  func `a bundle is read back as written`(coding: ScanWriter.Coding, finished: Bool) throws {
    let example = try Example(frames: 20)
    let reader = try ScanReader(example.written(coding, finished: finished).bytes)
    #expect(reader.header == example.header)
    #expect(reader.isFinished == finished)
    #expect(reader.faults.isEmpty)
    #expect(reader.count == 20)
    var cursor = reader.cursor
    for frame in example.frames { #expect(same(try #require(try cursor.next()), frame)) }
    #expect(try cursor.next() == nil)
    #expect(reader.imageCount == 2)
    for (number, image) in example.images.enumerated() {
      let read = try reader.image(at: number)
      #expect(read.role == image.role && read.bytes == image.bytes && read.pose == image.pose)
      #expect(read.intrinsics == image.intrinsics && read.at == image.at)
    }
    // Random access in any order.
    for number in [19, 3, 16, 0, 14, 15] { #expect(same(try reader.frame(at: number), example.frames[number])) }
  }

  @Test func `every prefix gives the complete frames before the cut or reports a truncated header`() throws {
    let example = try Example(frames: 5, width: 6, height: 5)
    let (bytes, ends) = try example.written()
    let frameEnds = [ends[1], ends[3], ends[5], ends[6], ends[7]]
    for cut in 0..<bytes.count {
      guard cut >= ends[0] else {
        let error = #expect(throws: ScanError.self) { try ScanReader(Array(bytes[..<cut])) }
        #expect(error?.code == (cut == 0 ? .notAScan : .cutShort))
        continue
      }
      let reader = try ScanReader(Array(bytes[..<cut]))
      let whole = frameEnds.filter { $0 <= cut }.count
      #expect(!reader.isFinished)
      #expect(reader.count == whole)
      #expect(reader.wholeLength == ends.last { $0 <= cut })
      for number in 0..<whole { #expect(same(try reader.frame(at: number), example.frames[number])) }
    }
  }

  @Test func `a flipped bit is reported with frame and offset and other frames are read`() throws {
    let example = try Example(frames: 4, width: 6, height: 5)
    let (bytes, ends) = try example.written(.plain)
    // Frame 2 is located between the end of image 1 and its own end.
    for place in ends[4]..<ends[5] {
      var damaged = bytes
      damaged[place] ^= 0x10
      let reader = try ScanReader(damaged)
      let error = #expect(throws: ScanError.self) { try reader.frame(at: 2) }
      #expect(error?.frame == 2)
      if reader.isFinished {
        #expect(error?.code == .damaged && error?.byte == ends[4])
      } else {
        // The index no longer matches the record: the sequential scan reports the position.
        #expect(reader.faults.first?.byte == ends[4] && reader.faults.first?.frame == 2)
      }
      for number in [0, 1, 3] { #expect(same(try reader.frame(at: number), example.frames[number])) }
    }
  }

  @Test func `frames that depend on a damaged one are rejected up to the next key frame`() throws {
    let example = try Example(frames: 18, width: 6, height: 5)
    let (bytes, ends) = try example.written()
    var damaged = bytes
    damaged[ends[8] + 20] ^= 1
    let reader = try ScanReader(damaged)
    #expect(throws: ScanError(.damaged, "", byte: ends[8], frame: 6)) { try reader.frame(at: 6) }
    let after = #expect(throws: ScanError.self) { try reader.frame(at: 7) }
    #expect(after?.frame == 7)
    #expect(same(try reader.frame(at: 5), example.frames[5]))
    #expect(same(try reader.frame(at: 15), example.frames[15]))
  }

  @Test func `writing resumes after a truncated file`() throws {
    let example = try Example(frames: 9)
    let (bytes, ends) = try example.written()
    let cut = try ScanReader(Array(bytes[..<(ends[7] + 11)]))
    var writer = ScanWriter(continuing: cut)
    var file = Array(bytes[..<cut.wholeLength])
    for frame in example.frames[cut.count...] { file += try writer.append(frame) }
    file += writer.finish()
    let reader = try ScanReader(file)
    #expect(reader.isFinished && reader.count == 9 && reader.imageCount == 2)
    for (number, frame) in example.frames.enumerated() { #expect(same(try reader.frame(at: number), frame)) }
  }

  @Test func `a false index is rejected`() throws {
    let example = try Example(frames: 3)
    let (bytes, ends) = try example.written()
    for place in ends[ends.count - 1]..<bytes.count {
      var damaged = bytes
      damaged[place] ^= 0x41
      let reader = try ScanReader(damaged)
      #expect(reader.count == 3 && !reader.isFinished)
      for (number, frame) in example.frames.enumerated() { #expect(same(try reader.frame(at: number), frame)) }
    }
  }

  @Test func `a header with unsupported values is rejected`() throws {
    let (bytes, _) = try Example(frames: 1).written()
    func changed(_ place: Int, _ value: UInt8) -> [UInt8] {
      var header = Array(bytes[..<36])
      header[place] = value
      return header + little(crc(header)) + bytes[40...]
    }
    #expect(crc(Array(bytes[..<36])) == bytes[36..<40].reversed().reduce(0) { $0 << 8 | UInt32($1) })
    for (place, value, code) in [
      (0, 0, ScanError.Code.notAScan), (8, 2, .unsupported), (10, 0, .refused), (11, 0xFF, .refused),
      (14, 0, .refused), (18, 9, .unsupported), (19, 9, .unsupported), (20, 9, .unsupported), (21, 0, .refused),
      (23, 0xFF, .refused),
    ] {
      // A unit of zero requires all of its bytes to be zero.
      var file = changed(place, UInt8(value))
      if place == 14 {
        file[15] = 0
        file = Array(file[..<36]) + little(crc(Array(file[..<36]))) + file[40...]
      }
      let error = #expect(throws: ScanError.self) { try ScanReader(file) }
      #expect(error?.code == code, "byte \(place)")
    }
    var flipped = bytes
    flipped[12] ^= 1
    #expect(throws: ScanError(.damaged, "", byte: 0)) { try ScanReader(flipped) }
  }

  @Test func `large declared counts allocate no memory`() throws {
    let example = try Example(frames: 1)
    let (bytes, ends) = try example.written(finished: false)
    var hostile = Array(bytes[..<ends[0]])
    // A frame numbered 10⁹ with a correct checksum, and one with a declared length of 100 MB.
    let head = Array("FRAM".utf8) + little(1_000_000_000) + little(0)
    hostile += head + little(crc(head))
    hostile += Array("FRAM".utf8) + little(0) + little(100_000_000) + little(0)
    let reader = try ScanReader(hostile)
    #expect(reader.count == 0)
    #expect(reader.faults.first?.byte == ends[0])
  }

  @Test(arguments: 0..<200)
  func `random damage only causes errors`(seed: Int) throws {
    let example = try Example(frames: 4, width: 6, height: 5)
    var bytes = try example.written().bytes
    var generator = SplitMixGenerator(seed: UInt64(seed))
    for _ in 0..<Int.random(in: 1...12, using: &generator) {
      bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
    }
    guard let reader = try? ScanReader(bytes) else { return }
    for number in 0..<reader.count {
      if let frame = try? reader.frame(at: number) { #expect(frame.depth.count == 30) }
    }
    for number in 0..<reader.imageCount { _ = try? reader.image(at: number) }
  }
}

/// Returns the checksum, computed bit by bit.
func crc(_ bytes: [UInt8]) -> UInt32 {
  var sum = UInt32.max
  for byte in bytes {
    sum ^= UInt32(byte)
    for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : (sum >> 1) ^ 0xEDB8_8320 }
  }
  return ~sum
}

func little(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
