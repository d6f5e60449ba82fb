internal import MienCore

/// Sends the frames of one session, several at the same time, so that the frame rate does not depend on the round trip.
///
/// The server evaluates the frames in the order of their numbers, and states with each response how many may be under
/// way. It gets one at a time until it has stated that.
struct FramePipeline<Reply: Sendable>: Sendable {
  /// Response to one frame.
  struct Answer: Sendable {
    var reply: Reply
    /// Number of frames that the server accepts at the same time; `nil` if it did not state one.
    var window: Int?
  }

  enum Event {
    /// Response to a frame, unless a later frame's response arrived before.
    case reply(Reply, to: [UInt8])
    /// No response; the pipeline retries.
    case unreachable
    /// The server is overloaded; the pipeline retries.
    case busy
  }

  /// Reason why the pipeline stopped.
  enum End: Sendable {
    /// The handler returned `true`.
    case handled
    case refused(ClientError)
    /// The camera ended, failed, or delivered no frame within the timeout.
    case noFrames
  }

  let camera: any FrameSource
  let clock: any ClientClock
  let retryPolicy: RetryPolicy
  /// Sends a frame with its capture time and its number.
  let send: @Sendable (EncodedFrame, Interval, Int64) async throws -> Answer

  private enum Result: Sendable {
    case frame(EncodedFrame?)
    case answer(Int64, [UInt8], sentAt: MonotonicInstant, Swift.Result<Answer, ClientError>)
    case canceled
  }

  /// Sends frames until `handle` returns `true` or nothing more can be sent.
  ///
  /// - Throws: `CancellationError`.
  func run(_ handle: (Event) async throws -> Bool) async throws -> End {
    try await withThrowingTaskGroup(of: Result.self) { group in
      defer { group.cancelAll() }
      var state = FramePipelineState(retryPolicy)
      while true {
        while let outgoing = state.nextToSend() {
          let sentAt = clock.now()
          group.addTask { await result(of: outgoing, sentAt: sentAt) }
        }
        if state.wantsFrame {
          state.isFetching = true
          group.addTask { .frame(await nextFrame()) }
        }
        guard let result = try await group.next() else { return .noFrames }
        try Task.checkCancellation()
        switch result {
        case .canceled: throw CancellationError()
        case .frame(nil):
          state.isFetching = false
          state.isAtEnd = true
        case .frame(let frame?):
          state.isFetching = false
          state.admit(frame, at: clock.now())
        case .answer(let number, let bytes, let sentAt, .success(let answer)):
          let isNewest = state.answered(
            number, bytes: bytes.count, sentAt: sentAt, at: clock.now(), window: answer.window)
          if isNewest, try await handle(.reply(answer.reply, to: bytes)) { return .handled }
          await camera.adapt(toBytes: state.plan.bytes)
        case .answer(let number, _, _, .failure(let error)):
          switch state.failed(number, error) {
          case .proceed: break
          case .wait(let interval): try await clock.sleep(for: interval)
          case .tell(let event, let interval):
            if try await handle(event == .busy ? .busy : .unreachable) { return .handled }
            try await clock.sleep(for: interval)
          case .giveUp: return .refused(error)
          }
        }
        if state.isDone { return .noFrames }
      }
    }
  }

  /// Tries of a frame that reaches a server that does not have the session: a load balancer may send the next try to
  /// another one. None begins later than ``longestRetry`` after the first: the server waits for a frame's number for 700 ms.
  private static var mostTries: Int { 10 }
  private static var longestRetry: Interval { .milliseconds(600) }
  /// Copies of such a frame that are sent at once, so that one of them reaches the right server.
  private static var copiesOfRetry: Int { 2 }

  private func result(of outgoing: FramePipelineState.OutgoingFrame, sentAt: MonotonicInstant) async -> Result {
    let (number, frame) = (outgoing.number, outgoing.frame)
    var tries = 1
    while true {
      do {
        let answer = try await send(outgoing, copies: tries > 1 ? Self.copiesOfRetry : 1)
        return .answer(number, frame.bytes, sentAt: sentAt, .success(answer))
      } catch let error as ClientError {
        guard error.code == .frameInFlight, tries < Self.mostTries, clock.now().since(sentAt) < Self.longestRetry
        else {
          return .answer(number, frame.bytes, sentAt: sentAt, .failure(error))
        }
        tries += 1
      } catch { return .canceled }
    }
  }

  /// Sends copies of a frame and returns the first response.
  ///
  /// - Throws: the error of the last copy if none was accepted.
  private func send(_ outgoing: FramePipelineState.OutgoingFrame, copies: Int) async throws -> Answer {
    try await withThrowingTaskGroup(of: Answer.self) { group in
      for _ in 0..<copies {
        group.addTask { try await send(outgoing.frame, outgoing.capturedAt, outgoing.number) }
      }
      while true {
        do {
          guard let answer = try await group.next() else { throw CancellationError() }
          group.cancelAll()
          return answer
        } catch {
          if group.isEmpty { throw error }
        }
      }
    }
  }

  /// Returns the next frame, or `nil` if the camera ended, failed, or delivered none within the timeout.
  private func nextFrame() async -> EncodedFrame? {
    await withTaskGroup(of: EncodedFrame?.self) { race in
      race.addTask { try? await camera.next() }
      race.addTask {
        try? await clock.sleep(for: retryPolicy.camera)
        return nil
      }
      let first = await race.next()
      race.cancelAll()
      return first ?? nil
    }
  }
}
