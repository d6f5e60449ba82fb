public import MienCore

/// Finds and compares faces; the service's interface to a recognition model.
public protocol FaceMatching: Sendable {
  /// Decodes a still image and returns its faces, largest first, with ``FaceObservation/aligned``.
  ///
  /// - Parameter most: maximum number of faces returned.
  /// - Throws: ``FaceTrackingError``.
  func faces(in image: [UInt8], most: Int) async throws -> [FaceObservation]

  /// Returns the template of a face.
  ///
  /// - Throws: ``FaceTrackingError``, also if too many faces are waiting.
  func template(of face: AlignedFace) async throws -> FaceTemplate

  /// Returns the reasons why faces cannot be compared; empty if they can.
  func obstacles() async -> [UnavailableReason]
}
