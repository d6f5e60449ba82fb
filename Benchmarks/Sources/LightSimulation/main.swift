// Simulates light tasks: faces that a screen lights, recordings, pictures and sunlight, on drift as measured on real clips,
// and prints what each comes to. A model, not a laboratory.

import MienCore
import MienLiveness
import RealModule

let checks = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 20_000

/// A simulated presentation.
struct Scene {
  /// Share of the screen's light in the light on the face.
  var gain: Double
  /// Standard deviation of the drift of the color ratios per half second, and of the noise of a frame.
  var drift: Double
  var noise = 0.004
  /// Gains of forehead, nose, right and left cheek relative to the mean.
  var relief = SIMD4(0.97, 1.14, 0.95, 0.94)
  var frameRate = 15.0
  var fade = 0.15
  /// Delay of the response in seconds.
  var delay = 0.05...0.4
}

/// Normally distributed numbers.
struct Normal {
  var source = SplitMixGenerator(seed: 2026)

  mutating func next() -> Double {
    let (a, b) = (Double.random(in: 0x1p-53...1, using: &source), Double.random(in: 0..<1, using: &source))
    return (-2 * Double.log(a)).squareRoot() * Double.cos(2 * .pi * b)
  }
}

let unit = LightColor.sequence.reduce(0) { $0 + $1.linear.sum() } / Double(3 * LightColor.sequence.count)

func frames(of scene: Scene, showing colors: [LightColor], _ normal: inout Normal) -> [LightFrame] {
  let shown = [.pearl] + colors
  let dwell = LightTask.dwell.inSeconds
  let delay = Double.random(in: scene.delay, using: &normal.source)
  var (drift, frames) = (SIMD2<Double>.zero, [LightFrame]())
  let step = scene.drift * (1 / scene.frameRate / dwell).squareRoot()
  var time = -0.4
  while time < Double(colors.count) * dwell + 0.65 {
    let since = (time - delay) / dwell
    let index = since < 0 ? 0 : min(Int(since) + 1, colors.count)
    let share = index == 0 ? 1 : min((since - Double(index - 1)) * dwell / scene.fade, 1)
    let light = (share * shown[index].linear + (1 - share) * shown[max(index - 1, 0)].linear) / unit
    drift += step * SIMD2(normal.next(), normal.next())
    func part(_ number: Int) -> SIMD3<Float> {
      let sum = SIMD3(repeating: 1.0) + scene.gain * scene.relief[number] * light
      let common = SIMD3(drift.y, 0, drift.x)
      var color = SIMD3<Float>.zero
      for channel in 0..<3 {
        color[channel] = Float(0.2 * sum[channel] * Double.exp(common[channel] + 0.7 * scene.noise * normal.next()))
      }
      return color
    }
    let face = FaceLight(forehead: part(0), nose: part(1), rightCheek: part(2), leftCheek: part(3))
    if let frame = LightFrame(face, after: Float(time)) { frames.append(frame) }
    time += 1 / scene.frameRate
  }
  return frames
}

enum Presentation: String, CaseIterable {
  case genuine, recording, flat
  case unlit = "no light"
}

func simulate(_ presentation: Presentation, _ scene: Scene) -> [LightJudge.Outcome: Int] {
  var (normal, counts, scene) = (Normal(), [LightJudge.Outcome: Int](), scene)
  if presentation == .flat { scene.relief = SIMD4(repeating: 1) }
  if presentation == .unlit { scene.gain = 0 }
  for _ in 0..<checks {
    guard let task = try? LightTask.random(using: &normal.source),
      let other = try? LightTask.random(using: &normal.source)
    else { continue }
    let frames = frames(of: scene, showing: presentation == .recording ? other.colors : task.colors, &normal)
    counts[LightJudge.judge(frames, colors: task.colors).outcome, default: 0] += 1
  }
  return counts
}

func share(_ count: Int?) -> String {
  let percent = (Double(count ?? 0) / Double(checks) * 1_000_000).rounded() / 10_000
  return "\(percent) %"
}

func percent(_ share: Double) -> Double { (share * 1000).rounded() / 10 }

print("\(checks) checks each: passed | failed as foreign | failed as flat | not assessed")
let scenes = [
  (1, 0.013), (0.2, 0.013), (0.1, 0.007), (0.1, 0.013), (0.1, 0.02), (0.1, 0.043), (0.05, 0.013), (0.05, 0.02),
  (0.02, 0.013), (0.02, 0.02),
]
for (gain, drift) in scenes {
  for presentation in Presentation.allCases {
    let counts = simulate(presentation, Scene(gain: gain, drift: drift))
    let unclear = (counts[.unclear] ?? 0) + (counts[.tooFewFrames] ?? 0)
    print(
      "screen \(percent(gain)) %, drift \(percent(drift)) %, \(presentation.rawValue): \(share(counts[.followed])) | "
        + "\(share(counts[.foreign])) | \(share(counts[.flat])) | \(share(unclear))")
  }
}
