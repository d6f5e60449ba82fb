import MienCodecs
import MienImaging

/// A JPEG with metadata only: orientation, time with zone, and location, in either byte order.
private func jpeg(isBigEndian: Bool) -> [UInt8] {
  func number(_ value: Int, _ count: Int) -> [UInt8] {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isBigEndian ? bytes.reversed() : bytes
  }
  func directory(_ entries: [(tag: Int, type: Int, count: Int, value: [UInt8])]) -> [UInt8] {
    number(entries.count, 2)
      + entries.flatMap { entry in
        let value = entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
        return number(entry.tag, 2) + number(entry.type, 2) + number(entry.count, 4) + value
      } + number(0, 4)
  }
  func angle(_ degrees: Int, _ minutes: Int, _ seconds: Int) -> [UInt8] {
    [(degrees, 1), (minutes, 1), (seconds, 100)].flatMap { number($0.0, 4) + number($0.1, 4) }
  }
  let sizes = (head: 8, root: 2 + 3 * 12 + 4, camera: 2 + 2 * 12 + 4, place: 2 + 4 * 12 + 4)
  let camera = sizes.head + sizes.root
  let place = camera + sizes.camera
  let values = place + sizes.place
  let moment = Array("2026:11:22 01:58:03\u{0}".utf8)
  let zone = Array("+02:00\u{0}".utf8)
  let (north, east) = (angle(47, 22, 1234), angle(8, 32, 2950))
  let tiff =
    (isBigEndian ? [0x4D, 0x4D, 0, 42] : [0x49, 0x49, 42, 0]) + number(sizes.head, 4)
    + directory([
      (0x0112, 3, 1, number(6, 2)), (0x8769, 4, 1, number(camera, 4)), (0x8825, 4, 1, number(place, 4)),
    ])
    + directory([
      (0x9003, 2, moment.count, number(values, 4)), (0x9011, 2, zone.count, number(values + moment.count, 4)),
    ])
    + directory([
      (1, 2, 2, Array("N\u{0}".utf8)), (2, 5, 3, number(values + moment.count + zone.count, 4)),
      (3, 2, 2, Array("E\u{0}".utf8)),
      (4, 5, 3, number(values + moment.count + zone.count + north.count, 4)),
    ]) + moment + zone + north + east
  let segment = Array("Exif\u{0}\u{0}".utf8) + tiff
  let length = segment.count + 2
  return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + segment + [0xFF, 0xD9]
}

func seeds() -> [[UInt8]] {
  let seeds = [jpeg(isBigEndian: true), jpeg(isBigEndian: false)]
  for seed in seeds {
    let note = ImageProvenanceReader.read(seed)
    promise(note.takenAt == 1_795_305_483_000, "a seed says when it was taken")
    promise(note.latitude == 47.37 && note.longitude == 8.542, "a seed says where it was taken")
  }
  return seeds
}

func fuzz(_ bytes: [UInt8]) {
  let note = ImageProvenanceReader.read(bytes)
  promise((note.latitude == nil) == (note.longitude == nil), "a place has both numbers")
  if let latitude = note.latitude, let longitude = note.longitude {
    promise(abs(latitude) <= 90 && abs(longitude) <= 180, "a place is on the earth")
  }
  if let clock = note.wallClock {
    promise((0..<253_402_300_800_000).contains(clock) && clock % 1000 == 0, "a moment is a second of 1970 to 9999")
  }
  promise(note.aheadOfUTC == nil || note.wallClock != nil, "a zone has a moment")
  promise(abs(note.aheadOfUTC ?? 0) <= 840, "a zone is one of the earth")
}
