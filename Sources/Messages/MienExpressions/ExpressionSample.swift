public import MienCore

/// What the expression machines eat of one frame: when, and whether there is one face.
public struct ExpressionSample: Hashable, Sendable {
  /// What was in the frame.
  public enum Sight: Hashable, Sendable {
    case face(ExpressionCoefficients)
    case noFace
    /// Two or more: nobody knows whose expression it is.
    case severalFaces
  }

  public let at: MonotonicInstant
  public let sight: Sight

  /// Makes a sample; a face of which nothing was measured becomes ``Sight/noFace``.
  public init(at: MonotonicInstant, sight: Sight) {
    self.at = at
    if case .face(let look) = sight, look.isEmpty { self.sight = .noFace } else { self.sight = sight }
  }

  /// What our own code saw in a frame.
  public init(_ observation: FaceObservation) {
    self.init(
      at: observation.at, faces: observation.faceCount, blendshapes: observation.face?.blendshapes, source: .tracker)
  }

  /// What a device or a recording claims.
  public init(_ claim: ClientObservation, source: ExpressionSource) {
    self.init(at: claim.at, faces: claim.faceCount, blendshapes: claim.blendshapes, source: source)
  }

  // Inlined, so that the 52 coefficients are read where they lie instead of being copied first.
  @inline(__always) private init(at: MonotonicInstant, faces: Int?, blendshapes: Blendshapes?, source: ExpressionSource)
  {
    if let faces, faces > 1 {
      self.init(at: at, sight: .severalFaces)
    } else if faces != 0, let blendshapes {
      self.init(at: at, sight: .face(ExpressionCoefficients(blendshapes, source: source)))
    } else {
      self.init(at: at, sight: .noFace)
    }
  }
}

extension ExpressionSample: CustomStringConvertible, CustomReflectable {
  public var description: String { "ExpressionSample(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ExpressionSample.Sight: CustomStringConvertible, CustomReflectable {
  public var description: String { "Sight(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
