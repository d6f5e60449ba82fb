internal import Foundation
internal import Logging
internal import MienPlatform
internal import MienCaptures
internal import ServiceLifecycle

/// Analyzes queued captures, as many concurrently as there are cores.
struct CaptureAnalysisWorker: Service {
  /// Maximum number of images that are decoded and analyzed concurrently.
  static var capacity: Int { max(1, ProcessInfo.processInfo.activeProcessorCount) }

  let service: CaptureService
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        var found = 0
        do {
          found = try await service.analyzeQueued(atMost: Self.capacity)
        } catch is CancellationError {
          return
        } catch let error as ServiceError where error.code == .busy {
          // Verification of files uses all capacity at the moment; queued captures remain in the database.
        } catch {
          // Of other errors, only the type is logged: their text may identify a capture.
          logger.error("captures", metadata: ["error": "\((error as? StoreError)?.reason ?? "\(type(of: error))")"])
        }
        guard found == 0 else { continue }
        do { try await Task.sleep(for: .milliseconds(200)) } catch { return }
      }
    }
  }
}
