import ArgumentParser
import Foundation
import MienBlobs
import MienBlobsS3
import MienService

/// `mien move-files`: moves the files of captures and scans from the data folder to an object store, or back.
struct MigrateBlobsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move-files",
    abstract: "Move the files of captures and scans into an object store, or back.",
    discussion: """
      Stop all servers that use the data first. Files are moved in their encrypted form, and each copy is verified. The \
      originals are deleted after all files have been copied. An interrupted migration can be run again.
      """)

  @Option(help: "The server's data folder.")
  var data = "data"
  @Option(help: ArgumentHelp("Move the files to this store, given as in the server's --blobs.", valueName: "url"))
  var to: String?
  @Option(help: ArgumentHelp("Move the files back from this store.", valueName: "url"))
  var from: String?

  func validate() throws {
    guard (to == nil) != (from == nil) else { throw ValidationError("Say either --to or --from.") }
    if let text = to ?? from, BlobBucket.address(text) == nil { throw ValidationError(BlobBucket.hint) }
  }

  func run() async throws {
    try await Terminal.reporting {
      do {
        try await move()
      } catch let error as StoreError {
        throw CommandError("\(error.reason) Nothing was erased where it came from. Begin again when that is set right.")
      }
    }
  }

  private func move() async throws {
    guard FileManager.default.fileExists(atPath: data + "/" + DataDirectory.keyringName), let text = to ?? from else {
      throw CommandError("\(data) has no \(DataDirectory.keyringName): it is not a server's data folder.")
    }
    let bucket = try BlobBucket(text)
    // The folder in the bucket must belong to this installation in either direction.
    for space in [Realm.live, .sandbox] { _ = try await bucket.open(space, data: data) }
    let spaces = try [Realm.live, .sandbox].map { space in
      let folder = DataDirectory.of(space, in: data) + "/" + DataDirectory.blobs
      return (folder: folder, disk: try FileBlobStore(folder), bucket: bucket.store(space))
    }
    var moved: [(store: any BlobStore, id: BlobID)] = []
    for space in spaces {
      if to != nil {
        for id in try FileBlobStore.paths(in: space.folder).compactMap({ BlobID(($0 as NSString).lastPathComponent) }) {
          try await copy(id, from: space.disk, to: space.bucket)
          moved.append((space.disk, id))
        }
      } else {
        for id in try await space.bucket.kept() {
          try await copy(id, from: space.bucket, to: space.disk)
          moved.append((space.bucket, id))
        }
      }
    }
    // From here on, the server looks for the files in the new location.
    if to != nil {
      try BlobLocationFile.write(bucket.address.description, in: data)
    } else {
      try BlobLocationFile.delete(in: data)
    }
    for (store, id) in moved { _ = try await store.delete(id) }
    if from != nil, let mark = S3BlobStore.installationMarker {
      for space in spaces { _ = try await space.bucket.delete(mark) }
    }
    try Terminal.say("Moved \(moved.count) files.")
  }

  /// Copies a file in chunks, unless an interrupted earlier run has already copied it.
  private func copy(_ id: BlobID, from source: any BlobStore, to target: any BlobStore) async throws {
    guard let size = try await source.size(of: id) else { return }
    if let there = try await target.size(of: id) {
      guard there == size else {
        throw CommandError("A file is in both places with different sizes. Erase the one that is wrong.")
      }
      return
    }
    let writer = try await target.begin(id)
    do {
      var digest = ContentDigest.Running()
      var place = 0
      while place < size {
        let bytes = try await source.read(id, place..<min(place + 1 << 20, size))
        guard !bytes.isEmpty else { throw StoreError(.unavailable, reason: "A file ends before its time.") }
        digest.take(bytes[...])
        place += bytes.count
        try await writer.write(bytes)
      }
      guard try await writer.commit().digest == digest.digest.bytes else {
        throw StoreError(.unavailable, reason: "A file did not arrive as it was sent.")
      }
    } catch {
      await writer.discard()
      throw error
    }
  }
}
