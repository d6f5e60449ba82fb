import MienScanFormat
import MienReconstruction
import MienCore

func seeds() -> [[UInt8]] {
  guard
    let header = ScanHeader(
      device: "a", sensor: .lidar, width: 8, height: 6, micrometersPerStep: 1000, world: .yUp, clock: .boot)
  else { fatalError("the seed's header is good") }
  return ScanWriter.Coding.allCases.map { coding in
    var writer = ScanWriter(header, coding: coding)
    var bytes = writer.start()
    for number in 0..<3 {
      guard
        let frame = ScanFrame(
          width: 8, height: 6, depth: (0..<48).map { UInt16(900 + $0 * 3 + number) },
          confidence: [UInt8](repeating: 2, count: 48), pose: .identity,
          intrinsics: PinholeIntrinsics(fx: 6, fy: 6, cx: 4, cy: 3), at: MonotonicInstant(nanoseconds: Int64(number))),
        let record = try? writer.append(frame)
      else { fatalError("the seed's frames are good") }
      bytes += record
    }
    return bytes + writer.finish()
  }
}

func fuzz(_ bytes: [UInt8]) {
  var decoder = DepthDecoder(width: 8, height: 6, micrometersPerStep: 1000)
  if let map = try? decoder.decode(bytes[...]) { promise(map.count == 48, "a map has all its samples") }
  if let map = try? FastDepthCodec.decode(bytes[...], width: 8, height: 6) {
    promise(map.count == 48, "a map has all its samples")
  }
  guard let reader = try? ScanReader(bytes) else { return }
  promise(reader.wholeLength <= bytes.count, "records lie within the bytes")
  // Large inputs take long and cover no new code.
  guard reader.header.area <= 4096, reader.count <= 64 else { return }
  var cursor = reader.cursor
  for number in 0..<reader.count {
    guard let frame = try? cursor.frame(at: number) else { continue }
    promise(frame.depth.count == reader.header.area, "a frame is of the header's size")
  }
  for number in 0..<reader.imageCount { _ = try? reader.image(at: number) }
}
