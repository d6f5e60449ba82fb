internal import MienPlatform

/// The start of a record of an encrypted upload, or of the next one to write.
struct UploadOffset: Hashable, Sendable {
  /// Plaintext offset in the upload.
  var plain: Int
  /// Offset in the encrypted file.
  var sealed: Int

  /// The start of the first record.
  static var first: UploadOffset { UploadOffset(plain: 0, sealed: EncryptedUploadHeader.size) }

  /// Returns the position after a record of `count` bytes that starts here.
  func behind(_ count: Int) -> UploadOffset {
    UploadOffset(plain: plain + count, sealed: sealed + count + RecordCipher.around)
  }
}

/// Caches one position for each recently used upload, so that its records are not iterated repeatedly.
actor UploadOffsetCache {
  private static let most = 128

  private var places: [UploadID: UploadOffset] = [:]
  /// Uploads in the order of their last update, oldest first.
  private var order: [UploadID] = []

  /// Returns the cached position if it is not after `offset`, otherwise the first.
  func place(of id: UploadID, before offset: Int) -> UploadOffset {
    guard let place = places[id], place.plain <= offset else { return .first }
    return place
  }

  func note(_ place: UploadOffset, of id: UploadID) {
    remove(id)
    if order.count == Self.most { places[order.removeFirst()] = nil }
    places[id] = place
    order.append(id)
  }

  func remove(_ id: UploadID) {
    guard places.removeValue(forKey: id) != nil else { return }
    order.removeAll { $0 == id }
  }
}
