import MienBlobs
import MienBlobsS3
import MienService

/// Where the files of captures and scans of a server's two worlds are kept, encrypted under the seal of each.
struct ServerBlobs {
  let live: SealedBlobs
  let sandbox: SealedBlobs
  /// What `--blobs` names; nil where the files are in the data folder.
  let bucket: (any Reachable)?

  /// Opens what `--blobs` names, else what the environment does, else the folders beside the databases.
  init(_ text: String?, data: String, times: WorkTimes) async throws {
    guard let text = text ?? BlobBucket.named else {
      if let place = BlobNote.read(in: data) {
        throw ToolError(
          "The files of this installation are in an object store, at \(place). Name it with --blobs or MIEN_BLOBS, or bring them "
            + "back with mien move-files --from.")
      }
      live = try DataFolder.sealedBlobs(DataFolder.of(.live, in: data), times: times)
      sandbox = try DataFolder.sealedBlobs(DataFolder.of(.sandbox, in: data), times: times)
      bucket = nil
      return
    }
    for space in [Space.live, .sandbox] {
      let folder = DataFolder.of(space, in: data) + "/" + DataFolder.blobs
      guard try BlobFolder.paths(in: folder).allSatisfy({ $0.contains("/" + DataFolder.place) }) else {
        throw ToolError(
          "\(folder) has files that would not be found in the object store. Take them there with mien move-files --to, or start "
            + "without --blobs.")
      }
    }
    let bucket = try BlobBucket(text)
    live = try await bucket.open(.live, data: data, times: times)
    sandbox = try await bucket.open(.sandbox, data: data, times: times)
    self.bucket = bucket.store(.live)
    try BlobNote.write(bucket.address.description, in: data)
  }
}
