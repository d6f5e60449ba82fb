import Foundation
import MienBlobs
import MienBlobsS3
import MienModel
import MienService

/// Where the files of captures and scans of a server's two worlds are kept, encrypted under the seal of each.
struct ServerBlobs {
  let live: SealedBlobs
  let sandbox: SealedBlobs

  /// What `--blobs` takes. A wrong one is never repeated: somebody may have put a key into it.
  static let hint = """
    --blobs takes s3://BUCKET/FOLDER?endpoint=https://HOST:PORT&region=REGION, without endpoint Amazon's own; &style=path or \
    &style=virtual says where the bucket's name goes. Keys are never in it but in the environment: AWS_ACCESS_KEY_ID, \
    AWS_SECRET_ACCESS_KEY, for temporary ones AWS_SESSION_TOKEN; AWS_REGION where the address names no region.
    """

  /// What the environment names, and the keys for it.
  private static var environment: [String: String] { ProcessInfo.processInfo.environment }
  static var named: String? { environment["MIEN_BLOBS"] }

  static func address(_ text: String) -> S3Address? { S3Address(text, region: environment["AWS_REGION"]) }

  /// Opens what `--blobs` names, else what ``named`` does, else the folders beside the databases.
  init(_ text: String?, data: String) async throws {
    guard let text = text ?? Self.named else {
      live = try DataFolder.sealedBlobs(DataFolder.of(.live, in: data))
      sandbox = try DataFolder.sealedBlobs(DataFolder.of(.sandbox, in: data))
      return
    }
    live = try await Self.open(text, .live, data: data)
    sandbox = try await Self.open(text, .sandbox, data: data)
  }

  private static func open(_ text: String, _ space: Space, data: String) async throws -> SealedBlobs {
    let folder = DataFolder.of(space, in: data)
    guard try BlobFolder.paths(in: folder + "/" + DataFolder.blobs).isEmpty else {
      throw ToolError(
        "\(folder)/\(DataFolder.blobs) has files that would not be found in the object store. Start without --blobs.")
    }
    let store = try bucket(text, space)
    do {
      if space == .live, try await store.keepsOldVersions() == true {
        Terminal.note(
          "NOTE: the bucket keeps old versions, and with them what is erased. Switch versioning off, or let a lifecycle rule "
            + "end old versions.")
      }
      try await claim(store, DataFolder.sealed(store, folder))
    } catch let error as StoreError {
      throw ToolError("The object store of --blobs cannot be used. \(error.reason)")
    }
    return try DataFolder.sealed(store, folder)
  }

  /// The objects of a space.
  private static func bucket(_ text: String, _ space: Space) throws -> S3BlobStore {
    guard let address = address(text) else { throw ToolError(hint) }
    guard let credentials = S3Credentials(environment: environment) else {
      throw ToolError("--blobs needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.")
    }
    return S3BlobStore(
      address.within(space.rawValue), credentials: credentials,
      surroundings: S3Surroundings(
        clock: SystemClock(), pause: { try await Task.sleep(for: .nanoseconds($0.nanoseconds)) },
        noise: DataFolder.random))
  }

  /// Writes this installation's mark, or sees that it is there: two installations in one folder would sweep each other's files.
  private static func claim(_ store: S3BlobStore, _ sealed: SealedBlobs) async throws {
    let text = Array("The files of one installation of mien.".utf8)
    guard let mark = S3BlobStore.mark else { preconditionFailure("the mark's name is one of a blob") }
    if try await store.size(of: mark) == nil {
      let writer = try await sealed.begin(mark)
      try await writer.write(text)
      do {
        _ = try await writer.keep()
      } catch let error as StoreError where error.code == .duplicate {
        // Another server of this installation has just been first.
      }
    }
    // Who cannot read at all says so here; what then does not open was sealed by others.
    _ = try await store.read(mark, 0..<1)
    guard (try? await sealed.read(mark, 0..<text.count)) == text else {
      throw ToolError(
        "The folder of --blobs holds the files of another installation: its mark does not open with this server's seal. Name "
          + "another folder, or restore the seal that belongs to it.")
    }
  }
}
