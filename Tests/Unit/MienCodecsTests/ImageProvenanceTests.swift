import MienCodecs
import MienImaging
import Testing

/// EXIF for tests: three directories, and a JPEG header with them.
struct ExampleEXIF {
  var time: String? = "2026:11:22 01:58:03"
  var zone: String? = "+02:30"
  var latitude: [UInt32]? = [52, 1, 31, 1, 1234, 100]
  var sides = ("N", "W")
  var bigEndian = true

  private func number(_ value: Int, _ count: Int) -> [UInt8] {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return bigEndian ? bytes.reversed() : bytes
  }

  /// Encodes entries of tag, type, count and value; values longer than four bytes are stored after the directory.
  private func directory(_ entries: [(tag: Int, type: Int, count: Int, value: [UInt8])], at start: Int) -> [UInt8] {
    var (out, behind) = (number(entries.count, 2), [UInt8]())
    let after = start + 2 + entries.count * 12 + 4
    for entry in entries {
      out += number(entry.tag, 2) + number(entry.type, 2) + number(entry.count, 4)
      if entry.value.count <= 4 {
        out += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
      } else {
        out += number(after + behind.count, 4)
        behind += entry.value
      }
    }
    return out + number(0, 4) + behind
  }

  private func text(_ tag: Int, _ text: String?) -> [(tag: Int, type: Int, count: Int, value: [UInt8])] {
    text.map { [(tag, 2, $0.utf8.count + 1, Array($0.utf8) + [0])] } ?? []
  }

  private func angle(_ tag: Int, _ parts: [UInt32]) -> (tag: Int, type: Int, count: Int, value: [UInt8]) {
    (tag, 5, parts.count / 2, parts.flatMap { number(Int($0), 4) })
  }

  /// The directories, from the TIFF header on.
  var tiff: [UInt8] {
    let (camera, gps) = (100, 300)
    var tiff: [UInt8] = bigEndian ? [0x4D, 0x4D, 0, 42] : [0x49, 0x49, 42, 0]
    tiff += number(8, 4)
    tiff += directory([(0x8769, 4, 1, number(camera, 4)), (0x8825, 4, 1, number(gps, 4))], at: 8)
    tiff += [UInt8](repeating: 0, count: camera - tiff.count)
    tiff += directory(text(0x9003, time) + text(0x9011, zone), at: camera)
    tiff += [UInt8](repeating: 0, count: gps - tiff.count)
    if let latitude {
      tiff += directory(
        text(1, sides.0) + [angle(2, latitude)] + text(3, sides.1) + [angle(4, [13, 1, 24, 1, 0, 1])], at: gps)
    }
    return tiff
  }

  var jpeg: [UInt8] {
    let content = Array("Exif".utf8) + [0, 0] + tiff
    return [0xFF, 0xD8, 0xFF, 0xE1] + [UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 255)] + content
      + [0xFF, 0xDA, 0, 2]
  }
}

@Suite struct `Image provenance` {
  @Test(arguments: [true, false]) func `both byte orders are read`(bigEndian: Bool) throws {
    let note = ImageProvenanceReader.read(ExampleEXIF(bigEndian: bigEndian).jpeg)
    #expect(note.wallClock == 1_795_312_683_000 && note.aheadOfUTC == 150)
    #expect(note.takenAt == Int64(1_795_303_683_000))
    let (latitude, longitude) = (try #require(note.latitude), try #require(note.longitude))
    // 52° 31′ 12.34″ and 13° 24′, to thousandths.
    #expect(abs(latitude - 52.52) < 1e-9 && abs(longitude + 13.4) < 1e-9)
    #expect("\(note)" == "ImageProvenance(withheld)")
  }

  @Test func `a time without a zone is a local time and a zone without a time is ignored`() {
    let note = ImageProvenanceReader.read(ExampleEXIF(zone: nil, latitude: nil).jpeg)
    #expect(note.wallClock != nil && note.aheadOfUTC == nil && note.takenAt == nil && note.latitude == nil)
    #expect(ImageProvenanceReader.read(ExampleEXIF(time: nil, latitude: nil).jpeg).isEmpty)
  }

  @Test(arguments: [
    "2026:02:29 01:58:03", "2026:13:01 01:58:03", "2026:00:01 01:58:03", "2026:01:00 01:58:03", "2026:01:01 24:58:03",
    "2026:01:01 01:60:03", "1969:01:01 01:58:03", "    :  :     :  :  ", "0000:00:00 00:00:00", "2026-01-01T00:00:00Z",
    "",
    "2026:01:01 01:58:03 and more", "2026:1:01 01:58:003",
  ])
  func `an invalid date is ignored`(time: String) {
    let note = ImageProvenanceReader.read(ExampleEXIF(time: time).jpeg)
    #expect(note.wallClock == nil && note.aheadOfUTC == nil && note.latitude != nil)
  }

  @Test(arguments: ["2024:02:29 00:00:00", "2000:02:29 23:59:59", "1970:01:01 00:00:00", "9999:12:31 23:59:59"])
  func `leap days and the calendar's bounds are valid dates`(time: String) {
    #expect(ImageProvenanceReader.read(ExampleEXIF(time: time).jpeg).wallClock != nil)
  }

  @Test(arguments: ["+15:00", "+02:60", "02:00", "+2:00", "+14:30", "*02:00"])
  func `an invalid zone is ignored`(zone: String) {
    let note = ImageProvenanceReader.read(ExampleEXIF(zone: zone).jpeg)
    #expect(note.wallClock != nil && note.aheadOfUTC == nil)
  }

  @Test func `an invalid location is ignored`() {
    for latitude: [UInt32] in [[91, 1, 0, 1, 0, 1], [52, 0, 0, 1, 0, 1], [52, 1], [90, 1, 0, 1, 1, 1]] {
      #expect(ImageProvenanceReader.read(ExampleEXIF(latitude: latitude).jpeg).latitude == nil, "\(latitude)")
    }
    #expect(ImageProvenanceReader.read(ExampleEXIF(sides: ("E", "N")).jpeg).latitude == nil)
    #expect(ImageProvenanceReader.read(ExampleEXIF(sides: ("S", "E")).jpeg).latitude.map { $0 < 0 } == true)
  }

  @Test func `truncation or damage anywhere loses values and never changes them`() {
    let whole = ExampleEXIF().jpeg
    for end in 0..<whole.count {
      let note = ImageProvenanceReader.read(Array(whole[..<end]))
      #expect(note.isEmpty || note == ImageProvenanceReader.read(whole))
    }
    for offset in whole.indices.dropFirst(6) {
      for value: UInt8 in [0x7F, 0xFF] {
        var bytes = whole
        bytes[offset] = value
        let note = ImageProvenanceReader.read(bytes)
        #expect(note.latitude.map { abs($0) <= 90 } != false && note.aheadOfUTC.map { abs($0) <= 840 } != false)
      }
    }
    #expect(ImageProvenanceReader.read([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]).isEmpty)
  }
}
