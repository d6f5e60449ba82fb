public import MienAPI
internal import MienClient
internal import MienCore
public import Observation

/// View model of a depth enrollment: takes several depth captures of a face and has the server derive the person's
/// thresholds from them.
@MainActor @Observable public final class EnrollmentViewModel {
  public enum State: Hashable, Sendable {
    /// Next: `capturing`.
    case idle
    /// Number of captures so far. Next: `sending`, `idle` or `problem`.
    case capturing(Int)
    /// Next: `done` or `problem`.
    case sending
    /// Enrolled. Next: `capturing`.
    case done(EnrollmentResponse)
    case problem(ViewError)
  }

  /// Sends the captures and returns the response: `AccountClient.enroll`, or a request to the integrator's backend.
  public typealias Delivery =
    @MainActor @Sendable (_ person: String, _ captures: [[UInt8]]) async throws -> EnrollmentResponse

  public private(set) var state = State.idle

  /// Number of captures; the server needs at least three.
  public static let captures = 5
  /// Time between two captures, so that they differ.
  static let pause = Interval.milliseconds(600)

  private let network: FlowNetwork
  private let camera: any FlowCamera
  private let effects: EffectHandler
  private let deliver: Delivery
  private var work: Task<Void, Never>?

  /// - Parameters:
  ///   - network: requests to the server.
  ///   - camera: source of the frames.
  ///   - effects: performs what concerns the device, such as sounds.
  ///   - deliver: `nil` to enroll with the account of the signed-in user.
  public init(network: FlowNetwork, camera: any FlowCamera, effects: EffectHandler, deliver: Delivery? = nil) {
    self.network = network
    self.camera = camera
    self.effects = effects
    self.deliver = deliver ?? { person, captures in try await network.account.enroll(person, depth: captures) }
  }

  /// `true` if the text can be the pseudonym of a person: 1 to 64 characters of `A–Z a–z 0–9 - _`.
  public static func isValid(person: String) -> Bool { PersonID(person) != nil }

  /// Takes the captures and enrolls the person.
  public func begin(person: String) async {
    switch state {
    case .capturing, .sending: return
    case .idle, .done, .problem: break
    }
    guard Self.isValid(person: person) else { return }
    guard camera.measuresDepth else { return fail(ViewError.noDepth) }
    state = .capturing(0)
    let task = Task { await perform(person) }
    work = task
    await task.value
  }

  public func stop() {
    work?.cancel()
    work = nil
    state = .idle
  }

  /// Current instruction.
  public var instruction: LocalizedText? {
    switch state {
    case .idle: nil
    case .capturing(let count):
      LocalizedText("app.enroll.capturing", ["number": "\(count)", "count": "\(Self.captures)"])
    case .sending: LocalizedText("app.enroll.sending")
    case .done: LocalizedText("app.enroll.done")
    case .problem(let problem): problem.notices().first?.title
    }
  }

  private func perform(_ person: String) async {
    do {
      let source = try await camera.opened()
      var captures: [[UInt8]] = []
      while captures.count < Self.captures, let capture = await source.nextDepth() {
        guard case .capturing = state, !Task.isCancelled else { break }
        captures.append(capture)
        state = .capturing(captures.count)
        effects.feel(.step)
        if captures.count < Self.captures { try? await network.clock.sleep(for: Self.pause) }
      }
      await source.close()
      guard case .capturing = state, !Task.isCancelled else { return }
      guard captures.count == Self.captures else { throw ViewError.cameraLost }
      state = .sending
      let enrolled = try await deliver(person, captures)
      guard state == .sending else { return }
      state = .done(enrolled)
      effects.feel(.success)
    } catch is CancellationError {
      return
    } catch {
      fail(error)
    }
  }

  private func fail(_ error: any Error) {
    state = .problem(network.problem(error))
    effects.feel(.failure)
  }
}
