internal import Foundation
internal import Logging
internal import MienAccess
internal import MienPlatform
internal import MienTracking
internal import ServiceLifecycle

/// Runs a job every second.
struct PeriodicJob: Service {
  private let job: @Sendable () async throws -> Void
  private let logger: Logger

  init(logger: Logger, _ job: @escaping @Sendable () async throws -> Void) {
    self.job = job
    self.logger = logger
  }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do {
          try await Task.sleep(for: .seconds(1))
          try await job()
        } catch is CancellationError {
          return
        } catch {
          logger.error("sweep", metadata: ["error": "\(error.logText)"])
        }
      }
    }
  }
}

/// Writes the number of records deleted by retention rules to the audit log every hour and at shutdown.
struct RetentionReportJob: Service {
  let realms: [RealmServices]
  let clock: any ServiceClock
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
    for realm in realms {
      do {
        try await realm.retention.report(at: clock.timeOfDay()) { report in
          try await realm.access.audit.add(.deletedExpiredData, of: report.text, by: AuditLog.retention)
        }
      } catch {
        // Counts that were not written are kept for the next report.
        logger.error("retention", metadata: ["error": "\(error.logText)"])
      }
    }
  }
}
