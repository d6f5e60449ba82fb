public import MienAuthenticity
internal import MienCore
public import MienImaging
internal import MienWorkers

/// Decodes the files of a capture, runs the checks on them, and draws the visualizations.
struct CaptureAnalysis: Sendable {
  /// The files of a capture, as received.
  struct Files: Sendable {
    var photo: [UInt8]
    var depth: [UInt8]?
    var motion: Motion?

    struct Motion: Sendable {
      let facts: CaptureMotionMedia
      let bytes: [UInt8]
      /// Times at which the images of a burst were taken, in milliseconds; `nil` if unknown.
      let times: [Int64]?
    }
  }

  /// The result of an analysis.
  struct Outcome: Sendable {
    let results: DetectionResults
    let provenance: ProvenanceOutcome
    let visualizations: [CaptureVisualization]
  }

  let reader: any CaptureDecoding
  let scheduler: AnalysisScheduler

  /// Analyzes the files of a capture. Unreadable files are reported as such in the results.
  ///
  /// - Parameter id: the capture, for queries of the progress; `nil` for a file that is not a capture.
  /// - Throws: `CancellationError` if reading was interrupted because the task was canceled, whatever the error: that
  ///   does not mean that a file is unreadable.
  func analyze(at files: Files, of id: CaptureID? = nil) async throws -> Outcome {
    try await WorkerPool.shared.runTask {
      let provenance = await reader.contentCredential(of: files.photo)
      let (results, visualizations) = try await checkResults(at: files, of: id)
      return Outcome(results: results, provenance: provenance, visualizations: visualizations)
    }
  }

  /// Returns the provenance of a file that is not analyzed.
  func provenance(of file: [UInt8]) async throws -> ProvenanceOutcome {
    try await WorkerPool.shared.runTask { await reader.contentCredential(of: file) }
  }

  private func checkResults(at files: Files, of id: CaptureID?) async throws -> (
    DetectionResults, [CaptureVisualization]
  ) {
    guard var scene = try? await reader.image(files.photo) else {
      try Task.checkCancellation()
      return (.unavailable(because: .unreadable), [])
    }
    let depth = files.depth.flatMap { try? reader.depth($0) }
    var burst: [BurstFrame]?
    if let motion = files.motion {
      burst = try? await frames(of: motion)
      // A clip is decoded by another process, which ends with the task.
      if burst == nil { try Task.checkCancellation() }
    }
    // A depth map sent separately replaces one in the photo's file, even if it is unreadable.
    if files.depth != nil { scene.depth = depth }
    scene.burst = burst ?? []
    scene = await reader.addingFeatures(to: reader.locatingFaces(in: scene))
    var (results, parts) = await scheduler.analysis(of: scene, for: id)
    if files.depth != nil, depth == nil { results.markUnreadable(.depth) }
    if files.motion != nil, burst == nil { results.markUnreadable(.burst) }
    // A visualization that fails is left out: if the error were thrown, the capture would be analyzed again forever.
    let visualizations = AnalysisVisualizer.frames(of: scene, from: parts).compactMap { kind, frame in
      (try? reader.png(frame)).map { CaptureVisualization(kind: kind, bytes: $0) }
    }
    return (results, visualizations)
  }

  private func frames(of motion: Files.Motion) async throws -> [BurstFrame] {
    guard motion.facts.kind == .burst else { return try await reader.clip(motion.bytes) }
    let files = motion.facts.frames.indices.compactMap { motion.facts.place(of: $0) }.map { place in
      // The file may have been deleted or truncated.
      Array(motion.bytes[place.clamped(to: motion.bytes.indices)])
    }
    let times = motion.times.flatMap { $0.count == files.count ? $0 : nil }
    return try reader.burst(files).enumerated().map { number, luma in
      BurstFrame(luma: luma, at: times.map { MonotonicInstant(nanoseconds: ($0[number] - $0[0]) * 1_000_000) })
    }
  }
}

extension DetectionResults {
  /// Marks the checks of a group as not assessed because the data sent for them is unreadable.
  fileprivate mutating func markUnreadable(_ group: CheckGroup) {
    for index in readings.indices where group.checks.contains(readings[index].check) {
      readings[index] = SceneCheckResult(
        check: readings[index].check, outcome: .notAssessed(.unreadable), version: readings[index].version)
    }
  }
}

/// Decodes the files of captures.
public protocol CaptureDecoding: Sendable {
  /// Decodes an image of a supported format into the input of the checks.
  func image(_ bytes: [UInt8]) async throws -> CaptureInput
  /// Number of a photo's first bytes that ``imageType(of:)`` and ``provenance(of:)`` need.
  var headBytes: Int { get }
  /// Returns the media type of a photo by the first bytes of its file.
  ///
  /// - Throws: `ServiceError` with `notAImage` for other files, naming the file's format if it is known.
  func imageType(of head: [UInt8]) throws -> String
  /// Reads the provenance of a photo from the first bytes of its file.
  func provenance(of head: [UInt8]) -> ImageProvenance
  /// Decodes the depth map of a depth frame or of a 16-bit PNG.
  func depth(_ bytes: [UInt8]) throws -> CaptureDepthMap
  /// Decodes the luma planes of a burst's images.
  func burst(_ files: [[UInt8]]) throws -> [Plane]
  /// Decodes the frames of a clip, with their times.
  func clip(_ bytes: [UInt8]) async throws -> [BurstFrame]
  /// Returns the capture with the faces in its images, which some scene checks exclude.
  func locatingFaces(in capture: CaptureInput) async -> CaptureInput
  /// `true` if the texture check's network is available.
  var hasNetwork: Bool { get }
  /// Returns the capture with the features that the texture check's network computes from its image.
  func addingFeatures(to capture: CaptureInput) async -> CaptureInput
  /// Returns the content credential of a file, or why there is none.
  func contentCredential(of file: [UInt8]) async -> ProvenanceOutcome
  /// Encodes a frame as PNG.
  func png(_ frame: Frame) throws -> [UInt8]
}

extension CaptureDecoding {
  /// Reports content credentials as not available.
  public func contentCredential(of file: [UInt8]) async -> ProvenanceOutcome { .notAvailable }

  /// Detects no faces.
  public func locatingFaces(in capture: CaptureInput) async -> CaptureInput { capture }

  /// Reports that there is no network.
  public var hasNetwork: Bool { false }

  /// Adds no features.
  public func addingFeatures(to capture: CaptureInput) async -> CaptureInput { capture }
}
