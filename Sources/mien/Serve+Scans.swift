import Foundation
import Logging
import MienBlobs
import MienFilms
import MienModel
import MienServer
import MienService
import ServiceLifecycle

extension Serve {
  /// Depth scans, of one of the two worlds.
  func scans(
    _ space: Space, _ store: any ServerStore, _ blobs: SealedBlobs, _ observer: some FaceObserver,
    _ traces: Traces, _ retention: RetentionBook
  ) async throws -> ScanService {
    var settings = ScanSettings()
    settings.space = space
    settings.maximumBytes = scanMegabytes << 20
    settings.maximumCheckBytes = checkScanMegabytes << 20
    settings.quotas = storage.quotas
    settings.patience = storage.unfinishedLifetime
    settings.lifetime = scanDays == 0 ? nil : .seconds(Double(scanDays) * 86_400)
    let folder = DataFolder.of(space, in: data)
    let work = folder + "/" + DataFolder.work
    // What was being worked on lies there in pieces that nobody needs any more.
    try? FileManager.default.removeItem(atPath: work)
    let films = FilmFrames(beside: folder)
    films.sweep()
    let service = ScanService(
      store: store, blobs: blobs, shelf: try shelf(folder, store, blobs),
      clock: SystemClock(), settings: settings,
      workshop: ScanBench(observer: observer, folder: work, films: films).workshop, dice: SystemRandomNumberGenerator(),
      traces: traces, retention: retention)
    try await service.sweepShelf()
    return service
  }

  /// Where uploads lie until they are whole: among the files that all servers see, where there may be several.
  private func shelf(
    _ folder: String, _ store: any ServerStore, _ blobs: SealedBlobs
  ) throws -> any UploadShelf {
    let own = SealedUploads(
      try UploadFolder(folder + "/" + DataFolder.uploads), seal: try DataFolder.seal(folder),
      random: DataFolder.random)
    guard let pieces = store as? any UploadPieceStore else { return own }
    return SharedUploads(pieces, blobs: blobs, own: own) {
      var dice = SystemRandomNumberGenerator()
      return BlobID(using: &dice)
    }
  }
}

/// Works on the scans that wait, one at a time, so that checks keep their cores.
struct ScanWorker: Service {
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
            // A scan was cancelled, or the server ends.
            continue
          } catch {
            // Of other errors only the kind: their text may name a file.
            logger.error("scans", metadata: ["error": "\((error as? StoreError)?.reason ?? "\(type(of: error))")"])
          }
        }
        guard !found else { continue }
        do { try await Task.sleep(for: .milliseconds(200)) } catch { return }
      }
    }
  }
}
