// Encodes and decodes depth maps of 256×192: ScanCodecBenchmark FRAMES, a file of u16 samples in millimeters. Prints
// one line of JSON for each coding: bytes per frame, and the median and the minimum time per frame in milliseconds.
import Foundation
import MienScanFormat
import MienReconstruction

enum Measuring {
  static let area = 256 * 192

  static func milliseconds(_ work: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock().now
    try work()
    return (ContinuousClock().now - start) / .milliseconds(1)
  }

  static func line(_ name: String, _ bytes: Int, _ frames: Int, _ coding: [Double], _ decoding: [Double]) {
    func figures(_ times: [Double]) -> String {
      let sorted = times.sorted()
      return String(format: "[%.3f, %.3f]", sorted[sorted.count / 2], sorted[0])
    }
    print(
      "{\"coding\":\"\(name)\",\"bytes\":\(bytes / frames),\"encode_ms\":\(figures(coding)),"
        + "\"decode_ms\":\(figures(decoding))}")
  }

  static func run() throws {
    let data = [UInt8](try Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1])))
    let frames = (0..<data.count / 2 / area).map { frame in
      (0..<area).map { UInt16(data[(frame * area + $0) * 2]) | UInt16(data[(frame * area + $0) * 2 + 1]) << 8 }
    }
    var encoder = DepthEncoder(width: 256, height: 192, micrometersPerStep: 1000)
    var decoder = DepthDecoder(width: 256, height: 192, micrometersPerStep: 1000)
    var (bytes, coding, decoding) = (0, [Double](), [Double]())
    for (number, frame) in frames.enumerated() {
      var coded: [UInt8] = []
      coding.append(milliseconds { coded = encoder.encode(frame, asKey: number % 15 == 0).bytes })
      var back: [UInt16] = []
      decoding.append(try milliseconds { back = try decoder.decode(coded[...]) })
      precondition(back == frame, "what is decoded is what was coded")
      bytes += coded.count
    }
    line("dense", bytes, frames.count, coding, decoding)
    (bytes, coding, decoding) = (0, [], [])
    for frame in frames {
      var coded: [UInt8] = []
      coding.append(milliseconds { coded = FastDepthCodec.encode(frame, width: 256) })
      var back: [UInt16] = []
      decoding.append(try milliseconds { back = try FastDepthCodec.decode(coded[...], width: 256, height: 192) })
      precondition(back == frame, "what is decoded is what was coded")
      bytes += coded.count
    }
    line("quick", bytes, frames.count, coding, decoding)
  }
}

try Measuring.run()
