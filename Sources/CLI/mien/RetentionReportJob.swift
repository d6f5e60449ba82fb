import Logging
import MienService
import ServiceLifecycle

/// Tells the audit log once an hour, and when the server ends, what was erased because its time was over.
struct RetentionReportJob<Observer: FaceTracking>: Service {
  let services: [LivenessCheckService<Observer>]
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do { try await Task.sleep(for: .seconds(3600)) } catch { return }
        await report()
      }
    }
    await report()
  }

  private func report() async {
    for service in services {
      do {
        try await service.reportRetention()
      } catch {
        // What was not told stays to be told.
        logger.error("retention", metadata: ["error": "\((error as? StoreError)?.reason ?? "\(type(of: error))")"])
      }
    }
  }
}
