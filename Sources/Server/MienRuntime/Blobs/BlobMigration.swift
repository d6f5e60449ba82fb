internal import Foundation
internal import MienBlobs
internal import MienBlobsS3
internal import MienFiles
internal import MienPlatform

/// Migration of the files of captures and scans between the data folder and an object store.
package struct BlobMigration {
  package enum Direction: Sendable {
    case toBucket, fromBucket
  }

  private let data: String
  private let bucket: BlobBucket
  private let direction: Direction
  private let console: any OperatorConsole

  /// - Parameters:
  ///   - data: the server's data folder.
  ///   - bucket: URL of the object store.
  /// - Throws: ``OperationError`` if the folder is not a server's, or the object store cannot be used.
  package init(data: String, bucket: String, direction: Direction, console: any OperatorConsole) throws {
    guard FileManager.default.fileExists(atPath: data + "/" + DataDirectory.keyringName) else {
      throw OperationError("\(data) has no \(DataDirectory.keyringName): it is not a server's data folder.")
    }
    self.data = data
    self.bucket = try BlobBucket(bucket)
    self.direction = direction
    self.console = console
  }

  package func run() async throws {
    do {
      try await move()
    } catch let error as StoreError {
      throw OperationError(
        "\(error.reason) Nothing was deleted at the source. Solve the problem and run the command again.")
    }
  }

  private func move() async throws {
    // The folder in the bucket must belong to this installation in either direction.
    for realm in Realm.allCases { _ = try await bucket.open(realm, data: data, console: console) }
    var moved: [(store: any BlobStore, id: BlobID)] = []
    for realm in Realm.allCases {
      let folder = DataDirectory.of(realm, in: data) + "/" + DataDirectory.blobs
      let (disk, objects) = (try FileBlobStore(folder), bucket.store(realm))
      switch direction {
      case .toBucket:
        for id in try FileBlobStore.paths(in: folder).compactMap({ BlobID(($0 as NSString).lastPathComponent) }) {
          try await copy(id, from: disk, to: objects)
          moved.append((disk, id))
        }
      case .fromBucket:
        for id in try await objects.kept() {
          try await copy(id, from: objects, to: disk)
          moved.append((objects, id))
        }
      }
    }
    // From here on, the server looks for the files in the new location.
    switch direction {
    case .toBucket: try BlobLocationFile.write(bucket.address.description, in: data)
    case .fromBucket: try BlobLocationFile.delete(in: data)
    }
    for (store, id) in moved { _ = try await store.delete(id) }
    if direction == .fromBucket, let mark = S3BlobStore.installationMarker {
      for realm in Realm.allCases { _ = try await bucket.store(realm).delete(mark) }
    }
    try console.write("Moved \(moved.count) files.")
  }

  /// Copies a file in chunks, unless an interrupted earlier run has already copied it.
  private func copy(_ id: BlobID, from source: any BlobStore, to target: any BlobStore) async throws {
    guard let size = try await source.size(of: id) else { return }
    if let there = try await target.size(of: id) {
      guard there == size else {
        throw OperationError("A file exists in both locations with different sizes. Delete the incorrect one.")
      }
      return
    }
    let writer = try await target.begin(id)
    do {
      var digest = ContentDigest.Running()
      var place = 0
      while place < size {
        let bytes = try await source.read(id, place..<min(place + 1 << 20, size))
        guard !bytes.isEmpty else { throw StoreError(.unavailable, reason: "A file is shorter than expected.") }
        digest.take(bytes[...])
        place += bytes.count
        try await writer.write(bytes)
      }
      guard try await writer.commit().digest == digest.digest.bytes else {
        // The next run takes a file of the right size for complete.
        _ = try await target.delete(id)
        throw StoreError(.unavailable, reason: "The copy of a file differs from its source.")
      }
    } catch {
      await writer.discard()
      throw error
    }
  }
}
