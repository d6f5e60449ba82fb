public import MienModel
public import MienService

/// Sees in a frame what the frame's bytes say: the text `yaw faces`, for tests of the service around the tracker.
///
/// The tracker itself is tested on pictures; here a test must say exactly what was seen.
public struct ScriptedObserver: FaceObserver {
  public init() {}

  public func newTrack() -> Int { 0 }

  /// The bytes of a frame in which `faces` faces are seen, the followed one at `yaw` degrees; `mark` makes it unique.
  public static func frame(yaw: Float, faces: Int = 1, mark: Int) -> [UInt8] { Array("\(yaw) \(faces) \(mark)".utf8) }

  public func observe(_ frame: EncodedFrame, after track: Int) async throws -> (
    observation: FaceObservation, track: Int
  ) {
    let parts = String(decoding: frame.bytes, as: UTF8.self).split(separator: " ")
    guard parts.count == 3, let yaw = Float(parts[0]), let faces = Int(parts[1]),
      let points = Landmarks([SIMD3<Float>](repeating: SIMD3(0.5, 0.5, 0), count: Landmarks.count)),
      let presence = Score(1)
    else { throw ObserverError(.notAPicture, reason: "This frame is no script.") }
    let face = ObservedFace(
      box: FaceBox(x: 0.35, y: 0.25, width: 0.3, height: 0.5), presence: presence,
      pose: HeadPose(yaw: yaw, pitch: 0, roll: 0), blendshapes: Blendshapes(), landmarks: points)
    let observation = FaceObservation(
      at: frame.at, frameWidth: 640, frameHeight: 480, brightness: 128, sharpness: 30, faceCount: faces,
      face: faces > 0 ? face : nil)
    return (observation, track + 1)
  }

  public func obstacles() async -> [Obstacle] { [] }
}
