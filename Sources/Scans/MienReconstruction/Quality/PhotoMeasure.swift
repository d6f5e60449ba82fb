internal import MienCore

/// A face image quality measure with a closed form in ISO/IEC 29794-5, as computed by its reference implementation
/// (OFIQ 1.0) or an approximation of it; see ``ImageMeasures`` for the region of the image.
public struct PhotoMeasure: Hashable, Sendable {
  /// Quality components, with the names used by the reference implementation.
  public enum Name: String, CaseIterable, Sendable {
    /// Distance between the iris centers in pixels; the score is corrected for a head turned away from the camera.
    case interEyeDistance = "inter-eye-distance"
    case headPoseYaw = "head-pose-yaw"
    case headPosePitch = "head-pose-pitch"
    case headPoseRoll = "head-pose-roll"
    /// Mean absolute Laplacian of the luma. Not the standard's measure, which is a trained classifier, so it has no
    /// score.
    case sharpness
    case luminanceMean = "luminance-mean"
    case luminanceVariance = "luminance-variance"
    /// Share of nearly black pixels in the face.
    case underExposure = "under-exposure-prevention"
    /// Share of nearly white pixels in the face.
    case overExposure = "over-exposure-prevention"
    /// Entropy of the luma histogram.
    case dynamicRange = "dynamic-range"
  }

  public let name: Name
  /// Native value; always finite.
  public let value: Double
  /// `px`, `°`, `share`, `bit`, `Laplacian`, or empty for dimensionless values.
  public let unit: String
  /// Score from 0 to 100, higher is better; nil if the standard has no closed form for the measure.
  public let score: Double?
}

extension PhotoInspector.Photo {
  /// All measures of the photo, in the order of ``PhotoMeasure/Name``; head measures only if exactly one face was
  /// found.
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
