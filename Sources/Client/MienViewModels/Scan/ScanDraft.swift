/// A scan that is being made, as it is kept on the device: a killed app goes on with it.
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
  /// Whether frames are being written at this moment.
  var isScanning = false
  var subject: String?
  var label: String?
  /// The job of the upload, once there is one.
  var job: String?
}
