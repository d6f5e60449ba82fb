internal import MienCore

/// One of the measures of a face's photo that ISO/IEC 29794-5 has in a closed form, as its reference implementation (OFIQ 1.0)
/// computes it, or near it: what each is taken over says ``PictureMeasures``.
public struct PhotoMeasure: Hashable, Sendable {
  /// The components, by the names that the reference implementation has for them.
  public enum Name: String, CaseIterable, Sendable {
    /// Pixels between the irises' middles; the score is that of a head that faces the camera.
    case interEyeDistance = "inter-eye-distance"
    case headPoseYaw = "head-pose-yaw"
    case headPosePitch = "head-pose-pitch"
    case headPoseRoll = "head-pose-roll"
    /// Mean absolute Laplacian of the luma. Ours: the standard's is a trained classifier, so that it has no score here.
    case sharpness
    case luminanceMean = "luminance-mean"
    case luminanceVariance = "luminance-variance"
    /// Share of the face that is nearly black.
    case underExposure = "under-exposure-prevention"
    /// Share of the face that is nearly white.
    case overExposure = "over-exposure-prevention"
    /// Entropy of the luma's histogram.
    case dynamicRange = "dynamic-range"
  }

  public let name: Name
  /// Finite.
  public let value: Double
  /// `px`, `°`, `share`, `bit`, `Laplacian`, or empty for what has none.
  public let unit: String
  /// 0 to 100, more is better; nil where the standard has no closed form for it.
  public let score: Double?
}

extension PhotoInspector.Photo {
  /// All that was measured in the photo, in the order of ``PhotoMeasure/Name``; those of a head only where one head was found.
  public var measures: [PhotoMeasure] {
    var measures: [PhotoMeasure] = []
    func add(_ name: PhotoMeasure.Name, _ value: Double, _ unit: String, _ score: Double?) {
      guard value.isFinite else { return }
      measures.append(PhotoMeasure(name: name, value: value, unit: unit, score: score))
    }
    if let eyeDistance, let score = eyeDistanceScore { add(.interEyeDistance, eyeDistance, "px", score) }
    if let pose, let scores = poseScores {
      add(.headPoseYaw, Double(pose.yaw), "°", scores.yaw)
      add(.headPosePitch, Double(pose.pitch), "°", scores.pitch)
      add(.headPoseRoll, Double(pose.roll), "°", scores.roll)
    }
    if let sharpness { add(.sharpness, sharpness, "Laplacian", nil) }
    if let light {
      add(.luminanceMean, light.luminanceMean.native, "", light.luminanceMean.score)
      add(.luminanceVariance, light.luminanceVariance.native, "", light.luminanceVariance.score)
      add(.underExposure, light.underExposure.native, "share", light.underExposure.score)
      add(.overExposure, light.overExposure.native, "share", light.overExposure.score)
      add(.dynamicRange, light.dynamicRange.native, "bit", light.dynamicRange.score)
    }
    return measures
  }
}
