internal import Foundation
internal import MienCodecs
internal import MienScanFormat
internal import MienReconstruction
internal import MienImaging
internal import MienScanFiles
internal import MienPlatform
internal import MienScanService
internal import MienVideo

/// Processing of one scan, from its files to its results.
struct ScanPipelineRun {
  let job: ScanProcessingJob
  let files: SentScanFiles
  let observer: any FaceTracking
  let videoFrames: VideoScratchDirectory
  /// Signs an exported surface with its name; returns `nil` if it cannot be signed.
  let signing: (@Sendable ([UInt8], String) -> [UInt8]?)?

  /// - Throws: ``ScanError`` if the scan cannot be read; errors of the store; `CancellationError`.
  func run() async throws -> ScanReport {
    try await VideoBackedScan.open(files.hints, opening: files.open, in: videoFrames) { try await run($0, $1) }
  }

  private func run(_ scan: ScanImporter, _ remarks: [ScanDiagnostic]) async throws -> ScanReport {
    guard scan.frameCount > 0 else { throw ScanError(.missing, "the scan has no frame") }
    let area = scan.header.width * scan.header.height
    guard scan.frameCount <= Self.mostSamples / area else {
      throw ScanError(
        .tooMuch, "\(scan.frameCount) depth maps of \(area) samples are more than this server can process")
    }
    var outcome = ScanReport(
      depth: ScanReport.Depth(
        frames: scan.frameCount, width: scan.header.width, height: scan.header.height,
        sensor: scan.header.sensor.rawValue, device: scan.header.device, format: scan.format.rawValue,
        micrometersPerStep: scan.header.micrometersPerStep),
      remarks: (files.remarks + remarks).filter { job.scan.kind == .face || $0.code != .notePhotosNotThree }
        .map(ScanReport.Remark.init))
    let photos = try await photos(of: scan, &outcome)
    let checked = try await check(scan, photos, &outcome)
    var findings = checked.findings
    findings += try await look(at: photos, of: scan, &outcome)
    try await measure(scan, &outcome)
    findings.append(try await surface(of: scan, checked.inspector, &outcome))
    outcome.report = ScanReport.Report(outcome: grade(findings, outcome), items: findings)
    try await job.report(.writing, 1)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try await job.keep("report.json", type: "application/json", [UInt8](try encoder.encode(outcome)))
    return outcome
  }

  /// Returns the worst grade. An object or a room with a surface is usable, whatever could be better.
  private func grade(_ findings: [ScanReport.Report.Item], _ outcome: ScanReport) -> String {
    if findings.contains(where: { $0.outcome == "fail" }) {
      return job.scan.kind == .face || outcome.surface == nil ? "fail" : "warn"
    }
    return findings.contains { $0.outcome == "warn" } ? "warn" : "pass"
  }

  private var kind: ScanSubjectKind {
    switch job.scan.kind {
    case .face: .face
    case .object: .object
    case .room: .room
    }
  }

  /// Maximum number of samples in all depth maps together: 20 minutes of 256×192 at 60 frames per second are a third of
  /// it. A few bytes may represent a large empty map, and the worker is shared by all clients.
  private static var mostSamples: Int { 10_000_000_000 }

  // MARK: - Photos

  /// A photo that can be decoded. Its bytes are read on demand, so that one photo is in memory at a time.
  private struct Photo {
    let name: String
    let place: Place

    enum Place {
      /// Uploaded beside the depth.
      case sent(ScanRecord.File)
      /// Image inside the scan, by its index.
      case within(Int)
    }
  }

  /// Maximum size of a photo in bytes: the limit for an image in a bundle.
  private static var largestPhoto: Int { 64 << 20 }

  private func bytes(of photo: Photo, in scan: ScanImporter) async throws -> [UInt8] {
    switch photo.place {
    case .sent(let file): return try await job.open(file).read(0..<file.bytes)
    case .within(let number): return try scan.image(at: number).bytes
    }
  }

  /// Returns the photos uploaded beside the depth, or else those inside the scan, which are saved as results.
  private func photos(of scan: ScanImporter, _ outcome: inout ScanReport) async throws -> [Photo] {
    var photos = files.photos.prefix(12).map { Photo(name: $0.name, place: .sent($0)) }
    if photos.isEmpty {
      for number in 0..<min(scan.imageCount, 12) {
        guard let image = try? scan.image(at: number), image.role == .photo else { continue }
        let ending = ImageFormat.sniff(image.bytes) == .png ? "png" : "jpg"
        photos.append(Photo(name: "photo-\(photos.count + 1).\(ending)", place: .within(number)))
      }
    }
    var decoder = try ImageDecoder()
    var frame = Frame()
    var readable: [Photo] = []
    for photo in photos {
      if case .sent(let file) = photo.place, file.bytes > Self.largestPhoto {
        outcome.note(
          .notePhotoUnreadable, ["name": photo.name], detail: "it has more than \(Self.largestPhoto >> 20) MB")
        continue
      }
      let contents = try await bytes(of: photo, in: scan)
      do {
        try decoder.decode(contents, into: &frame)
      } catch {
        outcome.note(.notePhotoUnreadable, ["name": photo.name], detail: error.reason)
        continue
      }
      readable.append(photo)
      outcome.photos.append(ScanReport.Photo(name: photo.name, width: frame.width, height: frame.height))
      if case .within = photo.place {
        try await job.keep(photo.name, type: photo.name.hasSuffix("png") ? "image/png" : "image/jpeg", contents)
      }
    }
    return readable
  }

  /// Grades the photos of a face; returns no findings if the models are unavailable.
  private func look(
    at photos: [Photo], of scan: ScanImporter, _ outcome: inout ScanReport
  ) async throws -> [ScanReport.Report.Item] {
    guard job.scan.kind == .face, job.scan.photosExpected > 0 || !photos.isEmpty else { return [] }
    var seen: [PhotoInspector.Photo] = []
    for (number, photo) in photos.enumerated() {
      try await job.report(.measuring, Double(number) / Double(photos.count))
      do {
        seen.append(try await PhotoInspection.look(at: try await bytes(of: photo, in: scan), number, with: observer))
      } catch let error as FaceTrackingError {
        outcome.note(.notePhotoNotLookedAt, ["name": photo.name], detail: error.reason)
        return []
      }
    }
    for (number, photo) in seen.enumerated() {
      outcome.photos[number].measures = photo.measures.map { measure in
        .init(name: measure.name.rawValue, value: measure.value, unit: measure.unit, score: measure.score)
      }
    }
    return PhotoInspector(seen).findings.map(Self.item)
  }

  /// Measures distances on the face from images with known camera poses.
  private func measure(_ scan: ScanImporter, _ outcome: inout ScanReport) async throws {
    guard job.scan.kind == .face, scan.imageCount > 0 else { return }
    do {
      let measures = try await FaceMeasurementRun.make(scan, with: observer)
      outcome.measurements = measures.rows.compactMap { row in
        ScanReport.Measurement(
          name: row.measure.rawValue, millimeters: Self.tenths(row.meters),
          uncertainty: Self.tenths(row.standardUncertainty))
      }
      for reason in measures.reasons {
        outcome.note(reason.code, ["count": "\(reason.count)"])
      }
    } catch let error as FaceTrackingError {
      outcome.note(.noteNothingMeasured, detail: error.reason)
    }
  }

  /// Converts meters to millimeters with one decimal.
  private static func tenths(_ meters: Float) -> Double { (Double(meters) * 10_000).rounded() / 10 }

  // MARK: - Depth

  /// Reads all frames once, grades them and writes the scan as a bundle.
  private func check(
    _ scan: ScanImporter, _ photos: [Photo], _ outcome: inout ScanReport
  ) async throws -> (findings: [ScanReport.Report.Item], inspector: ScanInspector) {
    var inspector = ScanInspector(scan.header, of: kind)
    try await job.keep(ScanProcessingJob.bundleName, type: "application/x-mien-scan") { bundle in
      try await writeBundle(of: scan, photos, to: bundle, &inspector, &outcome)
    }
    let colors = try ColorFrameInspection.inspect(scan)
    return ((inspector.findings + colors.findings).map(Self.item), inspector)
  }

  /// Writes each frame and image to the store before the next is read, so that memory use does not depend on the scan's
  /// length.
  private func writeBundle(
    of scan: ScanImporter, _ photos: [Photo], to bundle: ScanResultWriter, _ inspector: inout ScanInspector,
    _ outcome: inout ScanReport
  ) async throws {
    var writer = ScanWriter(scan.header)
    try await bundle.append(writer.start())
    var skipped: [(frame: Int, reason: String)] = []
    var frames = ReadableFrames(scan) { skipped.append(($0, $1.reason)) }
    while true {
      let before = frames.leftOutCount
      let frame = try frames.next()
      for _ in before..<frames.leftOutCount { inspector.lostFrame() }
      guard let frame else { break }
      try await job.report(.checking, Double(frames.position) / Double(frames.total))
      inspector.see(frame)
      try await bundle.append(try writer.append(frame))
    }
    for (frame, reason) in skipped { outcome.note(.noteFrameLeftOut, ["frame": "\(frame)"], detail: reason) }
    for number in 0..<scan.imageCount {
      try Task.checkCancellation()
      guard let image = try? scan.image(at: number) else { continue }
      if image.role == .photo, let pose = image.pose { inspector.see(photoFrom: pose) }
      try await bundle.append(try writer.append(image))
    }
    for photo in photos {
      try Task.checkCancellation()
      guard case .sent = photo.place,
        let image = ScanImage(
          role: .photo, bytes: try await bytes(of: photo, in: scan), pose: nil, intrinsics: nil, at: nil)
      else { continue }
      try await bundle.append(try writer.append(image))
    }
    try await bundle.append(writer.finish())
  }

  /// Reconstructs the surface and writes its files and preview; a failure is reported as a finding.
  private func surface(
    of scan: ScanImporter, _ inspector: ScanInspector, _ outcome: inout ScanReport
  ) async throws -> ScanReport.Report.Item {
    do {
      var options = ReconstructionRun.Options()
      options.voxel = job.scan.options.voxel.map { Float($0) / 1_000_000 }
      options.range = job.scan.options.range.map { Float($0.lowerBound) / 1000...Float($0.upperBound) / 1000 }
      let work = ReconstructionRun(scan, options)
      var made = try await work.make { step, done, total in
        let part = Double(done) / Double(max(total, 1))
        switch step {
        case .fusing: try await job.report(.fusing, part)
        case .fusingAgain: try await job.report(.meshing, 0.5 * part)
        }
      }
      try await job.report(.meshing, 0.8)
      let texture: EncodedTexture?
      (made.mesh, texture) = try await work.colored(made, textureSize: 2048) {
        try await job.report(.meshing, 0.8 + 0.2 * $0)
      }
      for remark in made.remarks { outcome.note(.init(remark)) }
      var subject = inspector.subject(at: made.poses)
      if scan.header.world == .zUp {
        made.mesh = made.mesh.rotatedToYUp()
        subject = subject?.rotatedToYUp()
      }
      let mesh = made.mesh
      outcome.surface = Self.surface(mesh, made.report, subject, voxel: made.voxel)
      try await write(mesh, texture, subject, voxel: made.voxel)
      return ScanReport.Report.Item(
        name: "surface", outcome: "pass", value: Double(mesh.triangles.count), unit: "triangles",
        remarks: [.init(ScanDiagnostic(.surfaceMade, ["triangles": "\(mesh.triangles.count)"]))])
    } catch let error as ReconstructionError {
      // A canceled job has no surface either.
      try Task.checkCancellation()
      return ScanReport.Report.Item(
        name: "surface", outcome: "fail", value: nil, unit: nil,
        remarks: [.init(ScanDiagnostic(error.code.remark, detail: error.reason))])
    }
  }

  private func write(
    _ mesh: SurfaceMesh, _ texture: EncodedTexture?, _ subject: SubjectRegion?, voxel: Float
  ) async throws {
    let formats: [(format: MeshFormat, type: String)] = [
      (.glb, "model/gltf-binary"), (.ply, "application/octet-stream"), (.obj, "model/obj"), (.stl, "model/stl"),
      (.usdz, "model/vnd.usdz+zip"),
    ]
    for (number, entry) in formats.enumerated() {
      try await job.report(.writing, Double(number) / Double(formats.count + 2))
      let name = "model.\(entry.format.rawValue)"
      let bytes = Array(try entry.format.bytes(of: mesh, texture: texture))
      try await job.keep(name, type: entry.type, bytes)
      // The formats that other programs show; the C2PA library cannot write a credential into either.
      if entry.format == .glb || entry.format == .usdz, let credential = signing?(bytes, name) {
        try await job.keep(name + ".c2pa", type: "application/c2pa", credential)
      }
    }
    // Material library that the OBJ file refers to.
    let names = OBJFiles.ofScan
    let materials = names.materials(isTextured: texture != nil)
    try await job.keep(names.materialsName, type: "model/mtl", Array(materials.utf8))
    if let texture { try await job.keep(names.textureName, type: "image/jpeg", Array(texture.jpeg)) }
    let cloud = PointCloud(mesh).sampledDown(voxel: 2 * voxel).ply
    try await job.keep("cloud.ply", type: "application/octet-stream", Array(cloud))
    if let pose = MeshRenderer.camera(on: mesh, subject, yaw: 25, pitch: 15) {
      // The background of a face is removed; the surroundings of an object help to recognize it.
      let region = kind == .face ? subject : nil
      if let image = MeshRenderer.draw(mesh, texture?.texture, in: region, from: pose, width: 640, height: 480) {
        try await job.keep("preview.png", type: "image/png", try PNGEncoder().encode(image))
      }
      if let image = MeshRenderer.draw(mesh, texture?.texture, in: region, from: pose, width: 160, height: 120) {
        try await job.keep("thumbnail.jpg", type: "image/jpeg", Array(try JPEGEncoder().encode(image, quality: 80)))
      }
    }
  }

  private static func surface(
    _ mesh: SurfaceMesh, _ report: ReconstructionReport, _ subject: SubjectRegion?, voxel: Float
  ) -> ScanReport.Surface {
    func millimeters(_ meters: Float?) -> Double? { meters.map { (Double($0) * 100_000).rounded() / 100 } }
    let size = mesh.bounds.map { ($0.most - $0.least) * 1000 }
    return ScanReport.Surface(
      triangles: mesh.triangles.count, vertices: mesh.positions.count, voxel: Double(voxel) * 1000,
      framesFused: report.framesFused, framesLost: report.framesLost, pieces: report.pieces,
      residual: millimeters(report.residual), drift: millimeters(report.drift),
      size: size.map { [Double($0.x.rounded()), Double($0.y.rounded()), Double($0.z.rounded())] } ?? [],
      subject: subject.flatMap { subject in
        guard let x = millimeters(subject.center.x), let y = millimeters(subject.center.y),
          let z = millimeters(subject.center.z), let radius = millimeters(subject.radius)
        else { return nil }
        return ScanReport.Surface.Subject(center: [x, y, z], radius: radius)
      })
  }

  private static func item(_ finding: ScanFinding) -> ScanReport.Report.Item {
    ScanReport.Report.Item(
      name: finding.item.rawValue, outcome: finding.grade.rawValue, value: finding.value, unit: finding.unit,
      remarks: finding.remarks.map(ScanReport.Remark.init))
  }
}
