internal import Foundation
internal import MienCodecs
internal import MienCore
internal import MienScanFormat
package import MienReconstruction
internal import MienImaging
package import MienScanFiles
package import MienPlatform

/// Measures distances on the face of a scan; shared by `mien scan measure` and the server's job.
package struct FaceMeasurementRun {
  /// Measurements in the order of ``FaceMeasure``; empty if no view showed a face with depth.
  package let rows: [FaceMeasurement]
  /// Number of images that contributed.
  package let viewCount: Int
  package let lookedAt: Int
  /// Reasons why the other images did not contribute, with counts.
  package let reasons: [(code: ScanDiagnostic.Code, count: Int)]

  /// Detects the face in at most `most` images with known camera parameters, and projects its landmarks onto the depth.
  ///
  /// - Parameters:
  ///   - fieldOfView: horizontal field of view of image and depth map in degrees, for a scan without camera parameters:
  ///     the n-th image and the n-th map are then assumed to match pixel for pixel.
  ///   - progress: called with the number of finished images and their total.
  package static func make(
    _ scan: ScanImporter, with tracker: any FaceTracking, fieldOfView: Double? = nil, most: Int = 40,
    progress: (Int, Int) -> Void = { _, _ in }
  ) async throws -> FaceMeasurementRun {
    var work = Work(scan, tracker, fieldOfView)
    let pairs = try work.pairs(most: most)
    var cursor = scan.cursor()
    for (done, pair) in pairs.enumerated() {
      try Task.checkCancellation()
      // Damaged frames are reported where the frames are graded; the others can still be measured.
      if let image = try? scan.image(at: pair.image), let frame = try? cursor.frame(at: pair.frame) {
        try await work.look(at: image, with: frame)
      }
      progress(done + 1, pairs.count)
    }
    return FaceMeasurementRun(
      rows: work.measurer.measurements, viewCount: work.measurer.viewCount, lookedAt: pairs.count,
      reasons: work.reasons.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key, $0.value) })
  }

  private struct Work {
    let scan: ScanImporter
    let tracker: any FaceTracking
    let fieldOfView: Double?
    var measurer: FaceMeasurer
    var reasons: [ScanDiagnostic.Code: Int] = [:]
    /// Orientation in which the last face was found.
    private var lastOrientation = Orientation.upright

    init(_ scan: ScanImporter, _ tracker: any FaceTracking, _ fieldOfView: Double?) {
      (self.scan, self.tracker, self.fieldOfView) = (scan, tracker, fieldOfView)
      measurer = FaceMeasurer(scan.header)
    }

    mutating func note(_ reason: ScanDiagnostic.Code) { reasons[reason, default: 0] += 1 }

    /// Returns pairs of an image and the matching depth frame, sorted by frame number.
    mutating func pairs(most: Int) throws -> [(image: Int, frame: Int)] {
      var pairs: [(image: Int, frame: Int)] = []
      if fieldOfView != nil {
        pairs = (0..<min(scan.imageCount, scan.frameCount)).map { ($0, $0) }
      } else if scan.imageCount > 0 {
        var matcher = FrameMatcher()
        var cursor = scan.cursor()
        for number in 0..<scan.frameCount {
          try Task.checkCancellation()
          // A damaged frame is skipped.
          if let frame = try? cursor.frame(at: number) { matcher.add(frame, number: number) }
        }
        for number in 0..<scan.imageCount {
          try Task.checkCancellation()
          guard let image = try? scan.image(at: number) else { continue }
          guard image.intrinsics != nil else {
            note(.noteImagesWithoutCamera)
            continue
          }
          guard let frame = matcher.frame(for: image) else {
            note(.noteImagesWithoutDepth)
            continue
          }
          pairs.append((number, frame))
        }
      }
      pairs.sort { ($0.frame, $0.image) < ($1.frame, $1.image) }
      guard pairs.count > most else { return pairs }
      return (0..<most).map { pairs[$0 * pairs.count / most] }
    }

    mutating func look(at image: ScanImage, with frame: ScanFrame) async throws {
      var decoder = try ImageDecoder()
      var pixels = Frame()
      do {
        try decoder.decode(image.bytes, turning: false, into: &pixels)
      } catch {
        return note(.noteImagesUnreadable)
      }
      let camera = fieldOfView.map { PinholeIntrinsics(across: pixels.width, down: pixels.height, degrees: $0) }
      guard let camera = camera ?? image.intrinsics, camera.isCentered(width: pixels.width, height: pixels.height)
      else {
        return note(.noteImagesOfOtherSize)
      }
      guard let face = try await face(in: pixels, image) else { return note(.noteImagesWithoutFace) }
      let view = FaceMeasurer.View(
        landmarks: face.landmarks, head: face.head, width: pixels.width, height: pixels.height, camera: camera,
        pose: image.pose)
      let depth = fieldOfView.flatMap { degrees in
        ScanFrame(
          width: frame.width, height: frame.height, depth: frame.depth, confidence: frame.confidence, pose: nil,
          intrinsics: PinholeIntrinsics(across: frame.width, down: frame.height, degrees: degrees), at: frame.at)
      }
      if let obstacle = measurer.add(view, depth ?? frame) { note(obstacle.remark) }
    }

    /// Returns the only face in an image, in coordinates of the original image before it was rotated upright.
    private mutating func face(
      in pixels: Frame, _ image: ScanImage
    ) async throws -> (landmarks: Landmarks, head: HeadPose)? {
      let known = image.pose?.orientation(in: scan.header.world)
      let others: [Orientation] = [.upright, .quarterRight, .quarterLeft, .upsideDown].filter { $0 != lastOrientation }
      for orientation in known.map({ [$0] }) ?? [lastOrientation] + others {
        let bytes: [UInt8]
        if orientation == .upright {
          bytes = image.bytes
        } else {
          var turned = Frame()
          pixels.stand(upright: orientation, into: &turned)
          bytes = try JPEGEncoder().encode(turned, quality: 95)
        }
        let observation = try await tracker.observe(
          EncodedFrame(bytes: bytes, at: MonotonicInstant(nanoseconds: 0)), after: tracker.newTrack()
        ).observation
        guard let face = observation.face, observation.faceCount == 1 else { continue }
        lastOrientation = orientation
        let points = face.landmarks.points.map { point in
          let before = orientation.beforeTurning(x: point.x, y: point.y)
          return SIMD3(before.x, before.y, point.z)
        }
        return Landmarks(points).map { ($0, face.pose) }
      }
      return nil
    }
  }
}

extension FaceMeasurer.UnavailableReason {
  /// Diagnostic code to report.
  var remark: ScanDiagnostic.Code {
    switch self {
    case .turned: .noteImagesTurned
    case .noDepth: .noteImagesWithoutEyes
    case .doesNotFit: .noteImagesNotFitting
    }
  }
}

extension PinholeIntrinsics {
  /// Creates a camera with square pixels whose principal point is the image center.
  init(across width: Int, down height: Int, degrees: Double) {
    let focal = Float(Double(width) / 2 / tan(degrees / 2 * .pi / 180))
    self.init(fx: focal, fy: focal, cx: Float(width) / 2 - 0.5, cy: Float(height) / 2 - 0.5)
  }

  /// Returns `true` if the principal point is near the center: otherwise the intrinsics belong to an image of another
  /// size, or to one that was rotated since.
  func isCentered(width: Int, height: Int) -> Bool {
    abs(cx / Float(width) - 0.5) < 0.1 && abs(cy / Float(height) - 0.5) < 0.1
  }
}
