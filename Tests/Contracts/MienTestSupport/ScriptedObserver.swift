public import MienCore
public import MienPlatform
public import MienChecks

/// Face tracker for tests of the surrounding service: returns the observation described by the frame's bytes, `yaw
/// faces`.
///
/// The real tracker is tested on images; these tests need exact observations.
public struct ScriptedObserver: FaceTracking {
  public init() {}

  public func newTrack() -> FaceTrack { FaceTrack(0) }

  /// Returns a frame with `faces` faces, the followed one at `yaw` degrees; `mark` makes it unique.
  public static func frame(yaw: Float, faces: Int = 1, mark: Int) -> [UInt8] { Array("\(yaw) \(faces) \(mark)".utf8) }

  /// Returns a frame of a face with an expression (`smile`, `wink_r`, `smooch`, or `rest`), `sway` eye distances to the
  /// right of the image center; `mark` makes it unique and contains at most one space.
  public static func frame(expression: String, sway: Float, mark: String) -> [UInt8] {
    Array("face \(expression) \(sway) \(mark)".utf8)
  }

  public func observe(
    _ frame: EncodedFrame, after track: FaceTrack, in session: FrameSession
  ) async throws -> (observation: FaceObservation, track: FaceTrack, took: Interval) {
    guard let count = track.state as? Int else { preconditionFailure("this track is of another tracker") }
    let next = FaceTrack(count + 1)
    let parts = String(decoding: frame.bytes, as: UTF8.self).split(separator: " ")
    if parts.first == "face", parts.count == 5, let sway = Float(parts[2]) {
      return (Self.observation(of: String(parts[1]), sway: sway, at: frame.at), next, .zero)
    }
    guard parts.count == 3, let yaw = Float(parts[0]), let faces = Int(parts[1]),
      let points = Landmarks([SIMD3<Float>](repeating: SIMD3(0.5, 0.5, 0), count: Landmarks.count)),
      let presence = Score(1)
    else { throw FaceTrackingError(.notAImage, reason: "This frame is no script.") }
    let face = ObservedFace(
      box: FaceBox(x: 0.35, y: 0.25, width: 0.3, height: 0.5), presence: presence,
      pose: HeadPose(yaw: yaw, pitch: 0, roll: 0), blendshapes: Blendshapes(), landmarks: points)
    let observation = FaceObservation(
      at: frame.at, frameWidth: 640, frameHeight: 480, brightness: 128, sharpness: 30, faceCount: faces,
      face: faces > 0 ? face : nil)
    return (observation, next, .zero)
  }

  private static func observation(of expression: String, sway: Float, at: MonotonicInstant) -> FaceObservation {
    var shapes = Blendshapes()
    for shape: BlendshapeName in [
      .eyeBlinkLeft, .eyeBlinkRight, .mouthPucker, .mouthFunnel, .jawOpen, .browInnerUp, .mouthSmileLeft,
      .mouthSmileRight,
    ] { shapes[shape] = 0.04 }
    let raised: [BlendshapeName] =
      switch expression {
      case "smile": [.mouthSmileLeft, .mouthSmileRight]
      case "wink_r": [.eyeBlinkRight]
      case "smooch": [.mouthPucker]
      default: []
      }
    for shape in raised { shapes[shape] = 0.9 }
    // A face of the right proportions at the points that are evaluated, 64 pixels between the eyes.
    var points = [SIMD3<Float>](repeating: SIMD3(0.5, 0.5, 0), count: Landmarks.count)
    for (index, x, y) in [
      (33, -46, 0), (133, -18, 0), (362, 18, 0), (263, 46, 0), (168, 0, 0), (1, 0, 40), (2, 0, 48), (10, 0, -60),
      (234, -70, 20), (454, 70, 20), (98, -14, 46), (327, 14, 46), (127, -66, -10), (356, 66, -10), (162, -62, -30),
      (389, 62, -30), (13, 0, 70), (14, 0, 74), (159, -32, -5), (145, -32, 5), (386, 32, -5), (374, 32, 5),
    ] { points[index] = SIMD3(0.5 + (Float(x) + sway * 64) / 640, 0.5 + Float(y) / 480, 0) }
    guard let landmarks = Landmarks(points), let presence = Score(1) else { preconditionFailure("478 points") }
    let face = ObservedFace(
      box: FaceBox(x: 0.35, y: 0.25, width: 0.3, height: 0.5), presence: presence,
      pose: HeadPose(yaw: 0, pitch: 0, roll: 0), blendshapes: shapes, landmarks: landmarks)
    return FaceObservation(
      at: at, frameWidth: 640, frameHeight: 480, brightness: 128, sharpness: 30, faceCount: 1, face: face)
  }

  public func obstacles() async -> [UnavailableReason] { [] }
}

extension ServiceSettings {
  /// Settings for checks with a ``ScriptedObserver``: its faces lack the data for the passive signals, and a check
  /// without them would not pass.
  public static var scripted: ServiceSettings {
    var settings = ServiceSettings()
    settings.passive = .report
    return settings
  }
}
