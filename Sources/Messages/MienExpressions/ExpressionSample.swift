public import MienCore

/// Input of the expression detectors for one frame: timestamp and face presence.
public struct ExpressionSample: Hashable, Sendable {
  /// Content of the frame.
  public enum Sight: Hashable, Sendable {
    case face(ExpressionCoefficients)
    case noFace
    /// Two or more faces, so the expression cannot be attributed.
    case severalFaces
  }

  public let at: MonotonicInstant
  public let sight: Sight

  /// Creates a sample. A face without any measured coefficient becomes ``Sight/noFace``.
  public init(at: MonotonicInstant, sight: Sight) {
    self.at = at
    if case .face(let look) = sight, look.isEmpty { self.sight = .noFace } else { self.sight = sight }
  }

  /// Creates a sample from an observation of the server's own analysis.
  public init(_ observation: FaceObservation) {
    self.init(
      at: observation.at, faces: observation.faceCount, blendshapes: observation.face?.blendshapes, source: .tracker)
  }

  /// Creates a sample from an observation reported by a client or a recording.
  public init(_ claim: ClientObservation, source: ExpressionSource) {
    self.init(at: claim.at, faces: claim.faceCount, blendshapes: claim.blendshapes, source: source)
  }

  // Inlined, so that the 52 coefficients are read in place instead of being copied first.
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
