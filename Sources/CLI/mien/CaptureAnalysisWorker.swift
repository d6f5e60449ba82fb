import Foundation
import Logging
import MienService
import ServiceLifecycle

/// Analyses the captures that wait, as many at a time as there are cores.
struct CaptureAnalysisWorker: Service {
  /// How many pictures are decoded and checked at a time.
  static var places: Int { max(1, ProcessInfo.processInfo.activeProcessorCount) }

  let service: CaptureService
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        var found = 0
        do {
          found = try await service.analyzeQueued(atMost: Self.places)
        } catch is CancellationError {
          return
        } catch let error as ServiceError where error.code == .busy {
          // Files to verify take all places just now; what waits stays in the database.
        } catch {
          // Of other errors only the kind: their text may name a capture.
          logger.error("captures", metadata: ["error": "\((error as? StoreError)?.reason ?? "\(type(of: error))")"])
        }
        guard found == 0 else { continue }
        do { try await Task.sleep(for: .milliseconds(200)) } catch { return }
      }
    }
  }
}
