public import MienCore

/// Monitors the face during a task: grace periods, chronological order, speed, and continuity of the face.
struct FacePresenceMonitor: Hashable, Sendable {
  enum Admission: Hashable, Sendable {
    /// The sample was ignored: not newer than the last one.
    case ignored
    /// The sample contains no face to evaluate.
    case nothing
    case face(TaskSample.Face)
    case failed(TaskFailure)
  }

  /// Measures that a face must provide to be evaluated.
  let needed: FaceMeasures
  private(set) var began: MonotonicInstant
  private(set) var lastSample: MonotonicInstant?
  private(set) var samples = 0
  private(set) var faces = 0
  private(set) var hint: FramingHint?
  /// Timestamp of the last evaluated face; its yaw, pitch, and roll (NaN if not measured); and its box.
  private(set) var faceAt: MonotonicInstant?
  private var pose = SIMD3<Float>.zero
  private var box: FaceBox?
  private var missingSince: MonotonicInstant?
  private var severalSince: MonotonicInstant?
  /// `true` if the last frame had a face that lacks a required measure.
  private var lacksMeasure = false

  init(needed: FaceMeasures, began: MonotonicInstant) {
    self.needed = needed
    self.began = began
  }

  /// Returns the instant and the reason of a face loss that is due by `now` and occurs before `limit`.
  func loss(by now: MonotonicInstant, before limit: MonotonicInstant, _ settings: FacePresenceSettings) -> (
    at: MonotonicInstant, because: TaskFailure
  )? {
    var loss = (lastSample ?? began) + settings.silenceGrace
    var reason = TaskFailure.faceLost
    if let missingSince, missingSince + settings.faceLossGrace < loss {
      loss = missingSince + settings.faceLossGrace
      reason = lacksMeasure ? .notMeasured : .faceLost
    }
    if let severalSince, severalSince + settings.severalFacesGrace < loss {
      loss = severalSince + settings.severalFacesGrace
      reason = .severalFaces
    }
    return now > loss && loss < limit ? (loss, reason) : nil
  }

  /// Evaluates whether the sample continues the track. Call ``loss(by:before:_:)`` first.
  mutating func admit(_ sample: TaskSample, _ settings: FacePresenceSettings) -> Admission {
    if let lastSample {
      if sample.at < lastSample { return .failed(.timestampsBackwards) }
      if sample.at == lastSample { return .ignored }
    }
    lastSample = sample.at
    samples += 1
    guard samples <= settings.maximumSamples else { return .failed(.tooManyObservations) }
    switch sample.sight {
    case .noFace:
      miss(at: sample.at, lacksMeasure: false)
      return .nothing
    case .severalFaces:
      if severalSince == nil { severalSince = sample.at }
      hint = .severalFaces
      return .nothing
    case .face(let face):
      guard needed.areIn(face) else {
        miss(at: sample.at, lacksMeasure: true)
        return .nothing
      }
      if let faceAt, let failure = breaks(face, after: Float(sample.at.since(faceAt).inSeconds), settings) {
        return .failed(failure)
      }
      faceAt = sample.at
      pose = face.pose
      box = face.box
      faces += 1
      missingSince = nil
      severalSince = nil
      hint = nil
      return .face(face)
    }
  }

  private mutating func miss(at: MonotonicInstant, lacksMeasure: Bool) {
    if missingSince == nil { missingSince = at }
    self.lacksMeasure = lacksMeasure
    hint = .noFace
  }

  /// Returns the reason `new` cannot be the face that was seen `seconds` earlier, or `nil` if it can.
  private func breaks(_ new: TaskSample.Face, after seconds: Float, _ settings: FacePresenceSettings) -> TaskFailure? {
    // A source that never reports a box is not checked; a source that did must continue to do so.
    if let old = box {
      guard let box = new.box,
        box.continues(old, maximumShift: settings.maximumShift, maximumSizeRatio: settings.maximumSizeRatio)
      else { return .changedFace }
    }
    let reach = settings.maximumSpeed * seconds + settings.jitterTolerance
    let change = new.pose - pose
    // Comparisons with NaN are false, so unmeasured angles never fail.
    return abs(change.x) > reach || abs(change.y) > reach || abs(change.z) > reach ? .wrongMovement : nil
  }
}

extension FacePresenceMonitor: BinaryStateCodable {
  mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&began)
    coder.pass(&lastSample)
    coder.pass(&samples)
    coder.pass(&faces)
    coder.pass(choice: &hint)
    coder.pass(&faceAt)
    coder.pass(&pose)
    coder.pass(&box)
    coder.pass(&missingSince)
    coder.pass(&severalSince)
    coder.pass(&lacksMeasure)
  }
}

/// Limits for the face during any task except the head turn, which has its own. The initializer validates every value.
public struct FacePresenceSettings: Hashable, Sendable {
  /// Grace period for a missing face, counted from the first frame without it, 0…10 s.
  public let faceLossGrace: Interval
  /// Grace period for several faces, counted from the first such frame, 0…10 s.
  public let severalFacesGrace: Interval
  /// Time without any frame after which the face counts as lost. At least `faceLossGrace`, up to 60 s.
  public let silenceGrace: Interval
  /// Maximum plausible speed of any head angle in degrees per second, 50…10000.
  public let maximumSpeed: Float
  /// Angle error in degrees between two samples, 0…45.
  public let jitterTolerance: Float
  /// Maximum movement of the face center between two samples, in face widths. Above 0, up to 10.
  public let maximumShift: Float
  /// Maximum factor by which the face size may change between two samples. Above 1, up to 10.
  public let maximumSizeRatio: Float
  /// Maximum number of samples in one task, 16…65536.
  public let maximumSamples: Int

  /// Returns `nil` if a value is outside its documented range.
  public init?(
    faceLossGrace: Interval = .milliseconds(500), severalFacesGrace: Interval = .milliseconds(500),
    silenceGrace: Interval = .seconds(2), maximumSpeed: Float = 500, jitterTolerance: Float = 6,
    maximumShift: Float = 0.7, maximumSizeRatio: Float = 1.6, maximumSamples: Int = 16_384
  ) {
    let graces = Interval.zero...Interval.seconds(10)
    guard graces.contains(faceLossGrace), graces.contains(severalFacesGrace),
      (faceLossGrace...Interval.seconds(60)).contains(silenceGrace), (50...10_000).contains(maximumSpeed),
      (0...45).contains(jitterTolerance), maximumShift > 0, maximumShift <= 10, maximumSizeRatio > 1,
      maximumSizeRatio <= 10, (16...65_536).contains(maximumSamples)
    else { return nil }
    self.faceLossGrace = faceLossGrace
    self.severalFacesGrace = severalFacesGrace
    self.silenceGrace = silenceGrace
    self.maximumSpeed = maximumSpeed
    self.jitterTolerance = jitterTolerance
    self.maximumShift = maximumShift
    self.maximumSizeRatio = maximumSizeRatio
    self.maximumSamples = maximumSamples
  }

  /// Default settings.
  public static let standard: FacePresenceSettings = {
    guard let settings = FacePresenceSettings() else { preconditionFailure("the defaults are in their own ranges") }
    return settings
  }()
}

extension FaceBox {
  /// Reports whether this box continues a track whose last box was `old`, in position and size.
  ///
  /// - Parameters:
  ///   - maximumShift: Maximum movement of the center, in face widths and heights.
  ///   - maximumSizeRatio: Maximum factor by which the square root of the area may have changed.
  func continues(_ old: FaceBox, maximumShift: Float, maximumSizeRatio: Float) -> Bool {
    let width = (old.width + self.width) / 2
    let height = (old.height + self.height) / 2
    let right = (centerX - old.centerX) / width
    let down = (centerY - old.centerY) / height
    let shift = (right * right + down * down).squareRoot()
    let ratio = (self.width * self.height / (old.width * old.height)).squareRoot()
    return shift <= maximumShift && ratio <= maximumSizeRatio && ratio * maximumSizeRatio >= 1
  }
}
