/// Where a record of a sealed upload begins, or where the next one would.
struct UploadPlace: Hashable, Sendable {
  /// How many bytes of the upload are before it.
  var plain: Int
  /// How many bytes of the file are before it.
  var sealed: Int

  /// Where the first record begins.
  static var first: UploadPlace { UploadPlace(plain: 0, sealed: SealedUploadHead.size) }

  /// Behind a record of so many bytes that begins here.
  func behind(_ count: Int) -> UploadPlace {
    UploadPlace(plain: plain + count, sealed: sealed + count + SealedRecords.around)
  }
}

/// A place in each of the uploads that were worked on last, so that the way to it is gone once.
actor UploadPlaces {
  private static let most = 128

  private var places: [UploadID: UploadPlace] = [:]
  /// The one that was noted longest ago first.
  private var order: [UploadID] = []

  /// The last place known at or before `offset`.
  func place(of id: UploadID, before offset: Int) -> UploadPlace {
    guard let place = places[id], place.plain <= offset else { return .first }
    return place
  }

  func note(_ place: UploadPlace, of id: UploadID) {
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
