internal import MienCodecs
internal import MienCore
internal import MienFiles
internal import MienImaging
package import MienPlatform
package import MienReconstruction
package import MienScanFiles
internal import MienScanFormat

/// Assessment of a scan's quality, with suggestions.
package struct ScanAssessment {
  package private(set) var findings: [ScanFinding]
  package private(set) var photos: [PhotoInspector.Photo] = []
  /// Guidance that an app would have given, and the seconds since the first frame; `nil` if not requested.
  package private(set) var guidance: [(seconds: Double, advice: ScanGuidanceEngine.Advice?)]?

  private let name: String
  private var inspector: ScanInspector

  /// Inspects every frame; those that cannot be read are reported and counted as lost.
  ///
  /// - Parameters:
  ///   - name: name of the scan for messages.
  ///   - onLostFrame: called with a line for each frame that cannot be read.
  ///   - progress: called with the number of finished frames and their total.
  /// - Throws: ``OperationError`` if the scan cannot be read.
  package init(
    _ scan: ScanImporter, named name: String, withGuidance: Bool, onLostFrame: @escaping (String) -> Void,
    progress: (Int, Int) -> Void
  ) throws {
    self.name = name
    inspector = ScanInspector(scan.header)
    if withGuidance { guidance = [] }
    var engine = ScanGuidanceEngine(scan.header)
    var began: Double?
    var frames = ReadableFrames(scan) { onLostFrame("\(name): \($1.words(leavingOut: $0))") }
    while true {
      let before = frames.leftOutCount
      let read: ScanFrame?
      do throws(ScanError) { read = try frames.next() } catch {
        throw OperationError("\(name): \(error.description)")
      }
      for _ in before..<frames.leftOutCount { inspector.lostFrame() }
      progress(frames.position, frames.total)
      guard let frame = read else { break }
      inspector.see(frame)
      guard withGuidance else { continue }
      let start = began ?? frame.at.seconds
      began = start
      if engine.see(frame) { guidance?.append((frame.at.seconds - start, engine.advice)) }
    }
    findings = inspector.findings
  }

  /// Adds the findings about the color frames and photos.
  ///
  /// - Parameters:
  ///   - photos: photos of the scan; if empty, those inside the scan are used.
  ///   - tracker: creates the face tracker, which is needed for photos only.
  /// - Throws: ``OperationError`` if a photo given cannot be read.
  package mutating func addImages<Tracker: FaceTracking>(
    of scan: ScanImporter, photos given: [[UInt8]], tracker: () async throws -> Tracker
  ) async throws {
    let colors = try ColorFrameInspection.inspect(scan)
    var images = given
    for number in 0..<scan.imageCount {
      guard let image = try? scan.image(at: number), image.role == .photo else { continue }
      if let pose = image.pose { inspector.see(photoFrom: pose) }
      if given.isEmpty { images.append(image.bytes) }
    }
    findings = inspector.findings + colors.findings
    // A recording by an app that takes no photos is not graded down for having none.
    guard !images.isEmpty || scan.format == .rawDepth else { return }
    if !images.isEmpty { photos = try await PhotoInspection.look(at: images, with: try await tracker()) }
    findings += PhotoInspector(photos).findings
  }
}

/// Inspects the color frames of a scan.
enum ColorFrameInspection {
  /// Inspects a sample of the frames, one image in memory at a time. An image that cannot be read or decoded is
  /// skipped; the error is reported by the code that uses the image.
  ///
  /// - Throws: `CancellationError` if the task is canceled.
  static func inspect(_ scan: ScanImporter) throws -> ColorFrameInspector {
    var inspector = ColorFrameInspector()
    // Photos are few and are inspected separately; an image's role is known only after it is read.
    let chosen = ColorFrameInspector.chosen(of: scan.imageCount)
    guard !chosen.isEmpty else { return inspector }
    var decoder = try ImageDecoder()
    var frame = Frame()
    for number in chosen {
      try Task.checkCancellation()
      guard let image = try? scan.image(at: number), image.role == .colorFrame else { continue }
      do { try decoder.decode(image.bytes, turning: false, into: &frame) } catch { continue }
      inspector.see(frame)
    }
    return inspector
  }
}
