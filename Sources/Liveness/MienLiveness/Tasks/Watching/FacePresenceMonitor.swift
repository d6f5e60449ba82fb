internal import MienCore

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
    let way = new.pose - pose
    // Comparisons with NaN are false, so unmeasured angles never fail.
    return abs(way.x) > reach || abs(way.y) > reach || abs(way.z) > reach ? .wrongMovement : nil
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
