public import MienCore
public import MienImaging

/// Scores frames of a session for signs of a screen or print; must be used by one thread at a time.
///
/// The score is the sum of gradient-boosted trees (`Training/session.py`) over ``FrameMeasures``.
public struct FrameScorer {
  /// Mean step of the luma quantization table above which a frame is compressed too strongly: standard tables below a
  /// quality of about 24.
  static let largestStep = 120

  private var measures = FrameMeasures()

  public init() {}

  /// Scores a frame.
  ///
  /// - Parameters:
  ///   - frame: the decoded frame.
  ///   - face: box of the face as measured in this frame, without smoothing.
  ///   - lumaSteps: the JPEG's luma quantization table; `nil` if the frame was not a JPEG.
  public mutating func score(_ frame: Frame, face: FaceBox, lumaSteps: [UInt16]?) -> RecaptureReading {
    if let lumaSteps, lumaSteps.reduce(0, { $0 + Int($1) }) > Self.largestStep * lumaSteps.count {
      return .tooCompressed
    }
    guard let values = measures.measure(frame, face: face) else { return .tooSmall }
    return .score(Float(TextureForest.frames.score(values)))
  }
}

extension TextureForest {
  /// Trees for frames of a session, shipped with the package.
  static let frames: TextureForest = {
    guard
      let forest = TextureForest(FrameModelParameters.measures, FrameModelParameters.trees, among: FrameMeasures.names)
    else { preconditionFailure("the weights do not fit this program: run Training/session.py") }
    return forest
  }()
}
