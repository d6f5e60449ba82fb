internal import Logging
internal import MienPlatform
internal import MienScanService
internal import ServiceLifecycle

/// Processes queued scans one at a time, so that the other cores remain available for checks.
struct ScanProcessingWorker: Service {
  let services: [ScanService]
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
            // Of other errors, only the type is logged: their text may name a file.
            logger.error("scans", metadata: ["error": "\((error as? StoreError)?.reason ?? "\(type(of: error))")"])
          }
        }
        guard !found else { continue }
        do { try await Task.sleep(for: .milliseconds(200)) } catch { return }
      }
    }
  }
}
