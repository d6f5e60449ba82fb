public import MienCore
internal import MienPlatform
public import MienMessageService
internal import MienVault

/// Returns the coefficients of a distinct expression as reported by a phone; of a neutral face for any other name.
public func performedFace(_ name: String?) -> Blendshapes {
  var face = Blendshapes()
  for shape: BlendshapeName in [
    .tongueOut, .eyeBlinkLeft, .eyeBlinkRight, .mouthPucker, .cheekPuff, .jawOpen, .browInnerUp, .browOuterUpLeft,
    .browOuterUpRight, .mouthSmileLeft, .mouthSmileRight,
  ] { face[shape] = 0.04 }
  let raised: [BlendshapeName] =
    switch name {
    case "smile": [.mouthSmileLeft, .mouthSmileRight]
    case "surprise": [.jawOpen, .browInnerUp]
    case "wink_r": [.eyeBlinkRight]
    case "smooch": [.mouthPucker]
    default: []
    }
  for shape in raised { face[shape] = 0.9 }
  return face
}

extension MessageSettings {
  /// Messages may open on claims, as these tests perform, and their keys cost next to nothing.
  public static var claiming: MessageSettings {
    var settings = MessageSettings()
    settings.allowsClaims = true
    if let cost = ScryptParameters(logRounds: 1, blockSize: 1, parallelism: 1) { settings.keyCost = cost }
    return settings
  }
}

extension CreateMessageOptions {
  /// A message that opens on claims.
  public static func claimed(text: String, steps: Steps) -> CreateMessageOptions {
    var options = CreateMessageOptions(text: text, steps: steps)
    options.needsFrames = false
    return options
  }
}

extension MessageService {
  /// Performs a sequence as observations of a device's own tracker, twenty per second, and returns the last step.
  public func perform(_ steps: [String], _ begun: Begun, by clock: ManualClock) async throws -> PerformanceStep {
    var last: PerformanceStep?
    for name in steps {
      for frame in 0..<16 {
        last = try await show(frame < 6 ? nil : name, begun, by: clock)
        if last?.state.isFinal == true { break }
      }
    }
    guard let last else { throw ServiceError(.badValue, "There was nothing to perform.") }
    return last
  }

  /// Sends one observation, a twentieth of a second after the previous one.
  public func show(_ name: String?, _ begun: Begun, by clock: ManualClock) async throws -> PerformanceStep {
    clock.advance(by: .milliseconds(50))
    var claim = ClientObservation(at: clock.now(), faceCount: 1, box: nil, pose: nil, blendshapes: nil)
    claim.blendshapes = performedFace(name)
    return try await self.claim([claim], of: begun.id, token: begun.token, client: "phone")
  }
}
