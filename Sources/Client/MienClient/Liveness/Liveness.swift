internal import Foundation
public import MienAPI

/// A liveness check in an app: options, a session, a camera; then steps to show and a result.
///
/// The names are those of the vendor's SDK that integrators know; the screen and the camera are the app's.
public struct Liveness: Sendable {
  public typealias Outcome = @MainActor @Sendable (LivenessData) -> Void

  /// Where the right to a check comes from.
  public enum SessionSource: Sendable {
    /// The app has it already.
    case given(CheckSession)
    /// The app asks its backend when the check begins, with the options' wish.
    case asked(@Sendable (CreateSessionRequest) async throws -> CheckSession)
  }

  public var server: LivenessServer
  public var options: LivenessOptions
  public var session: SessionSource
  /// Called when the check was closed before its end, or with ``LivenessSession/close()``.
  public var onClose: (@MainActor @Sendable () -> Void)?
  /// Called when everything asked was done.
  public var onSuccess: Outcome?
  /// Called when it was not, with the error.
  public var onFailure: Outcome?
  public var patience = RetryPolicy()
  public var transport: any Transport = URLSessionTransport()
  public var clock: any ClientClock = MonotonicClock()
  /// The name of this app instance, so that the server lets it go on with a check it began.
  public var client = MonotonicClock.clientName()

  /// A check with options as values.
  public init(server: LivenessServer, options: LivenessOptions = LivenessOptions(), session: SessionSource) {
    self.server = server
    self.options = options
    self.session = session
  }

  /// A check of the `/v1` API, as the backend created it.
  public init(server: LivenessServer, options: LivenessOptions = LivenessOptions(), check: CreateCheckResponse) {
    self.init(server: server, options: options, session: .given(CheckSession(id: check.id, token: check.token)))
  }

  /// A check as the vendor's SDK begins it; only the server's address is new.
  ///
  /// - Parameters:
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

  /// Does the check within the caller's task; cancelling the task ends it.
  ///
  /// - Parameters:
  ///   - camera: is closed at the end, however it came.
  ///   - progress: called for every step, from no particular thread.
  /// - Throws: `CancellationError`. Everything else is a result.
  public func check(
    camera: any FrameSource, progress: @escaping @Sendable (LivenessProgress) -> Void = { _ in }
  ) async throws -> LivenessData {
    do {
      let data = try await perform(camera: camera, progress: progress)
      await camera.close()
      return data
    } catch {
      await camera.close()
      throw error
    }
  }

  /// Starts the check; the run gives its steps and its result, and no callback is called but `onClose`.
  public func run(camera: any FrameSource) -> LivenessSession {
    LivenessSession(onClose: onClose) { progress in try await check(camera: camera, progress: progress) }
  }

  /// Starts the check and calls back: ``run(camera:)`` for those who prefer callbacks.
  ///
  /// - Parameter tasks: go before those of the options.
  /// - Returns: the run, to show its steps or to close it.
  @discardableResult
  public func startSDK(tasks: [TaskProperties]? = nil, camera: any FrameSource) -> LivenessSession {
    var liveness = self
    if let tasks { liveness.options.tasks = tasks }
    let chosen = liveness
    return LivenessSession(onClose: onClose) { progress in
      let data = try await chosen.check(camera: camera, progress: progress)
      await (data.passed ? chosen.onSuccess : chosen.onFailure)?(data)
      return data
    }
  }

  private func perform(camera: any FrameSource, progress: @Sendable (LivenessProgress) -> Void) async throws
    -> LivenessData
  {
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
    let drive = CheckRunner(line: line, camera: camera, clock: clock, patience: patience)
    let outcome = try await drive.run(progress: progress)
    return data(outcome.ending, session: given, face: outcome.face)
  }

  private func data(_ ending: SessionEnd, session: CheckSession?, face: [UInt8]?) -> LivenessData {
    let error = ending.error
    return LivenessData(
      sessionId: session?.id, faceImage: face.map { "data:image/jpeg;base64," + Data($0).base64EncodedString() },
      livenessClip: nil, passed: error == nil, metadata: options.metadata, error: error,
      reason: error == nil ? nil : ending.reason)
  }
}
