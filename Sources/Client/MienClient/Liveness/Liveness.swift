internal import Foundation
public import MienAPI
internal import MienCore

/// Liveness check in an app: takes options, a session and a camera, and delivers steps to show and a result.
///
/// The names follow the vendor's SDK that integrators know. The app provides the user interface and the camera.
public struct Liveness: Sendable {
  public typealias Outcome = @MainActor @Sendable (LivenessData) -> Void

  /// Source of the check's credentials.
  public enum SessionSource: Sendable {
    /// Session that the app already has.
    case given(CheckSession)
    /// Closure that requests a session from the app's backend when the check starts.
    case asked(@Sendable (CreateSessionRequest) async throws -> CheckSession)
  }

  public var server: LivenessServer
  public var options: LivenessOptions
  public var session: SessionSource
  /// Called when the check is closed before its end, or by ``LivenessSession/close()``.
  public var onClose: (@MainActor @Sendable () -> Void)?
  /// Called when the check is passed.
  public var onSuccess: Outcome?
  /// Called with the error when the check is not passed.
  public var onFailure: Outcome?
  public var retryPolicy = RetryPolicy()
  public var transport: any Transport = URLSessionTransport()
  public var clock: any ClientClock = MonotonicClock()
  /// Name of this app instance; lets the server recognize it as the client that started a check.
  public var client = MonotonicClock.clientName()

  /// Creates a check with options as values.
  public init(server: LivenessServer, options: LivenessOptions = LivenessOptions(), session: SessionSource) {
    self.server = server
    self.options = options
    self.session = session
  }

  /// Creates a check from the response of the `/v1` API to the backend.
  public init(server: LivenessServer, options: LivenessOptions = LivenessOptions(), check: CreateCheckResponse) {
    self.init(server: server, options: options, session: .given(CheckSession(id: check.id, token: check.token)))
  }

  /// Creates a check with the parameters of the vendor's SDK, plus the server's address.
  ///
  /// - Parameters:
  ///   - server: the server's address.
  ///   - publicKey: as in the vendor's SDK; not evaluated.
  ///   - sandboxEnvironment: as in the vendor's SDK; the session's realm decides.
  ///   - tasks: tasks of a session that was generated without; `nil` for the session's own.
  ///   - user: the subject, for the display.
  ///   - branding: colors and texts of the display.
  ///   - allowAudio: `true` to read instructions aloud.
  ///   - metadata: returned with the result, unchanged.
  ///   - onClose: called when the person closes the check.
  ///   - onSuccess: called with the result of a passed check.
  ///   - onFailure: called with the result of any other.
  ///   - sessionId: from the backend (`session/generate`, or `id` of `POST /v1/checks`).
  ///   - sessionToken: from the backend (`liveness/token`, or `token` of `POST /v1/checks`).
  public init(
    server: LivenessServer, publicKey: String? = nil, sandboxEnvironment: Bool = true,
    tasks: [TaskProperties]? = nil, user: LivenessUser? = nil, branding: Branding? = nil, allowAudio: Bool = false,
    metadata: (any Sendable)? = nil, onClose: (@MainActor @Sendable () -> Void)? = nil, onSuccess: Outcome? = nil,
    onFailure: Outcome? = nil, sessionId: String, sessionToken: String
  ) {
    self.init(
      server: server,
      options: LivenessOptions(
        publicKey: publicKey, sandboxEnvironment: sandboxEnvironment, tasks: tasks, user: user, branding: branding,
        allowAudio: allowAudio, metadata: metadata),
      session: .given(CheckSession(id: sessionId, token: sessionToken)))
    self.onClose = onClose
    self.onSuccess = onSuccess
    self.onFailure = onFailure
  }

  /// Performs the check within the caller's task. Canceling the task ends it.
  ///
  /// - Parameters:
  ///   - camera: closed at the end in every case.
  ///   - progress: called for every step, on an arbitrary thread.
  /// - Throws: `CancellationError`. All other outcomes are results.
  public func check(
    camera: any FrameSource, progress: @escaping @Sendable (LivenessProgress) -> Void = { _ in }
  ) async throws -> LivenessData {
    try await check(camera: camera, connection: ConnectionHolder(), progress: progress)
  }

  private func check(
    camera: any FrameSource, connection: ConnectionHolder, progress: @escaping @Sendable (LivenessProgress) -> Void
  ) async throws -> LivenessData {
    do {
      let data = try await perform(camera: camera, connection: connection, progress: progress)
      await camera.close()
      return data
    } catch {
      await camera.close()
      throw error
    }
  }

  /// Starts the check. The returned session delivers its steps and result; `onClose` is the only callback that is
  /// called.
  public func run(camera: any FrameSource) -> LivenessSession {
    let connection = ConnectionHolder()
    return LivenessSession(onClose: onClose, connection: connection) { progress in
      try await check(camera: camera, connection: connection, progress: progress)
    }
  }

  /// Starts the check and reports its result through the callbacks; see ``run(camera:)`` for the alternative.
  ///
  /// - Parameters:
  ///   - tasks: replace those of the options.
  ///   - camera: source of the frames.
  /// - Returns: the session, to show its steps or to close it.
  @discardableResult
  public func startSDK(tasks: [TaskProperties]? = nil, camera: any FrameSource) -> LivenessSession {
    var liveness = self
    if let tasks { liveness.options.tasks = tasks }
    let chosen = liveness
    let connection = ConnectionHolder()
    return LivenessSession(onClose: onClose, connection: connection) { progress in
      let data = try await chosen.check(camera: camera, connection: connection, progress: progress)
      await (data.passed ? chosen.onSuccess : chosen.onFailure)?(data)
      return data
    }
  }

  private func perform(
    camera: any FrameSource, connection: ConnectionHolder, progress: @Sendable (LivenessProgress) -> Void
  ) async throws -> LivenessData {
    let given: CheckSession
    switch session {
    case .given(let session): given = session
    case .asked(let ask):
      do {
        given = try await ask(options.options)
      } catch {
        try Task.checkCancellation()
        return data(.noSession, session: nil, face: nil)
      }
    }
    guard !given.token.isEmpty else {
      let error = ClientError(.unauthorized, detail: "The session's token is empty.")
      return data(.refused(error), session: given, face: nil)
    }
    let line: CheckConnection
    do {
      line = try CheckConnection(
        server: server.address(sandboxEnvironment: options.sandboxEnvironment), session: given, client: client,
        transport: transport)
    } catch let error as ClientError {
      return data(.refused(error), session: given, face: nil)
    }
    if case .given = session, let tasks = options.options.tasks, let error = try await choose(tasks, line) {
      return data(.refused(error), session: given, face: nil)
    }
    await connection.hold(line)
    let drive = CheckRunner(line: line, camera: camera, clock: clock, retryPolicy: retryPolicy)
    let outcome = try await drive.run(progress: progress)
    return data(outcome.ending, session: given, face: outcome.face)
  }

  /// Chooses the tasks of a given session; returns the error if the server refuses them or stays unreachable.
  private func choose(_ tasks: [TaskRequest], _ line: CheckConnection) async throws -> ClientError? {
    for attempt in 0... {
      do {
        try await line.choose(tasks)
        return nil
      } catch let error as ClientError {
        let isPassing = [.unreachable, .busy, .unavailable, .tooManyRequests].contains(error.code)
        guard isPassing, attempt < Self.mostTries else { return error }
        try await clock.sleep(for: error.retryAfter ?? .seconds(1))
      }
    }
    return nil
  }

  /// Number of times that the choice of tasks is repeated if the server is busy or unreachable.
  private static var mostTries: Int { 5 }

  private func data(_ ending: SessionEnd, session: CheckSession?, face: [UInt8]?) -> LivenessData {
    let error = ending.error
    return LivenessData(
      sessionId: session?.id, faceImage: face.map { "data:image/jpeg;base64," + Data($0).base64EncodedString() },
      livenessClip: nil, passed: error == nil, metadata: options.metadata, error: error,
      reason: error == nil ? nil : ending.reason)
  }
}

// Type names of the vendor's SDK. MienApple has its classes, so that existing apps only change the import and the address.

public typealias YVLivenessUser = LivenessUser
public typealias YVTask = LivenessTask

/// Result of a check for display in the app. The authoritative verdict is the one that the backend gets from the
/// server.
public struct LivenessData: Sendable {
  public var sessionId: String?
  /// Face image as a `data:image/jpeg;base64,…` URL: the last frame captured while the user was asked to hold still;
  /// `nil` if no face was detected.
  public var faceImage: String?
  /// Clip of the check; always `nil` here, because the server provides it only to the backend.
  public var livenessClip: String?
  public var passed: Bool
  /// Metadata from the options, unchanged.
  public var metadata: (any Sendable)?
  /// `nil` if the check was passed.
  public var error: LivenessError?
  /// Stable code of the failure, more specific than the error's key: `wrong-direction`, `no-face`, `busy`, ….
  public var reason: String?

  public init(
    sessionId: String?, faceImage: String?, livenessClip: String?, passed: Bool, metadata: (any Sendable)?,
    error: LivenessError?, reason: String?
  ) {
    self.sessionId = sessionId
    self.faceImage = faceImage
    self.livenessClip = livenessClip
    self.passed = passed
    self.metadata = metadata
    self.error = error
    self.reason = reason
  }
}

extension LivenessData: CustomStringConvertible, CustomReflectable {
  public var description: String { "LivenessData(\(passed ? "passed" : error?.key.rawValue ?? "not passed"))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
