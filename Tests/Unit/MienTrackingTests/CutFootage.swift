import Foundation
import MienCodecs
import MienCore
import MienImaging
import MienLiveness
import Testing

/// One person's real clips with what the tracker saw in them, played as checks: whole, or cut at the prompts as a program would.
struct CutFootage {
  /// One frame of a clip.
  struct Shot {
    /// Luma at a third of the size.
    let luma: [Float]
    let observation: FaceObservation
  }

  /// The way in which a program cuts.
  struct Cut {
    /// Number of random frames of which the one with the most similar picture is cut to.
    var candidates = 20
    /// `true` if the recording is shifted, turned and scaled so that the face continues where it was.
    var fits: Bool
    /// Number of frames between the prompt and the cut, less one.
    var late = 0
  }

  /// Similarity transformation of points in pixels: a rotation and scale, and a shift, as complex numbers.
  private struct Placement {
    var turn = SIMD2<Float>(1, 0)
    var shift = SIMD2<Float>.zero

    func callAsFunction(_ point: SIMD2<Float>) -> SIMD2<Float> { Self.product(turn, point) + shift }

    func inverse(_ point: SIMD2<Float>) -> SIMD2<Float> {
      Self.product(SIMD2(turn.x, -turn.y), point - shift) / (turn * turn).sum()
    }

    static func product(_ one: SIMD2<Float>, _ other: SIMD2<Float>) -> SIMD2<Float> {
      SIMD2(one.x * other.x - one.y * other.y, one.x * other.y + one.y * other.x)
    }

    /// Least squares (Umeyama 1991, for the plane) over points that hardly move with the expression.
    static func fitting(_ points: [SIMD2<Float>], to others: [SIMD2<Float>]) -> Placement {
      let count = Float(points.count)
      let (mean, otherMean) = (points.reduce(.zero, +) / count, others.reduce(.zero, +) / count)
      var (sum, squares) = (SIMD2<Float>.zero, Float(0))
      for (point, other) in zip(points, others) {
        let (from, to) = (point - mean, other - otherMean)
        sum += product(SIMD2(from.x, -from.y), to)
        squares += (from * from).sum()
      }
      let turn = sum / max(squares, 1)
      return Placement(turn: turn, shift: otherMean - product(turn, mean))
    }
  }

  /// Share of the picture that the program crops on every side, so that no border shows what was shifted.
  private static let crop: Float = 0.1
  /// Corners of the eyes and of the mouth, bridge and tip of the nose.
  private static let anchors = [33, 133, 362, 263, 168, 1, 61, 291]
  private static let seconds = 9.0
  private static let block = 3

  let clips: [[Shot]]
  let rate: Double

  init(_ paths: [String], rate: Int) throws {
    self.rate = Double(rate)
    clips = try paths.map { path in
      let frames = try PassiveFootage.frames(["-i", path], filter: "fps=\(rate),scale=480:-2", quality: "6")
      return try Self.shots(frames)
    }
  }

  private static func shots(_ frames: [[UInt8]]) throws -> [Shot] {
    var decoder = try ImageDecoder()
    var frame = Frame()
    var shots: [Shot] = []
    for (bytes, observation) in zip(frames, try PassiveFootage.observations(frames)) {
      try decoder.decode(bytes, into: &frame)
      let luma = Self.reduced(frame)
      shots.append(Shot(luma: luma, observation: observation))
    }
    return shots
  }

  /// Mean luma of blocks of ``block`` pixels a side.
  private static func reduced(_ frame: Frame) -> [Float] {
    let (width, height) = (frame.width / block, frame.height / block)
    var luma = [Float](repeating: 0, count: width * height)
    for y in 0..<height * block {
      for x in 0..<width * block {
        let pixel = frame.pixels[y * frame.width + x]
        let sum = 299 * UInt32(pixel.red) + 587 * UInt32(pixel.green) + 114 * UInt32(pixel.blue)
        luma[y / block * width + x / block] += Float(sum)
      }
    }
    return luma.map { $0 / Float(1000 * block * block) }
  }

  /// Frames of the longest check that can be cut from the clips at all.
  var length: Int { clips.reduce(0) { $0 + $1.count } }

  /// Returns the finding for a part of a clip with prompts at random times; `nil` if the clip is shorter than five seconds.
  ///
  /// - Parameter dropping: share of the frames that are lost.
  func genuine(_ clip: Int, dropping: Double, _ generator: inout some RandomNumberGenerator) -> Finding.Result? {
    let shots = clips[clip]
    guard Double(shots.count) >= 5 * rate else { return nil }
    let length = min(shots.count, Int(Self.seconds * rate))
    let start = Int.random(in: 0...shots.count - length, using: &generator)
    var check = Check(rate: rate, &generator)
    for shot in shots[start..<start + length] {
      check.next()
      if Double.random(in: 0..<1, using: &generator) < dropping { continue }
      _ = check.process(shot.observation, &generator)
    }
    return check.finding
  }

  /// Returns the finding for a check that shows a cut at every prompt.
  func attack(_ cut: Cut, _ generator: inout some RandomNumberGenerator) -> Finding.Result? {
    var check = Check(rate: rate, &generator)
    guard var (clip, index) = randomFrame(&generator) else { return nil }
    var placement = Placement()
    var pending: Int?
    var last: FaceObservation?
    for _ in 0..<Int(Self.seconds * rate) {
      check.next()
      let isOver = index + 1 >= clips[clip].count || clips[clip][index + 1].observation.face == nil
      if let last, pending == 0 || isOver {
        var best: (distance: Float, clip: Int, index: Int, placement: Placement)?
        for _ in 0..<cut.candidates {
          guard let (otherClip, other) = randomFrame(&generator) else { return nil }
          let shot = clips[otherClip][other]
          var there = Placement()
          if cut.fits, let here = Self.anchors(of: shot.observation), let target = Self.anchors(of: last) {
            there = .fitting(here, to: target)
          }
          guard let seen = Self.placed(shot, there, cut).fingerprint, let before = last.fingerprint else { continue }
          let distance = seen.distance(to: before)
          if best.map({ distance < $0.distance }) ?? true { best = (distance, otherClip, other, there) }
        }
        guard let best else { return nil }
        (clip, index, placement) = (best.clip, best.index, best.placement)
      } else {
        index += 1
      }
      pending = pending.flatMap { $0 > 0 ? $0 - 1 : nil }
      let observation = Self.placed(clips[clip][index], placement, cut)
      last = observation
      if check.process(observation, &generator) { pending = cut.late }
    }
    return check.finding
  }

  /// Returns a random frame that shows a face, as do those of the half second after it.
  private func randomFrame(_ generator: inout some RandomNumberGenerator) -> (clip: Int, index: Int)? {
    for _ in 0..<100 {
      let clip = Int.random(in: clips.indices, using: &generator)
      let index = Int.random(in: clips[clip].indices, using: &generator)
      let next = clips[clip][index...].prefix(Int(rate / 2))
      if next.count == Int(rate / 2), next.allSatisfy({ $0.observation.face != nil }) { return (clip, index) }
    }
    return nil
  }

  private static func points(of observation: FaceObservation) -> [SIMD3<Float>]? {
    let size = SIMD3(Float(observation.frameWidth), Float(observation.frameHeight), Float(observation.frameWidth))
    return observation.face.map { $0.landmarks.points.map { $0 * size } }
  }

  private static func anchors(of observation: FaceObservation) -> [SIMD2<Float>]? {
    points(of: observation).map { points in anchors.map { SIMD2(points[$0].x, points[$0].y) } }
  }

  /// The server's observation of a frame that the program shifted, turned, scaled and cropped.
  private static func placed(_ shot: Shot, _ placement: Placement, _ cut: Cut) -> FaceObservation {
    guard cut.fits, let points = points(of: shot.observation) else { return shot.observation }
    var observation = shot.observation
    let (width, height) = (Float(observation.frameWidth), Float(observation.frameHeight))
    observation.face?.landmarks =
      Landmarks(
        points.map { point in
          let position = placement(SIMD2(point.x, point.y))
          return SIMD3(position.x / width, position.y / height, point.z / width)
        }) ?? shot.observation.face!.landmarks
    let (side, samples) = (FrameFingerprint.side, 4)
    let span = SIMD2(width, height) * (1 - 2 * crop) / Float(side)
    let (columns, rows) = (observation.frameWidth / block, observation.frameHeight / block)
    var luma: [Float] = []
    for cell in 0..<side * side {
      var sum: Float = 0
      for sample in 0..<samples * samples {
        let inside = SIMD2(Float(sample % samples) + 0.5, Float(sample / samples) + 0.5) / Float(samples)
        let shown = SIMD2(width, height) * crop + (SIMD2(Float(cell % side), Float(cell / side)) + inside) * span
        // Bilinear, and the nearest pixel of the border outside.
        let position = (placement.inverse(shown) / Float(block) - 0.5)
          .clamped(lowerBound: .zero, upperBound: SIMD2(Float(columns) - 1.001, Float(rows) - 1.001))
        let (x, y) = (Int(position.x), Int(position.y))
        let (right, down) = (position.x - Float(x), position.y - Float(y))
        let at = y * columns + x
        let above = shot.luma[at] * (1 - right) + shot.luma[at + 1] * right
        let below = shot.luma[at + columns] * (1 - right) + shot.luma[at + columns + 1] * right
        sum += above * (1 - down) + below * down
      }
      luma.append(sum / Float(samples * samples))
    }
    observation.fingerprint = FrameFingerprint(luma: luma)
    return observation
  }

  /// A check that asks for another movement every 0.8 to 1.6 s.
  private struct Check {
    var monitor = PassiveSignalMonitor(settings: .recording)
    let rate: Double
    var index = -1
    var prompt: Double

    init(rate: Double, _ generator: inout some RandomNumberGenerator) {
      self.rate = rate
      prompt = Double.random(in: 0.3..<1, using: &generator)
    }

    mutating func next() { index += 1 }

    /// Returns `true` if the prompt changed with this frame, which was taken up to 8 ms early or late.
    mutating func process(_ observation: FaceObservation, _ generator: inout some RandomNumberGenerator) -> Bool {
      let time = Double(index) / rate
      var observation = observation
      observation.at = MonotonicInstant(
        nanoseconds: Int64((1 + time + Double.random(in: -0.008...0.008, using: &generator)) * 1e9))
      monitor.process(observation)
      guard time >= prompt else { return false }
      monitor.promptChanged(at: observation.at)
      prompt += Double.random(in: 0.8..<1.6, using: &generator)
      return true
    }

    var finding: Finding.Result? { monitor.findings.first { $0.check == "recording-cuts" }?.result }
  }
}
