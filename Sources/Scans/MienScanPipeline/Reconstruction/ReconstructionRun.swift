internal import MienCodecs
internal import MienCore
internal import MienScanFormat
package import MienReconstruction
internal import MienFiles
internal import MienImaging
package import MienScanFiles

/// Reconstruction of a surface from a scan; shared by `mien scan reconstruct` and the server.
package struct ReconstructionRun {
  private let scan: ScanImporter
  /// Edge length of a voxel in meters.
  package let voxel: Float
  private let settings: ReconstructionSettings
  /// Receives a line for each frame and image that cannot be read and is skipped.
  private let onSkipped: (String) -> Void

  /// - Parameter voxel: edge length in meters; `nil` derives it from the median distance in a sample of the scan's
  ///   frames.
  package init(
    _ scan: ScanImporter, voxel: Float?, range: ClosedRange<Float>?, confidence: UInt8, refines: Bool, closes: Bool,
    onSkipped: @escaping (String) -> Void = { _ in }
  ) {
    self.scan = scan
    self.onSkipped = onSkipped
    self.voxel = voxel ?? ReconstructionSettings.voxel(forDistance: Self.distance(scan))
    var settings = ReconstructionSettings(voxel: self.voxel)
    if let range { settings.filter.range = range }
    settings.filter.leastConfidence = confidence
    settings.refinesPoses = refines
    settings.closesLoops = closes
    self.settings = settings
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

  /// Creates the reconstructor, before the first frame is added.
  func maker() throws -> Reconstructor {
    guard let maker = Reconstructor(scan.header, settings: settings) else {
      throw OperationError("voxels of \(voxel * 1000) mm do not go with this scan")
    }
    return maker
  }

  /// Fuses all frames; `progress` receives the number of finished frames and their total.
  package func make(
    progress: (Int, Int) -> Void
  ) throws -> (mesh: SurfaceMesh, report: ReconstructionReport, correction: PoseCorrection) {
    var maker = try maker()
    var cursor = scan.cursor()
    var done = 0
    while done < scan.frameCount {
      try Task.checkCancellation()
      do {
        try maker.add(try cursor.frame(at: done))
      } catch let error as ScanError {
        // A damaged frame is reported and skipped; the others still yield a surface.
        onSkipped("frame \(done) is left out: \(error.description)")
      }
      done += 1
      progress(done, scan.frameCount)
    }
    let again = maker.closeLoops(while: { !Task.isCancelled })
    for frame in 0..<again {
      try Task.checkCancellation()
      _ = try maker.fuseAgain()
      progress(frame + 1, again)
    }
    try Task.checkCancellation()
    let (mesh, report) = try maker.surface(while: { !Task.isCancelled })
    try Task.checkCancellation()
    return (mesh, report, maker.correction)
  }

  /// Colors the mesh and creates its texture from the images with known cameras, if there are any.
  ///
  /// - Parameters:
  ///   - textureSize: maximum width and height of the texture in pixels; `nil` for no texture.
  ///   - progress: receives the finished fraction, 0…1.
  package func colored(
    _ mesh: SurfaceMesh, _ correction: PoseCorrection, textureSize: Int?,
    progress: (Double) async throws -> Void = { _ in }
  ) async throws -> (mesh: SurfaceMesh, texture: EncodedTexture?) {
    var texturing = SurfaceTexturing(mesh)
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
        at: image, number: number, camera: camera, pose: correction.corrected(pose), tolerance: 2 * voxel)
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
