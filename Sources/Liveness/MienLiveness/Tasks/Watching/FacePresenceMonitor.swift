internal import MienCore

/// Follows the one face through a task: graces, order of time, speed, and that it stays the same face.
struct FacePresenceMonitor: Hashable, Sendable {
  enum Admission: Hashable, Sendable {
    /// It does not count: not newer than the last sample.
    case ignored
    /// No face to judge in this sample.
    case nothing
    case face(TaskSample.Face)
    case failed(TaskFailure)
  }

  /// What a face must bring to be judged.
  let needed: FaceMeasures
  private(set) var began: MonotonicInstant
  private(set) var lastSample: MonotonicInstant?
  private(set) var samples = 0
  private(set) var faces = 0
  private(set) var hint: FramingHint?
  /// When the last judged face was seen, its yaw, pitch and roll (NaN where not measured), and its place.
  private(set) var faceAt: MonotonicInstant?
  private var pose = SIMD3<Float>.zero
  private var box: FaceBox?
  private var missingSince: MonotonicInstant?
  private var severalSince: MonotonicInstant?
  /// The last frame had a face that lacks a needed measure.
  private var lacksMeasure = false

  init(needed: FaceMeasures, began: MonotonicInstant) {
    self.needed = needed
    self.began = began
  }

  /// What time brings by `now` before `limit`: when and why the face counts as lost.
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

  /// Judges whether the sample goes on with the track. Call ``loss(by:before:_:)`` first.
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

  /// Why `new` cannot be the face that was seen `seconds` before; nil when it can.
  private func breaks(_ new: TaskSample.Face, after seconds: Float, _ settings: FacePresenceSettings) -> TaskFailure? {
    // A source that never says where the face is cannot be held to it; one that did must go on doing so.
    if let old = box {
      guard let box = new.box,
        box.continues(old, maximumShift: settings.maximumShift, maximumSizeRatio: settings.maximumSizeRatio)
      else { return .changedFace }
    }
    let reach = settings.maximumSpeed * seconds + settings.jitterTolerance
    let way = new.pose - pose
    // What is not measured does not jump.
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
