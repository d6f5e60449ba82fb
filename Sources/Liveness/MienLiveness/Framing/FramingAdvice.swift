public import MienCore

/// Derives framing hints that help a subject position their face.
public struct FramingAdvice: Sendable {
  public let settings: FramingSettings

  public init(settings: FramingSettings = .standard) {
    self.settings = settings
  }

  /// Returns the hints for one frame, most important first; empty if the face is well framed.
  public func hints(for observation: FaceObservation) -> [FramingHint] {
    if observation.faceCount > 1 { return [.severalFaces] }
    var hints: [FramingHint] = []
    if let face = observation.face {
      hints = placing(face.box)
    } else {
      hints = [.noFace]
    }
    if let light = lighting(observation.brightness) { hints.append(light) }
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
