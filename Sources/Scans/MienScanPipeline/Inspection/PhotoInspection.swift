internal import MienCodecs
internal import MienCore
package import MienReconstruction
internal import MienFiles
internal import MienImaging
package import MienPlatform

/// Inspects a scan's photos with the face tracker.
package enum PhotoInspection {
  /// Inspects photos in their order.
  ///
  /// - Throws: ``OperationError`` with the number of the photo that cannot be inspected.
  package static func look(at photos: [[UInt8]], with observer: any FaceTracking) async throws -> [PhotoInspector
    .Photo]
  {
    var seen: [PhotoInspector.Photo] = []
    for (number, bytes) in photos.enumerated() {
      do {
        seen.append(try await look(at: bytes, number, with: observer))
      } catch let error as FaceTrackingError {
        throw OperationError("photo \(number + 1): \(error.reason)")
      } catch let error as ImageCodecError {
        throw OperationError("photo \(number + 1): \(error.description)")
      }
    }
    return seen
  }

  /// Combines the tracker's observation and the pixel measurements of one photo.
  ///
  /// - Throws: ``FaceTrackingError``, ``ImageCodecError``.
  static func look(
    at bytes: [UInt8], _ number: Int, with observer: any FaceTracking
  ) async throws -> PhotoInspector.Photo {
    let observation = try await observer.observe(
      EncodedFrame(bytes: bytes, at: MonotonicInstant(nanoseconds: Int64(number) * 1_000_000_000)),
      after: observer.newTrack()
    ).observation
    var decoder = try ImageDecoder()
    var frame = Frame()
    try decoder.decode(bytes, into: &frame)
    return photo(observation, frame)
  }

  private static func photo(_ observation: FaceObservation, _ frame: Frame) -> PhotoInspector.Photo {
    let (width, height) = (Float(frame.width), Float(frame.height))
    guard let face = observation.face else {
      return PhotoInspector.Photo(
        faces: observation.faceCount, pose: nil, eyeDistance: nil, sharpness: nil,
        light: ImageMeasures(frame, x: 0..<max(width, 1), y: 0..<max(height, 1)))
    }
    let box = face.box
    let x = box.x * width..<(box.x + box.width) * width
    let y = box.y * height..<(box.y + box.height) * height
    // Iris centers: points 468 and 473 of the mesh.
    let eyes = [468, 473].map { face.landmarks.points[$0] }
    let across = (eyes[0].x - eyes[1].x) * width
    let down = (eyes[0].y - eyes[1].y) * height
    return PhotoInspector.Photo(
      faces: observation.faceCount, pose: face.pose,
      eyeDistance: Double((across * across + down * down).squareRoot()),
      sharpness: frame.sharpness(x: x, y: y).map(Double.init), light: ImageMeasures(frame, x: x, y: y))
  }
}
