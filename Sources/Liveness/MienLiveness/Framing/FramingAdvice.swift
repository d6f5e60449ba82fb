public import MienCore

/// Derives framing hints that help a subject position their face.
public struct FramingAdvice: Sendable {
  public let settings: FramingSettings

  public init(settings: FramingSettings = .standard) {
    self.settings = settings
  }

  /// Returns the hints for one frame, most important first; empty if the face is well framed.
  ///
  /// - Parameters:
  ///   - observation: the tracker's observation of the frame.
  ///   - isCovered: `true` if ``FaceCoverDetector`` found the face covered.
  public func hints(for observation: FaceObservation, isCovered: Bool = false) -> [FramingHint] {
    if observation.faceCount > 1 { return [.severalFaces] }
    var hints: [FramingHint] = []
    if let face = observation.face {
      hints = placing(face.box)
    } else {
      // A subject who is far away has only a small face.
      hints = [observation.smallFaces > 0 ? .tooFar : .noFace]
    }
    if let light = lighting(observation.brightness) { hints.append(light) }
    if isCovered { hints.append(.faceCovered) }
    if observation.face != nil, observation.smallFaces > 0 { hints.append(.othersBehind) }
    return hints
  }

  /// Returns the hints for an observation reported by a client, which contains no lighting data.
  public func hints(for claim: ClientObservation) -> [FramingHint] {
    if let count = claim.faceCount, count > 1 { return [.severalFaces] }
    guard claim.hasFace else { return [.noFace] }
    return claim.box.map(placing) ?? []
  }

  private func placing(_ box: FaceBox) -> [FramingHint] {
    guard box.isPlausible else { return [.noFace] }
    var hints: [FramingHint] = []
    if box.height < settings.smallest { hints.append(.tooFar) }
    if box.height > settings.largest { hints.append(.tooClose) }
    if abs(box.centerX - 0.5) > settings.maximumOffset || abs(box.centerY - 0.5) > settings.maximumOffset {
      hints.append(.offCenter)
    }
    return hints
  }

  private func lighting(_ brightness: Float) -> FramingHint? {
    if brightness < settings.darkest { return .tooDark }
    return brightness > settings.brightest ? .tooBright : nil
  }
}

/// Limits for a well-framed face. The initializer validates every value.
public struct FramingSettings: Hashable, Sendable {
  /// Luma of the face region below which it is too dark, and above which it is too bright, 0…255.
  public let darkest: Float
  public let brightest: Float
  /// Height of the face box as a fraction of the image height: below `smallest` the face is too far, above `largest` too close.
  public let smallest: Float
  public let largest: Float
  /// Maximum distance of the face center from the image center, as a fraction of the image width and height, 0.02…0.5.
  public let maximumOffset: Float

  /// Returns `nil` if a value is outside its documented range, or if a range is empty.
  public init?(
    darkest: Float = 40, brightest: Float = 235, smallest: Float = 0.22, largest: Float = 0.9,
    maximumOffset: Float = 0.22
  ) {
    guard darkest >= 0, brightest <= 255, darkest < brightest, smallest > 0, largest <= 2, smallest < largest,
      (0.02...0.5).contains(maximumOffset)
    else { return nil }
    self.darkest = darkest
    self.brightest = brightest
    self.smallest = smallest
    self.largest = largest
    self.maximumOffset = maximumOffset
  }

  /// Default settings.
  public static let standard: FramingSettings = {
    guard let settings = FramingSettings() else { preconditionFailure("the defaults are in their own ranges") }
    return settings
  }()
}
