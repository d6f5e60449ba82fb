internal import Logging
internal import MienChecks
internal import MienTracking
internal import MienVideo
internal import ServiceLifecycle

/// Encodes the videos of decided checks one at a time, so that they use at most one core, and deletes frame logs that
/// are no longer needed. Each server encodes the videos of the frames that it received.
struct ClipEncodingWorker: Service {
  let services: [LivenessCheckService]
  let isEnabled: Bool
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      var rounds = 0
      while !Task.isCancelled {
        for service in services {
          do {
            if rounds.isMultiple(of: 60) { try await service.purgeFrameLogs() }
            for error in try await service.makeClips(isAble: isEnabled) {
              // Of other errors, only the type is logged: their text may identify a check.
              let reason = (error as? VideoError)?.reason ?? "\(type(of: error))"
              logger.error("a film could not be made", metadata: ["reason": "\(reason)"])
            }
          } catch is CancellationError {
            return
          } catch {
            logger.error("films", metadata: ["error": "\(error)"])
          }
        }
        rounds += 1
        do { try await Task.sleep(for: .seconds(1)) } catch { return }
      }
    }
  }
}
