/// Unfinished scan, stored on the device so that a restarted app can continue it.
struct ScanDraft: Codable, Hashable, Sendable {
  struct Photo: Codable, Hashable, Sendable {
    var id: String
    var path: String
    var hasFace: Bool?

    init(_ photo: CapturedPhoto) {
      (id, path, hasFace) = (photo.id, photo.path, photo.hasFace)
    }

    var taken: CapturedPhoto { CapturedPhoto(id: id, path: path, hasFace: hasFace) }
  }

  var photos: [Photo] = []
  var depth: DepthRecording?
  /// `true` while frames are being written.
  var isScanning = false
  var subject: String?
  var label: String?
  /// ID of the upload job, once created.
  var job: String?
}
