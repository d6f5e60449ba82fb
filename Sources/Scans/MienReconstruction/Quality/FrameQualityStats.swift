internal import MienScanFormat

internal import MienCore

/// Statistics of a frame for quality assessment.
struct FrameQualityStats: Sendable {
  let seconds: Double
  let pose: CameraPose?
  /// Distance of the subject, in meters: the first quartile of the distances in the center of the map. A face covers
  /// about a third of the center, so the median would be the background. nil without a measurement there.
  let distance: Float?
  /// Share of samples in the center of the map with a measurement, 0…1.
  let measured: Double
  /// Share of samples in the center with high confidence, 0…1; nil without confidence values.
  let sure: Double?

  /// Analyzes every fourth sample of the central half.
  init(_ frame: ScanFrame, metersPerStep: Float) {
    var distances: [UInt16] = []
    var (sampled, sure) = (0, 0)
    for y in stride(from: frame.height / 4, to: max(frame.height * 3 / 4, frame.height / 4 + 1), by: 4) {
      for x in stride(from: frame.width / 4, to: max(frame.width * 3 / 4, frame.width / 4 + 1), by: 4) {
        let place = y * frame.width + x
        sampled += 1
        if frame.depth[place] > 0 { distances.append(frame.depth[place]) }
        if let confidence = frame.confidence, confidence[place] == 2 { sure += 1 }
      }
    }
    distances.sort()
    seconds = frame.at.seconds
    pose = frame.pose
    distance = distances.isEmpty ? nil : Float(distances[distances.count / 4]) * metersPerStep
    measured = Double(distances.count) / Double(sampled)
    self.sure = frame.confidence == nil ? nil : Double(sure) / Double(sampled)
  }

  /// Returns the camera's speed since an earlier frame, in meters and in degrees per second; nil without both poses or
  /// if no time has passed.
  func movement(since before: FrameQualityStats) -> (speed: Double, turning: Double)? {
    guard let from = before.pose, let to = pose, seconds > before.seconds else { return nil }
    let offset = to.position - from.position
    let trace = dot(from.right, to.right) + dot(from.up, to.up) + dot(from.back, to.back)
    let time = seconds - before.seconds
    return (Double(dot(offset, offset).squareRoot()) / time, Double(SmallMath.arcCosine((trace - 1) / 2)) / time)
  }
}
