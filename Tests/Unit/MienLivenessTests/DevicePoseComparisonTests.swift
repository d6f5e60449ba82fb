import Foundation
import MienCore
import Testing

@testable import MienLiveness

@Suite struct `Device pose comparison` {
  /// Yaw of a head that turns by 30° and back within three seconds, after one second at rest.
  private static func turn(_ seconds: Double) -> Float {
    seconds < 1 || seconds > 4 ? 0 : Float(30 * sin(.pi * (seconds - 1) / 3))
  }

  /// Compares frames of a turn with what a device reports at other times and at another rate.
  private static func comparison(
    frames: Double = 10, seconds: Double = 5, seen: (Double) -> Float = turn, claimed: (Double) -> Float
  ) -> DevicePoseComparison {
    var made = DevicePoseComparison()
    for number in 0..<Int(seconds * frames) {
      let at = Double(number) / frames
      made.observe(HeadPose(yaw: seen(at), pitch: 2, roll: 0), at: .seconds(at))
    }
    for number in 0..<Int(seconds * 60) {
      let at = Double(number) / 60 + 0.004
      made.claim(HeadPose(yaw: claimed(at), pitch: -3, roll: 1), at: .seconds(at))
    }
    return made
  }

  private static func result(_ comparison: DevicePoseComparison) -> String {
    switch comparison.finding.result {
    case .genuine(let measure): "genuine \(measure.score.value > 0.5)"
    case .suspect(let measure, let reason): "suspect \(reason) \(measure.score.value < 0.5)"
    case .notAssessed(let reason): reason.code
    }
  }

  @Test(arguments: [(1, 0), (0.6, 0), (1.3, 12), (1, -20)] as [(Float, Float)])
  func `the same movement agrees whatever the scale and the constant difference`(scale: Float, offset: Float) {
    #expect(Self.result(Self.comparison { scale * Self.turn($0) + offset }) == "genuine true")
  }

  @Test(arguments: [0, 1, 2]) func `a head that rests, turns the other way or turns later differs`(kind: Int) {
    let made = Self.comparison { at in
      switch kind {
      case 0: 0
      case 1: -Self.turn(at)
      default: Self.turn(at - 2.2)
      }
    }
    #expect(Self.result(made) == "suspect device-differs true")
    #expect(made.finding.check == "device-pose")
  }

  @Test func `without movement, without claims or without frames nothing is assessed`() {
    #expect(Self.result(Self.comparison(seen: { _ in 1 }, claimed: Self.turn)) == "too-few-frames")
    #expect(Self.result(DevicePoseComparison()) == "too-few-frames")
    var claims = DevicePoseComparison()
    for number in 0..<200 {
      claims.claim(HeadPose(yaw: Float(number), pitch: 0, roll: 0), at: .seconds(Double(number)))
    }
    #expect(Self.result(claims) == "too-few-frames")
    #expect(Self.result(Self.comparison(frames: 1, claimed: Self.turn)) == "too-few-frames", "frames far apart")
  }

  @Test func `claims may come before and after the frames, and implausible times have no effect`() {
    var made = DevicePoseComparison()
    made.observe(HeadPose(yaw: 0, pitch: 0, roll: 0), at: .zero)
    for second in stride(from: 0.0, to: 5, by: 0.5) {
      for step in 1...10 {
        let at = second + Double(step) / 20
        if Int(second * 2) % 2 == 0 { made.claim(HeadPose(yaw: Self.turn(at), pitch: 0, roll: 0), at: .seconds(at)) }
        made.observe(HeadPose(yaw: Self.turn(at), pitch: 0, roll: 0), at: .seconds(at))
        if Int(second * 2) % 2 == 1 { made.claim(HeadPose(yaw: Self.turn(at), pitch: 0, roll: 0), at: .seconds(at)) }
      }
    }
    #expect(Self.result(made) == "genuine true")
    made.claim(HeadPose(yaw: 0, pitch: 0, roll: 0), at: Interval(nanoseconds: .max))
    made.claim(HeadPose(yaw: 0, pitch: 0, roll: 0), at: Interval(nanoseconds: .min))
    made.observe(HeadPose(yaw: 0, pitch: 0, roll: 0), at: .seconds(6))
    #expect(Self.result(made) == "genuine true")
  }

  @Test func `the state survives coding and its description withholds it`() {
    var made = Self.comparison(claimed: Self.turn)
    let now = MonotonicInstant.zero + .seconds(9)
    var writer = BinaryStateCoder(writingAt: now)
    writer.pass(&made)
    var copy = DevicePoseComparison()
    var reader = BinaryStateCoder(reading: writer.bytes, at: now)
    reader.pass(&copy)
    #expect(reader.isReadToTheEnd && copy.finding == made.finding)
    #expect("\(made)" == "DevicePoseComparison(withheld)" && Mirror(reflecting: made).children.isEmpty)
  }
}
