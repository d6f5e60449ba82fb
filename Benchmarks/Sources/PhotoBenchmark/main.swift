// What a photograph of 12 megapixels costs, beside libjpeg-turbo's full decode of the same bytes in turns.
//
//   PhotoBenchmark photo [FILE [ROUNDS]]   decode, all checks of a picture, weighing: one line of JSON
//   PhotoBenchmark spectrum [ROUNDS]       the logarithmic spectrum of 512 × 512 pixels: one line of JSON
import CJPEGPeer
import Foundation
import MienAuthenticity
import MienCodecs
import MienImaging

let arguments = CommandLine.arguments

/// Processor times of one round, in milliseconds.
struct Round {
  var peer = 0.0
  var decode = 0.0
  var groups: [CheckGroup: Double] = [:]
  var assemble = 0.0
  var oneCore: Double { decode + groups.values.reduce(0, +) + assemble }
  /// The jobs dealt out to two threads, longest first, as they would run on two cores at rest.
  var twoCores: Double {
    var loads = [0.0, 0.0]
    for time in groups.values.sorted(by: >) {
      loads.sort()
      loads[0] += time
    }
    return decode + loads.max()! + assemble
  }
}

func photo(_ path: String?, rounds: Int) throws {
  let bytes = try Photo.make(from: path)
  let analyser = SceneAnalyser()
  var decoder = try PlanarDecoder()
  var picture = try decoder.sample(bytes, PictureSampling.forChecks)
  var rgb = [UInt8](repeating: 0, count: 3 * picture.width * picture.height)
  var done: [Round] = []
  for _ in 0..<rounds + 2 {
    var round = Round()
    round.peer = Measuring.milliseconds {
      let status = jpeg_peer_decode(bytes, UInt(bytes.count), &rgb, Int32(picture.width), Int32(picture.height))
      precondition(status == 0, "libjpeg-turbo cannot read this")
    }
    round.decode = try Measuring.milliseconds {
      picture = try decoder.sample(bytes, PictureSampling.forChecks)
    }
    var parts: [SceneAnalyser.Part] = []
    for job in analyser.jobs(for: SceneCapture(picture: picture)) {
      round.groups[job.group] = Measuring.milliseconds { parts.append(job.run()) }
    }
    round.assemble = Measuring.milliseconds { _ = analyser.assemble(parts) }
    done.append(round)
  }
  done.removeFirst(2)
  func figure(_ value: (Round) -> Double) -> String { Measuring.text(Measuring.median(done.map(value))) }
  let groups = [CheckGroup.moire, .texture, .artifacts].map { group in
    "\"\(group.rawValue)_ms\":\(figure { $0.groups[group]! })"
  }
  print(
    "{\"megapixels\":\(Measuring.text(Double(picture.width * picture.height) / 1e6)),\"file_bytes\":\(bytes.count),"
      + "\"rgb_decode_ms\":\(figure(\.peer)),\"samples_ms\":\(figure(\.decode)),\(groups.joined(separator: ",")),"
      + "\"assemble_ms\":\(figure(\.assemble)),\"one_core\":\(figure { $0.oneCore / $0.peer }),"
      + "\"two_cores\":\(figure { $0.twoCores / $0.peer }),\"extra_mb\":\(Measuring.text(try memory(bytes)))}")
}

/// The most that taking samples and checking takes above the file's bytes, in megabytes.
func memory(_ bytes: [UInt8]) throws -> Double {
  let analyser = SceneAnalyser()
  var decoder = try PlanarDecoder()
  try Measuring.forgetPeak()
  let before = Measuring.megabytes("VmRSS")
  let picture = try decoder.sample(bytes, PictureSampling.forChecks)
  _ = analyser.analyse(SceneCapture(picture: picture))
  return Measuring.megabytes("VmHWM") - before
}

func spectrum(rounds: Int) {
  let side = 512
  var plane = Plane()
  plane.reshape(width: side, height: side)
  plane.writeSamples { samples in
    for index in samples.indices { samples[index] = UInt8(truncatingIfNeeded: index &* index >> 7 ^ index) }
  }
  var spectrum = TileSpectrum(size: side)
  var times: [Double] = []
  for _ in 0..<rounds + 5 { times.append(Measuring.milliseconds { spectrum.measure(plane, x: 0, y: 0) }) }
  times.removeFirst(5)
  print("{\"spectrum_ms\":\(Measuring.text(Measuring.median(times))),\"fastest_ms\":\(Measuring.text(times.min()!))}")
}

switch arguments.dropFirst().first {
case "photo":
  let path = arguments.count > 2 && arguments[2] != "-" ? arguments[2] : nil
  try photo(path, rounds: arguments.count > 3 ? max(1, Int(arguments[3]) ?? 15) : 15)
case "spectrum":
  spectrum(rounds: arguments.count > 2 ? max(1, Int(arguments[2]) ?? 200) : 200)
default:
  print("usage: PhotoBenchmark photo [FILE|- [ROUNDS]] | spectrum [ROUNDS]")
  exit(64)
}
