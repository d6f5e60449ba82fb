internal import MienCodecs
internal import MienCore
package import MienScanFormat
package import MienReconstruction
internal import MienFiles
internal import MienImaging
package import MienScanFiles

/// Reconstruction of a surface from a scan; shared by `mien scan reconstruct` and the server.
package struct ReconstructionRun {
  private let scan: ScanImporter
  private let options: Options
  /// Receives a line for each frame and image that cannot be read and is skipped.
  private let onSkipped: (String) -> Void

  /// Options chosen by the user.
  package struct Options: Sendable {
    /// Edge length of a voxel in meters; nil derives it from the median distance in a sample of the scan's frames, and
    /// makes it coarser for a scene that is too large.
    package var voxel: Float?
    /// Distances to use, in meters; nil for the default of ``DepthFilter``.
    package var range: ClosedRange<Float>?
    /// Minimum confidence of a sample.
    package var confidence: UInt8 = 2
    /// `true` to refine the device's poses.
    package var refinesPoses = true
    package var closesLoops = true

    package init() {}
  }

  /// A surface with its report, poses and messages.
  package struct Outcome {
    package var mesh: SurfaceMesh
    package let report: ReconstructionReport
    package let correction: PoseCorrection
    /// Pose of each fused frame in the reconstruction; `nil` for a frame without one.
    package let poses: [CameraPose?]
    /// Edge length of a voxel in meters.
    package let voxel: Float
    /// Messages about the reconstruction, for people.
    package let remarks: [ScanDiagnostic]
  }

  /// Phase of the reconstruction.
  package enum Step { case fusing, fusingAgain }

  package init(_ scan: ScanImporter, _ options: Options, onSkipped: @escaping (String) -> Void = { _ in }) {
    self.scan = scan
    self.options = options
    self.onSkipped = onSkipped
  }

  /// Returns the median distance in meters over about ten frames, or NaN if nothing was measured.
  private static func distance(_ scan: ScanImporter) -> Float {
    var samples: [UInt16] = []
    // One cursor decodes the frames since a key frame only once, however far the key frame is.
    var cursor = scan.cursor()
    for number in stride(from: 0, to: scan.frameCount, by: max(1, scan.frameCount / 10)) where !Task.isCancelled {
      guard let frame = try? cursor.frame(at: number) else { continue }
      samples += stride(from: 0, to: frame.depth.count, by: 7).lazy.map { frame.depth[$0] }.filter { $0 > 0 }
    }
    samples.sort()
    return samples.isEmpty ? .nan : Float(samples[samples.count / 2]) * scan.header.metersPerStep
  }

  /// Maximum edge length in meters of a voxel that is chosen for a large scene.
  private static let coarsest: Float = 0.05

  /// Fuses all frames, with coarser voxels if the scene is too large for those that were derived from its distance.
  ///
  /// - Parameter progress: receives the number of finished frames and their total; starts again with coarser voxels.
  /// - Throws: ``ReconstructionError``, ``OperationError``, `ScanError` if no frame can be read, `CancellationError`.
  package func make(progress: (Step, Int, Int) async throws -> Void) async throws -> Outcome {
    let wanted = options.voxel ?? ReconstructionSettings.voxel(forDistance: Self.distance(scan))
    var voxel = wanted
    var skipped = onSkipped
    while true {
      var part = 0.0
      do {
        return try await make(voxel: voxel, instead: wanted, onSkipped: skipped) { step, done, total in
          part = step == .fusing ? Double(done + 1) / Double(max(total, 1)) : 1
          try await progress(step, done, total)
        }
      } catch let error as ReconstructionError where error.code == .tooLarge && options.voxel == nil {
        guard voxel < Self.coarsest else { throw error }
        // The number of voxels on a surface falls with the square of their edge length; later frames rarely see as
        // many new ones.
        let factor = min(max((1 / part).squareRoot(), 1.25), 2)
        voxel = min((voxel * 1000 * Float(factor)).rounded(.up) / 1000, Self.coarsest)
        // The skipped frames have been reported.
        skipped = { _ in }
      }
    }
  }

  private func make(
    voxel: Float, instead wanted: Float, onSkipped: @escaping (String) -> Void,
    _ progress: (Step, Int, Int) async throws -> Void
  ) async throws -> Outcome {
    var settings = ReconstructionSettings(voxel: voxel)
    if let range = options.range { settings.filter.range = range }
    settings.filter.leastConfidence = options.confidence
    settings.refinesPoses = options.refinesPoses
    settings.closesLoops = options.closesLoops
    guard var maker = Reconstructor(scan.header, settings: settings) else {
      throw OperationError("voxels of \(voxel * 1000) mm are not suitable for this scan")
    }
    var frames = ReadableFrames(scan) { onSkipped($1.words(leavingOut: $0)) }
    while let frame = try frames.next() {
      try Task.checkCancellation()
      try await progress(.fusing, frames.position - 1, frames.total)
      try maker.add(frame)
    }
    frames.summary.map(onSkipped)
    let again = maker.closeLoops(while: { !Task.isCancelled })
    for frame in 0..<again {
      try Task.checkCancellation()
      _ = try maker.fuseAgain()
      try await progress(.fusingAgain, frame + 1, again)
    }
    try Task.checkCancellation()
    let (mesh, report) = try maker.surface(while: { !Task.isCancelled })
    try Task.checkCancellation()
    var remarks: [ScanDiagnostic] = []
    if voxel > wanted {
      func millimeters(_ meters: Float) -> String { "\(Int((meters * 1000).rounded()))" }
      remarks.append(
        ScanDiagnostic(.noteVoxelCoarser, ["used": millimeters(voxel), "wanted": millimeters(wanted)]))
    }
    if report.framesLost > 0 {
      let total = report.framesLost + report.framesFused
      remarks.append(ScanDiagnostic(.notePathLost, ["count": "\(report.framesLost)", "total": "\(total)"]))
    }
    return Outcome(
      mesh: mesh, report: report, correction: maker.correction, poses: maker.poses, voxel: voxel, remarks: remarks)
  }

  /// Colors the mesh and creates its texture from the images with known cameras, if there are any.
  ///
  /// - Parameters:
  ///   - textureSize: maximum width and height of the texture in pixels; `nil` for no texture.
  ///   - progress: receives the finished fraction, 0…1.
  package func colored(
    _ outcome: Outcome, textureSize: Int?,
    progress: (Double) async throws -> Void = { _ in }
  ) async throws -> (mesh: SurfaceMesh, texture: EncodedTexture?) {
    var texturing = SurfaceTexturing(outcome.mesh)
    var decoder = try ImageDecoder()
    var image = Frame()
    for number in 0..<scan.imageCount {
      try Task.checkCancellation()
      try await progress(0.5 * Double(number) / Double(scan.imageCount))
      // A damaged image is skipped; the others still yield colors.
      guard let photo = try? scan.image(at: number), let pose = photo.pose, let camera = photo.intrinsics else {
        continue
      }
      do {
        try decoder.decode(photo.bytes, turning: false, into: &image)
      } catch let error {
        onSkipped("picture \(number) is left out: \(error.reason)")
        continue
      }
      texturing.look(
        at: image, number: number, camera: camera, pose: outcome.correction.corrected(pose),
        tolerance: 2 * outcome.voxel)
    }
    let colored = texturing.colored()
    guard let textureSize else { return (colored, nil) }
    var settings = TextureSettings()
    settings.size = textureSize
    let found = texturing.painter(settings, while: { !Task.isCancelled })
    try Task.checkCancellation()
    guard var painter = found else { return (colored, nil) }
    let images = painter.images
    for (done, number) in images.enumerated() {
      try Task.checkCancellation()
      try await progress(0.5 + 0.5 * Double(done) / Double(images.count))
      try decoder.decode(try scan.image(at: number).bytes, turning: false, into: &image)
      painter.paint(image, number: number)
    }
    let texture = painter.texture(while: { !Task.isCancelled })
    try Task.checkCancellation()
    return (colored, EncodedTexture(texture, jpeg: try JPEGEncoder().encode(texture.image, quality: 90)))
  }
}
