internal import Foundation
internal import Logging
internal import MienCaptures
internal import MienChecks
internal import MienCore
internal import MienPlatform
internal import MienScanService
internal import MienTracking
internal import MienVideo
internal import ServiceLifecycle

/// Time after which an idle worker looks at its queue without a signal: for what another server added or left behind.
private let idleTime = Interval.seconds(1)

/// Analyzes queued captures, as many concurrently as there are cores.
struct CaptureAnalysisWorker: Service {
  /// Maximum number of images that are decoded and analyzed concurrently.
  static let capacity = max(1, ProcessInfo.processInfo.activeProcessorCount)

  let service: CaptureService
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        var found = 0
        var pause = idleTime
        do {
          found = try await service.analyzeQueued(atMost: Self.capacity)
        } catch is CancellationError {
          return
        } catch let error as ServiceError where error.code == .busy {
          // Verification of files uses all capacity at the moment; queued captures remain in the database.
          pause = .milliseconds(200)
        } catch {
          logger.error("captures", metadata: ["error": "\(error.logText)"])
        }
        guard found == 0 else { continue }
        do { try await service.queued.wait(atMost: pause, on: SystemClock()) } catch { return }
      }
    }
  }
}

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
              let reason = (error as? VideoError)?.reason ?? error.logText
              logger.error("a clip could not be encoded", metadata: ["reason": "\(reason)"])
            }
          } catch is CancellationError {
            return
          } catch {
            logger.error("clip encoding", metadata: ["error": "\(error.logText)"])
          }
        }
        rounds += 1
        do { try await Task.sleep(for: .seconds(1)) } catch { return }
      }
    }
  }
}

/// Processes queued scans one at a time, so that the other cores remain available for checks.
struct ScanProcessingWorker: Service {
  let services: [ScanService]
  /// Raised when one of the services has queued a scan.
  let queued: WorkSignal
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        var found = false
        for service in services {
          do {
            found = try await service.workOnNext() || found
          } catch is CancellationError {
            // A scan was canceled, or the server is shutting down.
            continue
          } catch {
            logger.error("scans", metadata: ["error": "\(error.logText)"])
          }
        }
        guard !found else { continue }
        do { try await queued.wait(atMost: idleTime, on: SystemClock()) } catch { return }
      }
    }
  }
}
