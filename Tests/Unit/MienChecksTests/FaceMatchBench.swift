import MienTestGenerators
import Foundation
import MienChecks
import MienCore
import MienFaceMatch
import MienPlatform
import MienStore
import MienTestSupport
import Testing

/// Tracker that cuts out the face of a person whose number is in the frame's mark: `mark / 10_000`.
struct FaceObserver: FaceTracking {
  private let scripted = ScriptedObserver()

  func newTrack() -> FaceTrack { scripted.newTrack() }

  func observe(
    _ frame: EncodedFrame, after track: FaceTrack, in session: FrameSession
  ) async throws -> (observation: FaceObservation, track: FaceTrack, took: Interval) {
    var seen = try await scripted.observe(frame, after: track, in: session)
    let mark = Int(String(decoding: frame.bytes, as: UTF8.self).split(separator: " ").last ?? "") ?? 0
    if session.alignsFaces { seen.observation.aligned = Self.face(of: mark / 10_000) }
    return seen
  }

  func obstacles() async -> [UnavailableReason] { [] }

  static func face(of person: Int, eyes: Float = 60) -> AlignedFace? {
    AlignedFace(
      samples: ContiguousArray(repeating: UInt8(person), count: AlignedFace.count), eyeDistance: eyes)
  }
}

/// Recognition of these faces: every person has their own axis. An image is `face PERSON COUNT EYES`.
struct FaceRecognizer: FaceMatching {
  func faces(in image: [UInt8], most: Int) async throws -> [FaceObservation] {
    let parts = String(decoding: image, as: UTF8.self).split(separator: " ")
    guard parts.count == 4, let person = Int(parts[1]), let count = Int(parts[2]), let eyes = Float(parts[3]) else {
      throw FaceTrackingError(.notAImage, reason: "this is not an image")
    }
    guard count > 0 else { return [] }
    let track = ScriptedObserver().newTrack()
    var observation = try await ScriptedObserver().observe(
      EncodedFrame(bytes: ScriptedObserver.frame(yaw: 0, faces: count, mark: 0), at: .zero), after: track,
      in: .comparison
    ).observation
    observation.aligned = FaceObserver.face(of: person, eyes: eyes)
    return Array(repeating: observation, count: min(count, most))
  }

  func template(of face: AlignedFace) async throws -> FaceTemplate {
    var values = [Float](repeating: 0, count: FaceTemplate.count)
    values[Int(face.samples[0])] = 1
    guard let template = FaceTemplate(values) else { throw FaceTrackingError(.busy, reason: "none") }
    return template
  }

  func obstacles() async -> [UnavailableReason] { [] }
}

/// Returns a picture that ``FaceRecognizer`` reads.
func image(of person: Int, count: Int = 1, eyes: Float = 60) -> [UInt8] {
  Array("face \(person) \(count) \(eyes)".utf8)
}

/// Service with a scripted tracker and recognition.
struct FaceMatchBench {
  let clock = ManualClock(at: MonotonicInstant(nanoseconds: 1_000_000_000))
  let path: String
  let store: SQLiteStore
  let service: LivenessCheckService

  init(recognizes: Bool = true, _ adjust: (inout ServiceSettings) -> Void = { _ in }) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-match-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appendingPathComponent("mien.sqlite").path
    store = try SQLiteStore(path: path)
    var settings = ServiceSettings.scripted
    adjust(&settings)
    service = LivenessCheckService(
      store: store, observer: FaceObserver(), clock: clock, settings: settings,
      generator: SplitMixGenerator(seed: 3), comparer: recognizes ? FaceComparer(FaceRecognizer()) : nil)
  }

  func create(
    reference: [UInt8]? = nil, attempts: Int = 1, person: PersonID? = nil, template: TemplateUse? = nil
  ) async throws -> (check: CheckRecord, token: String) {
    try await service.create(
      side: .subjectLeft, person: person, expectsDepth: false, reference: nil, attempts: attempts,
      referenceImage: reference, templateUse: template)
  }

  /// Turns the head slowly to the requested side and back. `person` returns who is in front of the camera in an
  /// attempt; `direction` is 1 on the way out and −1 on the way back. `during` runs before each frame.
  func play(
    _ id: CheckID, _ token: String, person: (_ direction: Int, _ attempt: Int) -> Int,
    during: () async throws -> Void = {}
  ) async throws -> CheckStep {
    let path =
      stride(from: Float(0), through: 30, by: 2).map { ($0, 1) }
      + stride(from: Float(30), through: 0, by: -2).map { ($0, -1) }
    var rest = path
    var step: CheckStep?
    for _ in 0..<400 where step?.isOver != true {
      let attempt = step?.attempt?.number ?? 1
      var (yaw, direction): (Float, Int) = (0, 1)
      if step?.state == "tracking" {
        if !rest.isEmpty { (yaw, direction) = rest.removeFirst() } else { direction = -1 }
      } else {
        rest = path
      }
      if step?.side == .subjectRight { yaw = -yaw }
      try await during()
      clock.advance(by: .milliseconds(100))
      // Frames must differ from those of earlier checks.
      let mark = Int(clock.now().nanoseconds / 100_000_000) % 10_000
      step = try await service.processFrame(
        at: ScriptedObserver.frame(yaw: yaw, mark: person(direction, attempt) * 10_000 + mark), of: id, token: token,
        client: "page", capturedAt: nil)
    }
    return try #require(step)
  }

  func result(_ id: CheckID) async throws -> CheckResult { try #require(try await service.read(id).result) }
}

/// Returns the result of a check of this name.
func finding(_ name: String, _ result: CheckResult) -> Finding.Result? {
  result.findings.first { $0.check == name }?.result
}
