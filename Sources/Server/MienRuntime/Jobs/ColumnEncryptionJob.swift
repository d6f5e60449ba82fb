internal import Foundation
internal import Logging
internal import MienPlatform
internal import MienSecurity
internal import ServiceLifecycle

/// Background job that encrypts database values that are still in plain text or encrypted with an older key, while the
/// server runs.
struct ColumnEncryptionJob: Service {
  /// Delay before a retry after an error, in seconds.
  private static let pause = 60

  let store: any ServerStore
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
      // Returning from a service would stop the server.
      try? await gracefulShutdown()
    }
  }
}
