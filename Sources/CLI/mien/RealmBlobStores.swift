import MienBlobs
import MienBlobsS3
import MienService

/// Blob stores of both realms for the files of captures and scans, encrypted under each realm's master key.
struct RealmBlobStores {
  let live: EncryptedBlobStore
  let sandbox: EncryptedBlobStore
  /// Bucket given by `--blobs`; `nil` if the files are in the data folder.
  let bucket: (any HealthCheckable)?

  /// Opens the bucket given by `--blobs`, else by the environment, else the folders beside the databases.
  init(_ text: String?, data: String, times: OperationTimings) async throws {
    guard let text = text ?? BlobBucket.named else {
      if let place = BlobLocationFile.read(in: data) {
        throw CommandError(
          "The files of this installation are in an object store, at \(place). Name it with --blobs or MIEN_BLOBS, or bring them "
            + "back with mien move-files --from.")
      }
      live = try DataDirectory.sealedBlobs(DataDirectory.of(.live, in: data), times: times)
      sandbox = try DataDirectory.sealedBlobs(DataDirectory.of(.sandbox, in: data), times: times)
      bucket = nil
      return
    }
    for space in [Realm.live, .sandbox] {
      let folder = DataDirectory.of(space, in: data) + "/" + DataDirectory.blobs
      guard try FileBlobStore.paths(in: folder).allSatisfy({ $0.contains("/" + DataDirectory.place) }) else {
        throw CommandError(
          "\(folder) has files that would not be found in the object store. Take them there with mien move-files --to, or start "
            + "without --blobs.")
      }
    }
    let bucket = try BlobBucket(text)
    live = try await bucket.open(.live, data: data, times: times)
    sandbox = try await bucket.open(.sandbox, data: data, times: times)
    self.bucket = bucket.store(.live)
    try BlobLocationFile.write(bucket.address.description, in: data)
  }
}
