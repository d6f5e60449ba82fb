public import MienCore
internal import RealModule

/// Grades the photos of a scan. Three are expected, of one face, sharp, well lit, from the front and from both sides.
public struct PhotoInspector: Sendable {
  /// Face detection results and image measurements of a photo.
  public struct Photo: Sendable {
    /// Number of faces.
    public var faces: Int
    /// Head pose; nil unless there is exactly one face.
    public var pose: HeadPose?
    /// Distance between the iris centers in pixels; nil unless there is exactly one face.
    public var eyeDistance: Double?
    /// Mean absolute Laplacian of the luma in the face, 0…1020; nil if it was not measured.
    public var sharpness: Double?
    /// Light measurements of the face, or of the whole photo if there is none.
    public var light: ImageMeasures?

    public init(faces: Int, pose: HeadPose?, eyeDistance: Double?, sharpness: Double?, light: ImageMeasures?) {
      self.faces = faces
      self.pose = pose
      self.eyeDistance = eyeDistance
      self.sharpness = sharpness
      self.light = light
    }

    /// ISO/IEC 29794-5 inter-eye distance: 100 · σ(d / cos yaw; 70, 20), 0 to 100.
    public var eyeDistanceScore: Double? {
      guard let eyeDistance, let pose else { return nil }
      let cosine = PhotoInspector.cosine(pose.yaw)
      return (100 * SmallMath.sigmoid(eyeDistance / max(cosine, 0.1), middle: 70, width: 20)).rounded()
    }
    /// ISO/IEC 29794-5 head pose: 100 · cos² of yaw, pitch and roll, 0 to 100 each.
    public var poseScores: (yaw: Double, pitch: Double, roll: Double)? {
      pose.map { pose in
        func score(_ degrees: Float) -> Double {
          let cosine = PhotoInspector.cosine(degrees)
          return cosine <= 0 ? 0 : (100 * cosine * cosine).rounded()
        }
        return (score(pose.yaw), score(pose.pitch), score(pose.roll))
      }
    }
  }

  private let photos: [Photo]

  public init(_ photos: [Photo]) { self.photos = photos }

  /// Findings about the photos; those about faces are not assessed without photos.
  public var findings: [ScanFinding] { [count, faces, sharpness, exposure, size, poses] }

  private var count: ScanFinding {
    ScanFinding(
      .photoCount, photos.count == 3 ? .pass : .fail, value: Double(photos.count), unit: "photos",
      [
        photos.count == 3
          ? ScanDiagnostic(.photoCountThree) : ScanDiagnostic(.photoCountOther, ["count": "\(photos.count)"])
      ])
  }

  private func none(_ item: ScanFinding.Item, _ unit: String) -> ScanFinding {
    ScanFinding(item, .notAssessed, value: nil, unit: unit, photos.isEmpty ? .photosNone : .photosNoFace)
  }

  /// Returns the 1-based numbers of the photos that satisfy a test.
  private func numbers(_ test: (Photo) -> Bool) -> [Int] { photos.indices.filter { test(photos[$0]) }.map { $0 + 1 } }

  private static func remark(_ code: ScanDiagnostic.Code, _ numbers: [Int]) -> ScanDiagnostic {
    ScanDiagnostic(code, ["photos": numbers.map(String.init).joined(separator: ", ")])
  }

  private var faces: ScanFinding {
    guard !photos.isEmpty else { return none(.photoFaces, "photos") }
    let wrong = numbers { $0.faces != 1 }
    let remarks =
      [(ScanDiagnostic.Code.photoFacesNone, numbers { $0.faces < 1 }), (.photoFacesSeveral, numbers { $0.faces > 1 })]
      .filter { !$0.1.isEmpty }.map(Self.remark)
    return ScanFinding(
      .photoFaces, wrong.isEmpty ? .pass : .fail, value: Double(photos.count - wrong.count), unit: "photos",
      wrong.isEmpty ? [ScanDiagnostic(.photoFacesOne)] : remarks)
  }

  private var sharpness: ScanFinding {
    let values = photos.compactMap(\.sharpness)
    guard let least = values.min() else { return none(.photoSharpness, "Laplacian") }
    // Same bounds as for frames of the liveness check: below 4, eyelashes and eyebrows are no longer visible.
    let (bad, weak) = (numbers { $0.sharpness.map { $0 < 4 } == true }, numbers { $0.sharpness.map { $0 < 8 } == true })
    return ScanFinding(
      .photoSharpness, !bad.isEmpty ? .fail : !weak.isEmpty ? .warn : .pass, value: least, unit: "Laplacian",
      [weak.isEmpty ? ScanDiagnostic(.photoSharpnessSharp) : Self.remark(.photoSharpnessBlurred, weak)])
  }

  private var exposure: ScanFinding {
    let lights = photos.compactMap(\.light)
    let scores = lights.map { min($0.luminanceMean.score, $0.underExposure.score, $0.overExposure.score) }
    guard let worst = scores.min() else { return none(.photoExposure, "score") }
    let dark = numbers { $0.light.map { $0.luminanceMean.score < 50 && $0.luminanceMean.native < 0.5 } == true }
    let bright = numbers {
      $0.light.map {
        $0.luminanceMean.score < 50 && $0.luminanceMean.native >= 0.5 || $0.overExposure.score < 20
      } == true
    }
    let remarks = [(ScanDiagnostic.Code.photoExposureDark, dark), (.photoExposureBright, bright)]
      .filter { !$0.1.isEmpty }.map(Self.remark)
    let grade = ScanQualitySettings.Bounds(good: 50, bad: 15).grade(worst)
    return ScanFinding(
      .photoExposure, grade, value: worst, unit: "score",
      remarks.isEmpty ? [ScanDiagnostic(grade == .pass ? .photoExposureWell : .photoExposureUneven)] : remarks)
  }

  private var size: ScanFinding {
    guard let least = photos.compactMap(\.eyeDistanceScore).min() else { return none(.photoSize, "score") }
    let small = numbers { $0.eyeDistanceScore.map { $0 < 50 } == true }
    return ScanFinding(
      .photoSize, ScanQualitySettings.Bounds(good: 50, bad: 20).grade(least), value: least, unit: "score",
      [small.isEmpty ? ScanDiagnostic(.photoSizeLarge) : Self.remark(.photoSizeSmall, small)])
  }

  private var poses: ScanFinding {
    let yaws = photos.compactMap { $0.pose?.yaw }
    guard yaws.count == photos.count, !yaws.isEmpty else { return none(.photoPoses, "°") }
    let span = Double((yaws.max() ?? .zero) - (yaws.min() ?? .zero))
    let missing = [
      (yaws.contains { abs($0) < 20 }, ScanDiagnostic.Code.photoPosesFront),
      (yaws.contains { $0 > 25 }, .photoPosesLeft),
      (yaws.contains { $0 < -25 }, .photoPosesRight),
    ].filter { !$0.0 }.map(\.1)
    let grade: ScanFinding.Grade = missing.isEmpty ? .pass : missing.count == 1 ? .warn : .fail
    return ScanFinding(
      .photoPoses, grade, value: span, unit: "°",
      (missing.isEmpty ? [.photoPosesAll] : missing).map { ScanDiagnostic($0) })
  }

  private static func cosine(_ degrees: Float) -> Double {
    .cos(Double(min(abs(degrees), 90)) * .pi / 180)
  }
}

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
