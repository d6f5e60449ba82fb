public import MienCore
public import MienFaceMatch
public import MienPlatform

/// Compares the faces of images, one to one. It stores nothing.
public struct FaceComparer: Sendable {
  /// A face of an image, and whether it can be compared.
  public struct Face: Sendable {
    public let observation: FaceObservation
    /// The reason why the face is not compared.
    public let problem: FaceImageProblem?
    /// Set if there is no problem.
    public let template: FaceTemplate?
  }

  /// The result of a comparison.
  public enum Outcome: Hashable, Sendable {
    case match(similarity: Float)
    case noMatch(similarity: Float)
    /// A face of the reference or of the other image cannot be compared.
    case notAssessed(reference: FaceImageProblem?, image: FaceImageProblem?)
  }

  /// A comparison of two images with one face each.
  public struct Comparison: Sendable {
    public let outcome: Outcome
    /// The largest face of each image; `nil` if there is none.
    public let reference: FaceObservation?
    public let image: FaceObservation?
  }

  let matcher: any FaceMatching
  public let gate: FaceQualityGate
  public let threshold: MatchThreshold

  public init(
    _ matcher: any FaceMatching, gate: FaceQualityGate = FaceQualityGate(), threshold: MatchThreshold = .standard
  ) {
    self.matcher = matcher
    self.gate = gate
    self.threshold = threshold
  }

  /// Returns the faces of an image, largest first.
  ///
  /// - Parameters:
  ///   - most: maximum number of faces.
  ///   - mayHaveOthers: `false` if an image with several faces is a problem of each.
  /// - Throws: ``ServiceError`` if the data is not a supported image or no model is available.
  public func faces(in image: [UInt8], most: Int, mayHaveOthers: Bool) async throws -> [Face] {
    do {
      var faces: [Face] = []
      for observation in try await matcher.faces(in: image, most: most) {
        let problem = gate.problem(of: observation, mayHaveOthers: mayHaveOthers)
        var template: FaceTemplate?
        if problem == nil, let aligned = observation.aligned { template = try await matcher.template(of: aligned) }
        faces.append(Face(observation: observation, problem: problem, template: template))
      }
      return faces
    } catch let error as FaceTrackingError {
      throw ServiceError(error)
    }
  }

  /// Returns the only face of an image, or the reason why it cannot be compared.
  public func face(in image: [UInt8]) async throws -> (face: Face?, problem: FaceImageProblem?) {
    // A second face is a problem, however many there are.
    let first = try await faces(in: image, most: 2, mayHaveOthers: false).first
    return (first, first.map(\.problem) ?? .noFace)
  }

  /// Compares the faces of two images with one face each.
  public func compare(reference: [UInt8], image: [UInt8]) async throws -> Comparison {
    let first = try await face(in: reference)
    let second = try await face(in: image)
    return Comparison(
      outcome: outcome(first, second), reference: first.face?.observation, image: second.face?.observation)
  }

  private func outcome(
    _ first: (face: Face?, problem: FaceImageProblem?), _ second: (face: Face?, problem: FaceImageProblem?)
  ) -> Outcome {
    guard let one = first.face?.template, let other = second.face?.template else {
      return .notAssessed(reference: first.problem, image: second.problem)
    }
    let similarity = one.similarity(to: other)
    return threshold.isMatch(similarity) ? .match(similarity: similarity) : .noMatch(similarity: similarity)
  }
}

extension FaceComparer.Face: CustomStringConvertible, CustomReflectable {
  public var description: String { "Face(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension FaceComparer.Comparison: CustomStringConvertible, CustomReflectable {
  public var description: String { "Comparison(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
