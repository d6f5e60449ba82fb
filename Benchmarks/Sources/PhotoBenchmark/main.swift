// Cost of analyzing a photo of 12 megapixels, alternating with libjpeg-turbo's full decode of the same bytes.
//
//   PhotoBenchmark photo [FILE [ROUNDS]]   decoding, all image checks, fusion of scores: one line of JSON
//   PhotoBenchmark spectrum [ROUNDS]       logarithmic spectrum of 512 × 512 pixels: one line of JSON
import CJPEGPeer
import Foundation
import MienAuthenticity
import MienCodecs
import MienImaging

let arguments = CommandLine.arguments

/// Processor times of one round in milliseconds.
struct Round {
  var peer = 0.0
  var decode = 0.0
  /// Tiles in order of arrival: time when the tile was ready, since the start of decoding, and cost of measuring it.
  var tiles: [(ready: Double, cost: Double)] = []
  var groups: [CheckGroup: Double] = [:]
  /// Remaining cost of the moire and texture checks after all tiles are measured.
  var rest: [CheckGroup: Double] = [:]
  var assemble = 0.0
  var oneCore: Double { decode + groups.values.reduce(0, +) + assemble }
  /// Estimated time on two idle cores: one decodes, the other measures finished tiles; tiles not begun when decoding
  /// ends belong to the jobs of moire and texture. Then the jobs are distributed, longest first.
  var twoCores: Double {
    var (second, measured) = (0.0, 0)
    for tile in tiles {
      let start = max(second, tile.ready)
      guard start < decode else { break }
      second = start + tile.cost
      measured += 1
    }
    var jobs = groups
    let left = Double(tiles.count - measured) / Double(max(tiles.count, 1))
    for (group, rest) in rest { jobs[group] = rest + ((jobs[group] ?? rest) - rest) * left }
    var loads = [0.0, 0.0]
    for time in jobs.values.sorted(by: >) {
      loads.sort()
      loads[0] += time
    }
    return max(decode, second) + loads.max()! + assemble
  }
}

func photo(_ path: String?, rounds: Int) async throws {
  let bytes = try Photo.make(from: path)
  let analyzer = CaptureAnalyzer()
  var decoder = try YCbCrDecoder()
  var image = try decoder.sample(bytes, SamplingPlan.forChecks)
  var rgb = [UInt8](repeating: 0, count: 3 * image.width * image.height)
  var done: [Round] = []
  var walls: (peer: [Double], ours: [Double]) = ([], [])
  func peer() {
    let status = jpeg_peer_decode(bytes, UInt(bytes.count), &rgb, Int32(image.width), Int32(image.height))
    precondition(status == 0, "libjpeg-turbo cannot read this")
  }
  for _ in 0..<rounds + 2 {
    var round = Round()
    round.peer = Measuring.milliseconds(peer)
    var early: [(Double, YCbCrImage)] = []
    early.reserveCapacity(16)
    let start = Measuring.processorTime()
    image = try decoder.sample(bytes, SamplingPlan.forChecks) {
      early.append((Measuring.processorTime() - start, $0))
    }
    round.decode = Measuring.processorTime() - start
    var parts: [CaptureAnalyzer.Part] = []
    for job in analyzer.jobs(for: CaptureInput(image: image)) {
      round.groups[job.group] = Measuring.milliseconds { parts.append(job.run()) }
    }
    round.assemble = Measuring.milliseconds { _ = analyzer.assemble(parts) }
    var meter = StreamingTileMeasurer()
    var scene = CaptureInput(image: image)
    for (ready, tile) in early {
      round.tiles.append((ready, Measuring.milliseconds { scene.tiles += meter.read(tile).map { [$0] } ?? [] }))
    }
    for job in analyzer.jobs(for: scene) where job.group == .moire || job.group == .texture {
      round.rest[job.group] = Measuring.milliseconds { _ = job.run() }
    }
    done.append(round)
    walls.peer.append(Measuring.wall(peer))
    let clock = ContinuousClock()
    let before = clock.now
    _ = try await TwoCores.analyze(bytes)
    walls.ours.append((clock.now - before) / .milliseconds(1))
  }
  done.removeFirst(2)
  func figure(_ value: (Round) -> Double) -> String { Measuring.text(Measuring.median(done.map(value))) }
  let groups = [CheckGroup.moire, .texture, .artifacts].map { group in
    "\"\(group.rawValue)_ms\":\(figure { $0.groups[group]! })"
  }
  print(
    "{\"megapixels\":\(Measuring.text(Double(image.width * image.height) / 1e6)),\"file_bytes\":\(bytes.count),"
      + "\"rgb_decode_ms\":\(figure(\.peer)),\"samples_ms\":\(figure(\.decode)),\(groups.joined(separator: ",")),"
      + "\"assemble_ms\":\(figure(\.assemble)),"
      + "\"moire_rest_ms\":\(figure { $0.rest[.moire]! }),\"texture_rest_ms\":\(figure { $0.rest[.texture]! }),"
      + "\"one_core\":\(figure { $0.oneCore / $0.peer }),\"two_cores\":\(figure { $0.twoCores / $0.peer }),"
      + "\"two_cores_wall\":\(Measuring.text(walls.ours.min()! / walls.peer.min()!)),"
      + "\"extra_mb\":\(Measuring.text(try memory(bytes)))}")
}

/// Returns the peak memory of sampling and analysis beyond the file's bytes, in megabytes.
func memory(_ bytes: [UInt8]) throws -> Double {
  let analyzer = CaptureAnalyzer()
  var decoder = try YCbCrDecoder()
  try Measuring.forgetPeak()
  let before = Measuring.megabytes("VmRSS")
  let image = try decoder.sample(bytes, SamplingPlan.forChecks)
  _ = analyzer.analyze(CaptureInput(image: image))
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
  try await photo(path, rounds: arguments.count > 3 ? max(1, Int(arguments[3]) ?? 15) : 15)
case "spectrum":
  spectrum(rounds: arguments.count > 2 ? max(1, Int(arguments[2]) ?? 200) : 200)
default:
  print("usage: PhotoBenchmark photo [FILE|- [ROUNDS]] | spectrum [ROUNDS]")
  exit(64)
}
