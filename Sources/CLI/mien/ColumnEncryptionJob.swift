import Foundation
import Logging
import MienService
import ServiceLifecycle

/// Seals what lies open in the database from before there was sealing, or under an older key, beside the serving.
struct ColumnEncryptionJob: Service {
  /// After a fault it begins again so much later, in seconds.
  private static let pause = 60

  let store: any FullStore
  let keyring: MasterKeyring
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do {
          let outcome = try await ColumnReencryptionJob(store, keyring: keyring).run()
          if outcome.sealed > 0 { logger.notice("sealed", metadata: ["values": "\(outcome.sealed)"]) }
          if outcome.strange > 0 {
            logger.error("values that do not open with this seal", metadata: ["values": "\(outcome.strange)"])
          }
          break
        } catch is CancellationError {
          return
        } catch {
          logger.error(
            "sealing", metadata: ["error": "\((error as? StoreError)?.reason ?? "\(type(of: error))")"])
        }
        do { try await Task.sleep(for: .seconds(Self.pause)) } catch { return }
      }
      // A service that returns would end the server.
      try? await gracefulShutdown()
    }
  }
}
