import Foundation
import MienClient
import MienViewModels
import MienCore
import MienAPI
import Testing

/// In-memory store that can be full.
final class MemoryStore: FlowStore {
  private let values = Box<[String: [UInt8]]>([:])
  private let full = Box(false)

  func read(_ name: String) -> [UInt8]? { values.value[name] }
  func write(_ name: String, _ value: [UInt8]?) throws {
    guard !full.value else { throw ViewError.lowStorage }
    values.change { $0[name] = value }
  }
  func fill(_ isFull: Bool = true) { full.change { $0 = isFull } }
}

/// Value protected by a lock.
final class Box<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var kept: Value

  init(_ value: Value) {
    kept = value
  }

  var value: Value { lock.withLock { kept } }
  func change(_ work: (inout Value) -> Void) { lock.withLock { work(&kept) } }
}

/// Camera that returns small images until it ends.
struct DrawnCamera: FlowCamera {
  var allowed = CameraPermission.granted
  var answer = CameraPermission.granted
  var problem: ViewError?
  var images = 1000
  /// Number of depth captures; `nil` for a camera without depth.
  var depth: Int?
  /// `true` if the camera hangs after its last depth capture.
  var hangs = false

  var measuresDepth: Bool { depth != nil }

  func permission() async -> CameraPermission { allowed }
  func ask() async -> CameraPermission { answer }
  func open() async throws -> any FrameSource {
    if let problem { throw problem }
    return RecordedFrames(left: images, depth: depth ?? 0, hangs: hangs)
  }

  private actor RecordedFrames: FrameSource {
    var left: Int
    var at = MonotonicInstant.zero
    private let depth: Int
    private let hangs: Bool
    private var measured = 0

    init(left: Int, depth: Int, hangs: Bool) {
      self.left = left
      self.depth = depth
      self.hangs = hangs
    }

    func nextDepth() async -> [UInt8]? {
      guard measured < depth else {
        if hangs { for await _ in AsyncStream<Void>.makeStream().stream {} }
        return nil
      }
      measured += 1
      return Array("depth-\(measured - 1)".utf8)
    }

    func next() async -> EncodedFrame? {
      guard left > 0 else { return nil }
      left -= 1
      at = at + .milliseconds(100)
      return EncodedFrame(bytes: [0xFF, 0xD8, UInt8(left % 256)], at: at)
    }
  }
}

/// Clock that advances by the requested delays, and by a step with each reading.
final class StepClock: ClientClock {
  private let time = Box(MonotonicInstant.zero)
  let step: Interval

  init(step: Interval = .milliseconds(20)) {
    self.step = step
  }

  func now() -> MonotonicInstant {
    time.change { $0 = $0 + step }
    return time.value
  }

  func sleep(for interval: Interval) async throws {
    try Task.checkCancellation()
    // The camera's timeout never expires, so that it cannot preempt a frame.
    guard interval < .seconds(8) else {
      for await _ in AsyncStream<Void>.makeStream().stream {}
      throw CancellationError()
    }
    time.change { $0 = $0 + interval }
    await Task.yield()
  }
}

/// Server that returns the responses of a list for each path; the last one is repeated.
actor PathServer: Transport {
  enum Answer: Sendable {
    case json(any Encodable & Sendable, Int = 200)
    case bytes([UInt8])
    case problem(String, Int, retryAfter: Int? = nil)
    case silence
  }

  private var answers: [String: [Answer]]
  private(set) var calls: [APIRequest] = []
  private var onCall: (@Sendable (APIRequest) async -> Void)?

  init(_ answers: [String: [Answer]]) {
    self.answers = answers
  }

  func heed(_ work: @escaping @Sendable (APIRequest) async -> Void) { onCall = work }
  func set(_ path: String, _ list: [Answer]) { answers[path] = list }

  nonisolated func send(_ call: APIRequest) async throws -> APIResponse {
    await onCall?(call)
    try Task.checkCancellation()
    return try await reply(call)
  }

  private func reply(_ call: APIRequest) throws -> APIResponse {
    calls.append(call)
    let path = "\(call.method) \(call.url.path)"
    guard var list = answers[path], let first = list.first else {
      throw ClientError(.unreachable, detail: "nobody answers \(path)")
    }
    if list.count > 1 { list.removeFirst() }
    answers[path] = list
    switch first {
    case .json(let value, let status): return APIResponse(status: status, body: Array(try JSONEncoder().encode(value)))
    case .bytes(let bytes): return APIResponse(status: 200, body: bytes)
    case .problem(let code, let status, let retryAfter):
      let problem = ProblemResponse(code: code, status: status, detail: "The words of \(code).")
      var reply = APIResponse(status: status, body: Array(try JSONEncoder().encode(problem)))
      if let retryAfter { reply.headers["retry-after"] = "\(retryAfter)" }
      return reply
    case .silence: throw ClientError(.unreachable, detail: "silence")
    }
  }
}

/// Records the effects requested by view models.
@MainActor final class EffectRecorder {
  private(set) var recorded: [Effect] = []
  private(set) lazy var handler = EffectHandler { [weak self] in self?.recorded.append($0) }

  var haptics: [Effect.Haptic] {
    recorded.compactMap { if case .haptic(let haptic) = $0 { haptic } else { nil } }
  }
  var said: [LocalizedText] { recorded.compactMap { if case .say(let text) = $0 { text } else { nil } } }
  var shared: [SharedFile] { recorded.compactMap { if case .share(let file) = $0 { file } else { nil } } }
}

@MainActor func network(_ transport: some Transport, clock: some ClientClock = StepClock()) throws -> FlowNetwork {
  FlowNetwork(
    server: try #require(URL(string: "https://mien.example")), transport: transport, clock: clock, client: "app")
}

/// Texts of the web pages.
enum Texts {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Web/assets/texts")

  static func load(_ language: String) throws -> LocalizationTable {
    try #require(LocalizationTable(Array(try Data(contentsOf: folder.appendingPathComponent("\(language).json")))))
  }

  /// Codes of all languages that have texts.
  static let languages = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
}
