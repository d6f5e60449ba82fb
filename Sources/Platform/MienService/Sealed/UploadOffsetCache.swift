/// Where a record of a sealed upload begins, or where the next one would.
struct UploadOffset: Hashable, Sendable {
  /// How many bytes of the upload are before it.
  var plain: Int
  /// How many bytes of the file are before it.
  var sealed: Int

  /// Where the first record begins.
  static var first: UploadOffset { UploadOffset(plain: 0, sealed: EncryptedUploadHeader.size) }

  /// Behind a record of so many bytes that begins here.
  func behind(_ count: Int) -> UploadOffset {
    UploadOffset(plain: plain + count, sealed: sealed + count + RecordCipher.around)
  }
}

/// A place in each of the uploads that were worked on last, so that the way to it is gone once.
actor UploadOffsetCache {
  private static let most = 128

  private var places: [UploadID: UploadOffset] = [:]
  /// The one that was noted longest ago first.
  private var order: [UploadID] = []

  /// The last place known at or before `offset`.
  func place(of id: UploadID, before offset: Int) -> UploadOffset {
    guard let place = places[id], place.plain <= offset else { return .first }
    return place
  }

  func note(_ place: UploadOffset, of id: UploadID) {
    forget(id)
    if order.count == Self.most { places[order.removeFirst()] = nil }
    places[id] = place
    order.append(id)
  }

  func forget(_ id: UploadID) {
    guard places.removeValue(forKey: id) != nil else { return }
    order.removeAll { $0 == id }
  }
}
