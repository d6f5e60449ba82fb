// Measures the creation of a message's GIF, from a loaded sprite sheet and from the PNG file, and the detection of the
// message ID in the pixels. Run it alone, in release mode, with Benchmarks/run-gif.
//
//   AvatarBenchmark SHEET.png REST.png|- OUT.gif
import Foundation
import MienAvatars
import MienCodecs
import MienExpressions
import MienImaging

let arguments = CommandLine.arguments
guard arguments.count == 4 else {
  print("usage: AvatarBenchmark SHEET.png REST.png|- OUT.gif")
  exit(64)
}

func image(_ path: String) throws -> Frame {
  var frame = Frame()
  try PNGDecoder().decode([UInt8](Data(contentsOf: URL(fileURLWithPath: path))), into: &frame)
  return frame
}

func sheet() throws -> SpriteSheet {
  // Background color of the peers' frames.
  try SpriteSheet(
    expressions: image(arguments[1]), rest: arguments[2] == "-" ? nil : image(arguments[2]),
    background: Pixel(red: 235, green: 242, blue: 250))
}

/// Processor time of this process in milliseconds, which is less affected by other processes.
func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

/// Median time in milliseconds.
func median(of count: Int, _ work: () throws -> Void) rethrows -> Double {
  let clock = ContinuousClock()
  var times: [Double] = []
  for _ in 0..<count {
    let start = clock.now
    try work()
    times.append((clock.now - start) / .milliseconds(1))
  }
  return times.sorted()[count / 2]
}

var generator = SystemRandomNumberGenerator()
let sequence = try ExpressionSequence(text: "tongue_out,surprise,wink_r,smile,smooch")
let loaded = try sheet()
let gif = loaded.animation(of: sequence, code: MessageID(using: &generator))
try Data(gif).write(to: URL(fileURLWithPath: arguments[3]))
let warm = median(of: 201) { _ = loaded.animation(of: sequence, code: MessageID(using: &generator)) }
let cold = try median(of: 21) { _ = try sheet().animation(of: sequence, code: MessageID(using: &generator)) }
let began = processorTime()
for _ in 0..<21 { _ = try sheet().animation(of: sequence, code: MessageID(using: &generator)) }
let coldProcessor = (processorTime() - began) / 21
let reader = MessageIDDetector()
let last = try GIFReader(gif).lastImage()
guard case .pixels = reader.read(last) else { fatalError("the number is not read back") }
let read = median(of: 201) { _ = reader.read(last) }
let whole = try median(of: 21) { _ = try GIFReader(gif).lastImage() }
print(
  String(
    format:
      "{\"bytes\":%d,\"loaded_ms\":%.3f,\"cold_ms\":%.2f,\"cold_processor_ms\":%.2f,\"id_from_pixels_ms\":%.3f,\"decode_ms\":%.2f}",
    gif.count,
    warm, cold, coldProcessor, read, whole))
