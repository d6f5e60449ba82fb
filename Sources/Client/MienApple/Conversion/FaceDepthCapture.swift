public import MienCore
internal import MienRecordings

/// Depth capture of a face, as the depth gate of a check and an enrollment need it.
public enum FaceDepthCapture {
  /// Maximum width of the transmitted map in samples: the gate's grid has 48 cells, and an upload must take less than the
  /// interval between two captures.
  public static let widest = 240

  /// Turns a map of a landscape sensor by 90° clockwise, as it is seen on a phone that is held upright.
  public static func upright(_ map: MetricDepthMap) -> MetricDepthMap? {
    var meters = [Float](repeating: 0, count: map.meters.count)
    for y in 0..<map.height {
      for x in 0..<map.width { meters[x * map.height + map.height - 1 - y] = map.meters[y * map.width + x] }
    }
    return MetricDepthMap(width: map.height, height: map.width, meters: meters)
  }

  /// Turns the intrinsics of a landscape map like ``upright(_:)`` turns the map.
  ///
  /// - Parameters:
  ///   - intrinsics: of the landscape map.
  ///   - height: height of the landscape map in samples.
  public static func upright(_ intrinsics: PinholeIntrinsics, height: Int) -> PinholeIntrinsics {
    PinholeIntrinsics(
      fx: intrinsics.fy, fy: intrinsics.fx, cx: Float(height - 1) - intrinsics.cy, cy: intrinsics.cx)
  }

  /// Keeps every `factor`-th sample of both directions, from the middle of each group. Samples are not averaged: a mean of
  /// near and far samples is a distance that nothing has.
  public static func reduced(
    _ map: MetricDepthMap, _ intrinsics: PinholeIntrinsics, by factor: Int
  ) -> (map: MetricDepthMap, intrinsics: PinholeIntrinsics)? {
    let (width, height) = (map.width / max(1, factor), map.height / max(1, factor))
    let first = (factor - 1) / 2
    var meters: [Float] = []
    meters.reserveCapacity(width * height)
    for y in 0..<height {
      for x in 0..<width { meters.append(map.meters[(y * factor + first) * map.width + x * factor + first]) }
    }
    let (scale, shift) = (Float(factor), Float(first))
    let small = PinholeIntrinsics(
      fx: intrinsics.fx / scale, fy: intrinsics.fy / scale, cx: (intrinsics.cx - shift) / scale,
      cy: (intrinsics.cy - shift) / scale)
    return MetricDepthMap(width: width, height: height, meters: meters).map { ($0, small) }
  }

  /// Encodes a capture as `application/vnd.mien.depth-frame`.
  ///
  /// - Parameters:
  ///   - map: in the sensor's landscape orientation.
  ///   - intrinsics: of that map.
  ///   - face: position of the face as fractions of the upright, unmirrored image.
  ///   - seconds: time on the sensor's clock, 0 or later.
  /// - Returns: `nil` if a value is invalid.
  public static func encoded(
    _ map: MetricDepthMap, _ intrinsics: PinholeIntrinsics, face: FaceBox, at seconds: Double
  ) -> [UInt8]? {
    guard seconds >= 0, let at = MonotonicInstant(seconds: seconds), let turned = upright(map) else { return nil }
    let factor = (turned.width + widest - 1) / widest
    guard let small = reduced(turned, upright(intrinsics, height: map.height), by: factor),
      let frame = DepthFrame(
        width: small.map.width, height: small.map.height,
        samples: DepthAdapter.steps(small.map.meters, step: DepthAdapter.trueDepthStep),
        micrometersPerStep: DepthAdapter.trueDepthStep, intrinsics: small.intrinsics, face: face, at: at)
    else { return nil }
    return DepthFrameCodec.write([frame])
  }
}
