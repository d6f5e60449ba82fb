/// A sentence about a scan for a person: a code, and what stands in the sentence's places.
///
/// A page or an app finds it in its own language. The sentences in all languages stand in `Web/assets/texts` as `scan.remark.<code>`.
public struct ScanDiagnostic: Hashable, Sendable {
  /// Which sentence it is: the item or `note`, a full stop, and what there is to say.
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
    case confidenceUntold = "confidence.untold"
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
    case colorSharpnessSharp = "colour-sharpness.sharp"
    case colorSharpnessBlurred = "colour-sharpness.blurred"
    case colorSharpnessPlain = "colour-sharpness.plain"
    case colorExposureWell = "colour-exposure.well"
    case colorExposureDark = "colour-exposure.dark"
    case colorExposureBright = "colour-exposure.bright"
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
    case noteImagesWithoutCamera = "note.pictures-without-camera"
    case noteImagesWithoutDepth = "note.pictures-without-depth"
    case noteImagesUnreadable = "note.pictures-unreadable"
    case noteImagesOfOtherSize = "note.pictures-of-other-size"
    case noteImagesWithoutFace = "note.pictures-without-face"
    case noteImagesTurned = "note.pictures-turned"
    case noteImagesWithoutEyes = "note.pictures-without-eyes"
    case noteImagesNotFitting = "note.pictures-not-fitting"
    case noteNoPoses = "note.no-poses"
    case notePosesForMaps = "note.poses-for-maps"
    case notePosesMissing = "note.poses-missing"
    case noteNoTimes = "note.no-times"
    case noteRowCutOff = "note.row-cut-off"
    case noteFilesMissing = "note.files-missing"
    case noteMapsWithoutDescription = "note.maps-without-description"
    case noteMapsWithoutRow = "note.maps-without-row"
    case noteNoIntrinsics = "note.no-intrinsics"
    case noteImageSize = "note.picture-size"
    case noteFilmNotRead = "note.film-not-read"
    case noteReadAs = "note.read-as"
    case noteUsualCamera = "note.usual-camera"
    case noteUnfinished = "note.unfinished"
    case noteBundleDamaged = "note.bundle-damaged"
  }

  public let code: Code
  /// What stands in the sentence's places `{name}`: whole numbers, numbers of photos from 1, names of files.
  public let values: [String: String]
  /// More for somebody who reads English, as a library or a reader of files said it; no sentence of the texts has it.
  public let detail: String?

  public init(_ code: Code, _ values: [String: String] = [:], detail: String? = nil) {
    self.code = code
    self.values = values
    self.detail = detail
  }

  /// The sentence in English, with its values and the detail.
  public var words: String {
    var words = ""
    var rest = code.english[...]
    // Once from left to right, so that a value with braces in it stays as it is.
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
  /// The sentences in English, one after the other.
  public var words: String { map(\.words).joined(separator: " ") }
}
