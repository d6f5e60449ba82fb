package import MienAuthenticity
internal import MienCodecs
internal import MienCore
internal import MienImaging
package import MienPlatform

/// Finds the faces in the images of a capture; the checks measure the scene outside of them.
package struct FaceLocator: Sendable {
  private let observer: any FaceTracking

  package init(observer: any FaceTracking) { self.observer = observer }

  /// Returns the capture with the faces in its image and in the first, middle and last frame of its burst. An image that
  /// cannot be searched, for example because the models are missing, counts as one without faces.
  package func locatingFaces(in capture: CaptureInput) async -> CaptureInput {
    var capture = capture
    if let face = await face(in: capture.image.coarse, capture.image.orientation) { capture.faces = [face] }
    let frames = capture.burst
    guard !frames.isEmpty else { return capture }
    var found: [FaceBox] = []
    for index in Set([0, frames.count / 2, frames.count - 1]).sorted() {
      if let face = await face(in: frames[index].luma, .upright) { found.append(face) }
    }
    // The frames of a burst may be rotated like the photo, without saying so.
    capture.burstFaces = found.isEmpty ? capture.faces : found
    return capture
  }

  private func face(in plane: Plane, _ orientation: Orientation) async -> FaceBox? {
    let factor = max(1, min(plane.width, plane.height) / 360)
    let plane = plane.reduced(by: factor)
    guard min(plane.width, plane.height) >= 64 else { return nil }
    var (stored, upright) = (Frame(width: plane.width, height: plane.height), Frame())
    for (index, tone) in plane.samples.enumerated() {
      stored[index % plane.width, index / plane.width] = Pixel(red: tone, green: tone, blue: tone)
    }
    stored.stand(upright: orientation, into: &upright)
    guard let bytes = try? JPEGEncoder().encode(upright),
      let seen = try? await observer.observe(EncodedFrame(bytes: bytes, at: .zero), after: observer.newTrack()),
      let box = seen.observation.face?.box
    else { return nil }
    let first = orientation.beforeTurning(x: box.x, y: box.y)
    let last = orientation.beforeTurning(x: box.x + box.width, y: box.y + box.height)
    return FaceBox(
      x: min(first.x, last.x), y: min(first.y, last.y), width: abs(last.x - first.x), height: abs(last.y - first.y))
  }
}
