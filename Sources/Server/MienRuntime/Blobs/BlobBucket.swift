internal import Foundation
internal import MienBlobsS3
internal import MienCore
internal import MienFiles
internal import MienPlatform
internal import MienSecurity

/// Bucket given by `--blobs`, with one folder per realm.
package struct BlobBucket {
  /// Syntax of `--blobs`. An invalid value is never echoed: it may contain a key.
  package static let hint = """
    --blobs takes s3://BUCKET/FOLDER?endpoint=https://HOST:PORT&region=REGION, without endpoint Amazon's own; &style=path or \
    &style=virtual says where the bucket's name goes. Keys are never in it but in the environment: AWS_ACCESS_KEY_ID, \
    AWS_SECRET_ACCESS_KEY, for temporary ones AWS_SESSION_TOKEN; AWS_REGION where the address names no region.
    """

  private static var environment: [String: String] { ProcessInfo.processInfo.environment }
  /// Value of `MIEN_BLOBS` in the environment.
  static var fromEnvironment: String? { environment["MIEN_BLOBS"] }

  /// `true` for the URL of a bucket.
  package static func isURL(_ text: String) -> Bool { address(text) != nil }

  static func address(_ text: String) -> S3Address? { S3Address(text, region: environment["AWS_REGION"]) }

  let address: S3Address
  private let credentials: S3Credentials

  init(_ text: String) throws {
    guard let address = Self.address(text) else { throw OperationError(Self.hint) }
    guard let credentials = S3Credentials(environment: Self.environment) else {
      throw OperationError("--blobs needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.")
    }
    self.address = address
    self.credentials = credentials
  }

  /// Returns the raw, encrypted objects of a realm.
  func store(_ realm: Realm) -> S3BlobStore {
    S3BlobStore(
      address.within(realm.rawValue), credentials: credentials,
      surroundings: ServerEnvironment())
  }

  /// Opens the folder of a realm and claims it for this installation.
  ///
  /// - Parameter data: the data folder.
  func open(
    _ realm: Realm, data: String, times: OperationTimings = OperationTimings(), console: any OperatorConsole
  ) async throws -> EncryptedBlobStore {
    let (store, folder) = (store(realm), DataDirectory.of(realm, in: data))
    try DataDirectory.make(folder)
    let sealed = try DataDirectory.encrypted(InstrumentedBlobStore(store, .s3, times: times), folder)
    do {
      if realm == .live, try await store.keepsOldVersions() == true {
        console.note(
          "NOTE: the bucket keeps old versions, including deleted data. Turn versioning off, or let a lifecycle rule "
            + "delete old versions.")
      }
      try await claim(store, sealed, data: data)
    } catch let error as StoreError {
      throw OperationError("The object store of --blobs cannot be used. \(error.reason)")
    }
    return sealed
  }

  /// Writes this installation's marker or verifies the existing one: two installations that share a folder would delete
  /// each other's files.
  private func claim(_ store: S3BlobStore, _ sealed: EncryptedBlobStore, data: String) async throws {
    let text = Array("The files of one installation of mien.".utf8)
    guard let marker = S3BlobStore.installationMarker else {
      preconditionFailure("the marker's name is a valid blob ID")
    }
    if try await store.size(of: marker) == nil {
      if let place = BlobLocationFile.read(in: data), place != address.description {
        throw OperationError(
          "The files of this installation are at \(place), and the folder of --blobs is new. Copy them there with their markers "
            + "(mien-installation), or name the folder where they are.")
      }
      let writer = try await sealed.begin(marker)
      try await writer.write(text)
      do {
        _ = try await writer.commit()
      } catch let error as StoreError where error.code == .duplicate {
        // Another server of this installation wrote the marker first.
      }
    }
    // Read errors surface here; a marker that then fails to decrypt was encrypted by another installation.
    _ = try await store.read(marker, 0..<1)
    guard (try? await sealed.read(marker, 0..<text.count)) == text else {
      throw OperationError(
        "The folder of --blobs holds the files of another installation: its marker cannot be decrypted with this server's keyring. "
          + "Use another folder, or restore its keyring.")
    }
  }
}

/// The server's clock, timers and randomness for requests to a bucket.
private struct ServerEnvironment: S3ClientEnvironment {
  var clock: any ServiceClock { SystemClock() }
  func pause(for time: Interval) async throws { try await Task.sleep(for: .nanoseconds(time.nanoseconds)) }
  func randomBytes(_ count: Int) -> [UInt8] { DataDirectory.random(count) }
}
