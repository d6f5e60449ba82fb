internal import MienAuthenticity
internal import MienImaging
internal import MienCore
internal import MienWorkers

/// Decodes the files of a capture, has them checked, and draws what there is to see.
struct CaptureAnalysis: Sendable {
  /// The files of a capture as they were sent.
  struct Files: Sendable {
    var photo: [UInt8]
    var depth: [UInt8]?
    var motion: Motion?

    struct Motion: Sendable {
      let facts: CaptureMotionMedia
      let bytes: [UInt8]
      /// When the pictures of a burst were taken, in milliseconds; nil when nobody says so.
      let times: [Int64]?
    }
  }

  let reader: CaptureDecoding
  let desk: AnalysisScheduler

  /// What cannot be read has results that say so.
  ///
  /// - Parameter id: the capture, for who asks how far it is; nil for a file that is none.
  /// - Throws: `CancellationError` when reading was cut off with its task, by whatever error: that says nothing of a file.
  func analyze(at files: Files, of id: CaptureID? = nil) async throws -> (DetectionResults, [CaptureVisualization]) {
    try await WorkerPool.shared.runTask { try await looked(at: files, of: id) }
  }

  private func looked(at files: Files, of id: CaptureID?) async throws -> (DetectionResults, [CaptureVisualization]) {
    guard var scene = try? await reader.image(files.photo) else {
      try Task.checkCancellation()
      return (.unavailable(because: .unreadable), [])
    }
    let depth = files.depth.flatMap { try? reader.depth($0) }
    var burst: [BurstFrame]?
    if let motion = files.motion {
      burst = try? await frames(of: motion)
      // A film's reader is another process, which ends with the task.
      if burst == nil { try Task.checkCancellation() }
    }
    scene.depth = depth
    scene.burst = burst ?? []
    var (results, parts) = await desk.analysis(of: scene, for: id)
    if files.depth != nil, depth == nil { results.markUnreadable(.depth) }
    if files.motion != nil, burst == nil { results.markUnreadable(.burst) }
    // A drawing that cannot be made costs the drawing: thrown on, it would have the capture analysed again for ever.
    let drawings = AnalysisVisualizer.frames(of: scene, from: parts).compactMap { kind, frame in
      (try? reader.png(frame)).map { CaptureVisualization(kind: kind, bytes: $0) }
    }
    return (results, drawings)
  }

  private func frames(of motion: Files.Motion) async throws -> [BurstFrame] {
    guard motion.facts.kind == .burst else { return try await reader.clip(motion.bytes) }
    let files = motion.facts.frames.indices.compactMap { motion.facts.place(of: $0) }.map { place in
      // Somebody may have taken the file away or cut it short.
      Array(motion.bytes[place.clamped(to: motion.bytes.indices)])
    }
    let times = motion.times.flatMap { $0.count == files.count ? $0 : nil }
    return try reader.burst(files).enumerated().map { number, luma in
      BurstFrame(luma: luma, at: times.map { MonotonicInstant(nanoseconds: ($0[number] - $0[0]) * 1_000_000) })
    }
  }
}

extension DetectionResults {
  /// Says of the checks of a group that what was sent for them could not be read.
  fileprivate mutating func markUnreadable(_ group: CheckGroup) {
    for index in readings.indices where group.checks.contains(readings[index].check) {
      readings[index] = SceneCheckResult(
        check: readings[index].check, outcome: .notAssessed(.unreadable), version: readings[index].version)
    }
  }
}
