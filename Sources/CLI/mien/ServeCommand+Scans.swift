import Foundation
import Logging
import MienBlobs
import MienVideo
import MienCore
import MienServer
import MienService
import ServiceLifecycle

extension ServeCommand {
  /// Creates the service for depth scans of a realm.
  func scans(
    _ space: Realm, _ store: any FullStore, _ blobs: EncryptedBlobStore, _ observer: some FaceTracking,
    _ traces: TracingContext, _ retention: PurgeCounter
  ) async throws -> ScanService {
    var settings = ScanSettings()
    settings.space = space
    settings.maximumBytes = scanMegabytes << 20
    settings.maximumCheckBytes = checkScanMegabytes << 20
    settings.quotas = storage.quotas
    settings.timeout = storage.unfinishedLifetime
    settings.lifetime = scanDays == 0 ? nil : .seconds(Double(scanDays) * 86_400)
    let folder = DataDirectory.of(space, in: data)
    let work = folder + "/" + DataDirectory.work
    // Work files of a previous run are no longer needed.
    try? FileManager.default.removeItem(atPath: work)
    let films = VideoScratchDirectory(beside: folder)
    films.sweep()
    let service = ScanService(
      store: store, blobs: blobs, uploads: try uploads(folder, store, blobs),
      clock: SystemClock(), settings: settings,
      processor: ScanPipeline(observer: observer, folder: work, films: films).processor,
      generator: SystemRandomNumberGenerator(),
      traces: traces, retention: retention)
    try await service.purgeUploads()
    return service
  }

  /// Returns the store for unfinished uploads: among the files that all servers see if the database is shared, else
  /// local.
  private func uploads(
    _ folder: String, _ store: any FullStore, _ blobs: EncryptedBlobStore
  ) throws -> any UploadStore {
    let own = EncryptedUploadStore(
      try FileUploadStore(folder + "/" + DataDirectory.uploads), keyring: try DataDirectory.keyring(folder),
      random: DataDirectory.random)
    guard let pieces = store as? any UploadPieceStore else { return own }
    return ChunkedUploadStore(pieces, blobs: blobs, own: own) {
      var generator = SystemRandomNumberGenerator()
      return BlobID(using: &generator)
    }
  }
}

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
