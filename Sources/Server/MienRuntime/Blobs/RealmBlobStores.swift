internal import MienBlobs
internal import MienBlobsS3
internal import MienFiles
internal import MienPlatform
internal import MienSecurity

/// Blob stores of both realms for the files of captures and scans, encrypted under each realm's master key.
struct RealmBlobStores {
  private let stores: PerRealm<EncryptedBlobStore>
  /// Bucket given by `--blobs`; `nil` if the files are in the data folder.
  let bucket: (any HealthCheckable)?

  /// Opens the bucket given by `--blobs`, else by the environment, else the folders beside the databases.
  init(_ text: String?, data: String, times: OperationTimings, console: any OperatorConsole) async throws {
    guard let text = text ?? BlobBucket.fromEnvironment else {
      if let place = BlobLocationFile.read(in: data) {
        throw OperationError(
          "The files of this installation are in an object store, at \(place). Name it with --blobs or MIEN_BLOBS, or bring them "
            + "back with mien move-files --from.")
      }
      stores = try await PerRealm { try DataDirectory.encryptedBlobs(DataDirectory.of($0, in: data), times: times) }
      bucket = nil
      return
    }
    for realm in Realm.allCases {
      let folder = DataDirectory.of(realm, in: data) + "/" + DataDirectory.blobs
      guard try FileBlobStore.paths(in: folder).allSatisfy({ $0.contains("/" + DataDirectory.place) }) else {
        throw OperationError(
          "\(folder) has files that would not be found in the object store. Move them there with mien move-files --to, or start "
            + "without --blobs.")
      }
    }
    let bucket = try BlobBucket(text)
    stores = try await PerRealm { try await bucket.open($0, data: data, times: times, console: console) }
    self.bucket = bucket.store(.live)
    try BlobLocationFile.write(bucket.address.description, in: data)
  }

  subscript(realm: Realm) -> EncryptedBlobStore { stores[realm] }
}
