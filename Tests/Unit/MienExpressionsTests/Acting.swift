import MienTestGenerators
import Foundation
import MienExpressions
import MienCore

/// Simulated person who makes facial expressions: produces observations at a constant rate.
struct Actor {
  var samples: [ExpressionSample] = []
  var time = 0.0
  var interval: Double
  var source: ExpressionSource
  /// Coefficients of the resting face.
  var rest: [BlendshapeName: Float] = [:]
  var noise: Float = 0
  var randomness = SplitMixGenerator(seed: 1)

  init(fps: Double = 30, source: ExpressionSource = .phone) {
    interval = 1 / fps
    self.source = source
  }

  /// Returns the coefficients of a distinct expression.
  static func shape(_ expression: FaceExpression, source: ExpressionSource = .phone) -> [BlendshapeName: Float] {
    switch expression {
    case .winkLeft: [.eyeBlinkLeft: 0.9, .eyeBlinkRight: 0.15]
    case .winkRight: [.eyeBlinkRight: 0.9, .eyeBlinkLeft: 0.15]
    // A tongue also opens the jaw and rounds the mouth, which alone would be other expressions.
    case .tongueOut: [.tongueOut: 0.8, .jawOpen: 0.6, .browInnerUp: 0.6, .mouthPucker: 0.55]
    case .surprise: [.jawOpen: 0.7, .browInnerUp: 0.8, .browOuterUpLeft: 0.7, .browOuterUpRight: 0.7]
    case .smile: [.mouthSmileLeft: 0.8, .mouthSmileRight: 0.75]
    case .smooch: source == .phone ? [.cheekPuff: 0.7] : [.mouthPucker: 0.9]
    }
  }

  mutating func show(_ shape: [BlendshapeName: Float], without missing: Set<BlendshapeName> = []) {
    var shapes = Blendshapes()
    for name in BlendshapeName.allCases where !missing.contains(name) {
      let value = max(shape[name] ?? 0.02, rest[name] ?? 0.02)
      shapes[name] = value + Float.random(in: -1...1, using: &randomness) * noise
    }
    let claim = ClientObservation(
      at: .zero + .seconds(time), faceCount: 1, box: nil, pose: nil, blendshapes: shapes)
    samples.append(ExpressionSample(claim, source: source))
    time += interval
  }

  mutating func hold(
    _ shape: [BlendshapeName: Float], _ seconds: Double, without missing: Set<BlendshapeName> = []
  ) {
    let end = time + seconds - interval / 2
    while time < end { show(shape, without: missing) }
  }

  mutating func neutral(_ seconds: Double = 0.3) { hold([:], seconds) }

  mutating func perform(_ expression: FaceExpression, _ seconds: Double = 0.7) {
    hold(Self.shape(expression, source: source), seconds)
    neutral()
  }

  mutating func empty(_ sight: ExpressionSample.Sight, _ seconds: Double) {
    let end = time + seconds - interval / 2
    while time < end {
      samples.append(ExpressionSample(at: .zero + .seconds(time), sight: sight))
      time += interval
    }
  }
}

extension ExpressionDetector {
  /// Processes all samples and returns the recognized expressions.
  mutating func process(all samples: [ExpressionSample]) -> [RecognizedExpression] {
    samples.compactMap { if case .performed(let performed) = process($0) { performed } else { nil } }
  }
}

/// Folder with the recordings, if available.
enum SharedData {
  static let folder: URL? = {
    if let named = ProcessInfo.processInfo.environment["MIEN_SHARED"] {
      let data = URL(fileURLWithPath: named).appendingPathComponent("data")
      return FileManager.default.fileExists(atPath: data.path) ? data : nil
    }
    var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    while folder.path != "/" {
      let data = folder.appendingPathComponent("shared/data")
      if FileManager.default.fileExists(atPath: data.path) { return data }
      folder.deleteLastPathComponent()
    }
    return nil
  }()

  /// Reports whether the folder is available, and prints a message if it is not.
  static func isThere(_ suite: String) -> Bool {
    if folder == nil { print("SKIPPED \(suite): shared/data not found") }
    return folder != nil
  }
}
