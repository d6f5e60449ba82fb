public import MienCore
internal import MienLiveSessions
internal import MienPlatform

/// Evaluation of evidence that the client of a check sends: frames, observations and depth captures.
extension LivenessCheckService {
  /// Analyzes one frame of a check and returns the next step.
  ///
  /// - Parameters:
  ///   - client: a random name of the page or app instance; the first one owns the check.
  ///   - capturedAt: time at which the client captured the frame, on its own monotonic clock.
  ///   - number: the client's number of the frame, one more than that of the frame sent before; `nil` if it sends one frame
  ///     at a time.
  public func processFrame(
    at bytes: [UInt8], of id: CheckID, token: String?, client: String?, capturedAt: Interval?, number: Int64? = nil
  ) async throws -> CheckStep {
    let arrived = clock.now()
    do {
      try ReplayGuard.requireNothingBehindImage(bytes)
      let check = try await open(id, token: token)
      let digest = await ReplayGuard.digest(of: bytes)
      let content = await ReplayGuard.contentDigest(of: bytes)
      let isRepeated = await replayGuard.find(content, by: id) == .sameSession
      let progress: ActiveCheck.Progress
      do {
        if let number, await check.isKnown(content, as: number, isRepeated: isRepeated) {
          return try await check.repeatedStep(at: arrived, of: client)
        }
        progress = try await inTurn(number, of: client, in: check, orThrow: Self.elsewhere) {
          try await check.processFrame(
            at: EncodedFrame(bytes: bytes, at: arrived), digest: digest, content: content, isRepeated: isRepeated,
            replayGuard: replayGuard,
            client: client, capturedAt: capturedAt, number: number, with: observer, clock: clock)
        }
      } catch let error as AlreadyDecidedError {
        throw try await over(error.result, of: check)
      } catch let error as FaceTrackingError {
        throw ServiceError(error)
      }
      if progress.judged, check.record.keepsClip {
        await record(EncodedFrame(bytes: bytes, at: arrived), of: id)
      }
      try await save(progress, of: check)
      meter.frame(progress.judged ? "judged" : "repeated", took: clock.now().since(arrived))
      return progress.step
    } catch let error as ServiceError {
      meter.frame(error.code.text, took: nil)
      throw error
    }
  }

  /// Throws if the check has as many frames under way as it may have. Called before the request's body is read.
  public func expectRoom(_ id: CheckID, numbered: Bool) async throws {
    try await live[id]?.expectRoom(numbered: numbered)
  }

  /// Number of frames of the check that its client may have under way.
  public func frameWindow(of id: CheckID) async -> Int {
    await live[id]?.frameWindow ?? FrameSequence.maximumWindow
  }

  /// Evaluates observations reported by the client, in the given order, or compares them with the check's frames.
  public func claim(_ claims: [ClientObservation], of id: CheckID, token: String?, client: String?) async throws
    -> CheckStep
  {
    guard claims.count <= settings.maximumClaims else {
      throw ServiceError(
        .bodyTooLarge, "One request may bring \(settings.maximumClaims) observations; this one has \(claims.count).")
    }
    let check = try await open(id, token: token)
    do {
      let progress =
        check.record.sources.contains(.compared)
        ? try await check.compare(claims, client: client, at: clock.now(), clock: clock)
        : try await check.claim(claims, client: client, at: clock.now(), clock: clock)
      try await save(progress, of: check)
      return progress.step
    } catch let error as AlreadyDecidedError {
      throw try await over(error.result, of: check)
    }
  }

  /// Evaluates one depth capture of a check.
  public func depth(_ frame: DepthFrame, of id: CheckID, token: String?, client: String?) async throws -> CheckStep {
    let check = try await open(id, token: token)
    do {
      let progress = try await check.depth(frame, client: client, at: clock.now(), clock: clock)
      try await save(progress, of: check)
      return progress.step
    } catch let error as AlreadyDecidedError {
      throw try await over(error.result, of: check)
    }
  }

  /// Replaces the current task of a check by another of at least the same strength, because the person declines it.
  /// Only a light task has such an alternative; for every other task nothing changes.
  public func decline(of id: CheckID, token: String?, client: String?) async throws -> CheckStep {
    let check = try await open(id, token: token)
    do {
      let progress = try await check.decline(client: client, at: clock.now(), clock: clock)
      try await save(progress, of: check)
      return progress.step
    } catch let error as AlreadyDecidedError {
      throw try await over(error.result, of: check)
    }
  }

  /// Appends a frame to a check's frame log. A full disk costs the clip but not the verdict: the clip is then reported
  /// as failed.
  private func record(_ frame: EncodedFrame, of id: CheckID) async {
    guard let recorder, !incompleteFrameLogs.contains(id) else { return }
    do {
      try await recorder.record(frame, of: id)
    } catch {
      incompleteFrameLogs.insert(id)
      await recorder.discard(id)
    }
  }
}
