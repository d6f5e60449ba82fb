internal import Foundation
package import MienCore
internal import MienFiles

/// Summary of a tracked clip: statistics about the clip, not about the person.
package struct TrackSummary {
  private(set) var frames = 0
  private(set) var framesWithoutFace = 0
  private(set) var framesWithSeveral = 0
  private(set) var yaw: ClosedRange<Float>?
  private(set) var pitch: ClosedRange<Float>?
  private(set) var blinks = 0
  private var first: MonotonicInstant?
  private var last: MonotonicInstant?
  private var eyesClosed = false

  package init() {}

  package mutating func process(_ observation: FaceObservation) {
    frames += 1
    first = first ?? observation.at
    last = observation.at
    if observation.faceCount > 1 { framesWithSeveral += 1 }
    guard let face = observation.face else {
      framesWithoutFace += 1
      return
    }
    yaw = Self.widened(yaw, by: face.pose.yaw)
    pitch = Self.widened(pitch, by: face.pose.pitch)
    if let left = face.blendshapes[.eyeBlinkLeft], let right = face.blendshapes[.eyeBlinkRight] {
      // Hysteresis, so that a blink that fluctuates around one threshold is counted once.
      let closure = min(left, right)
      if !eyesClosed, closure > 0.5 {
        eyesClosed = true
        blinks += 1
      } else if eyesClosed, closure < 0.3 {
        eyesClosed = false
      }
    }
  }

  private static func widened(_ range: ClosedRange<Float>?, by angle: Float) -> ClosedRange<Float> {
    range.map { min($0.lowerBound, angle)...max($0.upperBound, angle) } ?? angle...angle
  }

  /// Frames per second, derived from the first and the last timestamp.
  package var frameRate: Double? {
    guard let first, let last, frames > 1, last > first else { return nil }
    return Double(frames - 1) / last.since(first).inSeconds
  }

  package var text: String {
    var lines = ["frames \(frames), without a face \(framesWithoutFace), with several faces \(framesWithSeveral)"]
    if let yaw, let pitch {
      lines.append(
        String(
          format: "yaw %.1f° … %.1f° (+ = the subject's left), pitch %.1f° … %.1f° (+ = up), blinks %d",
          yaw.lowerBound, yaw.upperBound, pitch.lowerBound, pitch.upperBound, blinks))
    }
    return lines.joined(separator: "\n")
  }

  package func jsonText() throws -> String {
    struct Reply: Encodable {
      let frames: Int
      let frames_without_face: Int
      let frames_with_several_faces: Int
      let yaw_min: Float?
      let yaw_max: Float?
      let pitch_min: Float?
      let pitch_max: Float?
      let blinks: Int
      let frame_rate: Double?
    }
    return try JSONText.make(
      Reply(
        frames: frames, frames_without_face: framesWithoutFace, frames_with_several_faces: framesWithSeveral,
        yaw_min: yaw?.lowerBound, yaw_max: yaw?.upperBound, pitch_min: pitch?.lowerBound, pitch_max: pitch?.upperBound,
        blinks: blinks, frame_rate: frameRate))
  }
}
