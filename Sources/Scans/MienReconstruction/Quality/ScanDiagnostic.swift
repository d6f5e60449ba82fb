/// A message about a scan for people: a code and the values of its placeholders.
///
/// Web pages and apps localize it. The messages in all languages are in `Web/assets/texts` as `scan.remark.<code>`.
public struct ScanDiagnostic: Hashable, Sendable {
  /// Identifies the message: the item or `note`, a period, and the specific finding.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    case framesEnough = "frames.enough"
    case framesFew = "frames.few"
    case framesNone = "frames.none"
    case lostFramesFew = "lost-frames.few"
    case lostFramesMany = "lost-frames.many"
    case lostFramesBackwards = "lost-frames.backwards"
    case distanceRight = "distance.right"
    case distanceWrong = "distance.wrong"
    case distanceNone = "distance.none"
    case holesFew = "holes.few"
    case holesMany = "holes.many"
    case confidenceHigh = "confidence.high"
    case confidenceLow = "confidence.low"
    case confidenceNotReported = "confidence.not-reported"
    case posesKnown = "poses.known"
    case posesLost = "poses.lost"
    case posesNone = "poses.none"
    case speedSlow = "speed.slow"
    case speedFast = "speed.fast"
    case speedUnknown = "speed.unknown"
    case turningSlow = "turning.slow"
    case turningFast = "turning.fast"
    case turningUnknown = "turning.unknown"
    case coverageAll = "coverage.all"
    case coverageLeft = "coverage.left"
    case coverageRight = "coverage.right"
    case coverageTop = "coverage.top"
    case coverageArc = "coverage.arc"
    case coverageUnknown = "coverage.unknown"
    case coverageAround = "coverage.around"
    case coveragePartlyAround = "coverage.partly-around"
    case coverageTurned = "coverage.turned"
    case coveragePartlyTurned = "coverage.partly-turned"
    case colorSharpnessSharp = "color-sharpness.sharp"
    case colorSharpnessBlurred = "color-sharpness.blurred"
    case colorSharpnessPlain = "color-sharpness.plain"
    case colorExposureWell = "color-exposure.well"
    case colorExposureDark = "color-exposure.dark"
    case colorExposureBright = "color-exposure.bright"
    case photoCountThree = "photo-count.three"
    case photoCountOther = "photo-count.other"
    case photosNone = "photos.none"
    case photosNoFace = "photos.no-face"
    case photoFacesOne = "photo-faces.one"
    case photoFacesNone = "photo-faces.none"
    case photoFacesSeveral = "photo-faces.several"
    case photoSharpnessSharp = "photo-sharpness.sharp"
    case photoSharpnessBlurred = "photo-sharpness.blurred"
    case photoExposureWell = "photo-exposure.well"
    case photoExposureDark = "photo-exposure.dark"
    case photoExposureBright = "photo-exposure.bright"
    case photoExposureUneven = "photo-exposure.uneven"
    case photoSizeLarge = "photo-size.large"
    case photoSizeSmall = "photo-size.small"
    case photoPosesAll = "photo-poses.all"
    case photoPosesFront = "photo-poses.front"
    case photoPosesLeft = "photo-poses.left"
    case photoPosesRight = "photo-poses.right"
    case surfaceMade = "surface.made"
    case surfaceTooLarge = "surface.too-large"
    case surfaceMapTooLarge = "surface.map-too-large"
    case surfaceNothingMeasured = "surface.nothing-measured"
    case surfaceTooManyVertices = "surface.too-many-vertices"
    case surfaceLost = "surface.lost"
    case notePhotosAnnounced = "note.photos-announced"
    case notePhotosNotThree = "note.photos-not-three"
    case notePhotoUnreadable = "note.photo-unreadable"
    case notePhotoNotLookedAt = "note.photo-not-looked-at"
    case noteFrameLeftOut = "note.frame-left-out"
    case noteNothingMeasured = "note.nothing-measured"
    case noteImagesWithoutCamera = "note.images-without-camera"
    case noteImagesWithoutDepth = "note.images-without-depth"
    case noteImagesUnreadable = "note.images-unreadable"
    case noteImagesOfOtherSize = "note.images-of-other-size"
    case noteImagesWithoutFace = "note.images-without-face"
    case noteImagesTurned = "note.images-turned"
    case noteImagesWithoutEyes = "note.images-without-eyes"
    case noteImagesNotFitting = "note.images-not-fitting"
    case noteNoPoses = "note.no-poses"
    case notePosesForMaps = "note.poses-for-maps"
    case notePosesMissing = "note.poses-missing"
    case noteMapsWithoutPose = "note.maps-without-pose"
    case noteTimesApart = "note.times-apart"
    case noteNoTimes = "note.no-times"
    case noteRowCutOff = "note.row-cut-off"
    case noteFilesMissing = "note.files-missing"
    case noteMapsWithoutDescription = "note.maps-without-description"
    case noteMapsWithoutRow = "note.maps-without-row"
    case noteNoIntrinsics = "note.no-intrinsics"
    case noteImageSize = "note.picture-size"
    case noteVideoNotRead = "note.video-not-read"
    case noteReadAs = "note.read-as"
    case noteUsualCamera = "note.usual-camera"
    case noteLensDistortion = "note.lens-distortion"
    case noteScaled = "note.scaled"
    case noteScaleUnknown = "note.scale-unknown"
    case noteVoxelCoarser = "note.voxel-coarser"
    case notePathLost = "note.path-lost"
    case noteUnfinished = "note.unfinished"
    case noteBundleDamaged = "note.bundle-damaged"
  }

  public let code: Code
  /// Values of the placeholders `{name}`: integers, 1-based photo numbers, file names.
  public let values: [String: String]
  /// Additional English detail from a library or file reader; it is not part of the localized messages.
  public let detail: String?

  public init(_ code: Code, _ values: [String: String] = [:], detail: String? = nil) {
    self.code = code
    self.values = values
    self.detail = detail
  }

  /// English message with its values and the detail.
  public var words: String {
    var words = ""
    var rest = code.english[...]
    // A single left-to-right pass, so that braces in values are not expanded.
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      let name = String(rest[rest.index(after: open)..<close])
      words += rest[..<open] + (values[name] ?? "{\(name)}")
      rest = rest[rest.index(after: close)...]
    }
    words += rest
    return detail.map { "\(words) (\($0))" } ?? words
  }
}

extension Sequence<ScanDiagnostic> {
  /// English messages, joined by spaces.
  public var words: String { map(\.words).joined(separator: " ") }
}
