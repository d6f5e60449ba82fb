import MienCodecs
import MienImaging
import MienCore
import MienTracking
import Testing

@Suite(.enabled(if: Parts.haveMedia)) struct `Face tracking across frames` {
  private static let dark = Frame(width: 572, height: 562)

  private static func plain() -> TrackingSettings {
    var settings = TrackingSettings()
    settings.smoothing = .off
    return settings
  }

  private func at(_ frame: Int) -> MonotonicInstant { MonotonicInstant(nanoseconds: Int64(frame) * 33_000_000) }

  /// Returns two copies of a photo side by side.
  private func twice(_ frame: Frame) -> Frame {
    var both = Frame(width: frame.width * 2, height: frame.height)
    for y in 0..<frame.height {
      for x in 0..<both.width { both[x, y] = frame[x % frame.width, y] }
    }
    return both
  }

  @Test func `a face that leaves is lost and found again on return`() throws {
    var engine = try FaceTracker(Parts.models.get())
    var track = FaceTrackState()
    let face = try Parts.frame("single_face")
    #expect(try engine.observe(face, at: at(0), after: &track).face != nil)
    let lost = try engine.observe(Self.dark, at: at(1), after: &track)
    #expect(lost.face == nil)
    #expect(lost.faceCount == 0)
    #expect(lost.brightness == 0)
    #expect(track.square == nil)
    let back = try engine.observe(face, at: at(2), after: &track)
    #expect(back.face != nil)
    #expect(back.faceCount == 1)
  }

  @Test func `every third frame with a face is scored for screens and prints`() throws {
    var engine = try FaceTracker(Parts.models.get())
    var track = FaceTrackState()
    let bytes = try Parts.photograph("single_face")
    let scored = try (0..<7).map { index in
      try engine.observe(EncodedFrame(bytes: bytes, at: at(index)), after: &track).recapture != nil
    }
    #expect(scored == [true, false, false, true, false, false, true])
    var settings = Self.plain()
    settings.framesBetweenScores = 0
    var unscored = try FaceTracker(Parts.models.get(), settings: settings)
    track = FaceTrackState()
    #expect(try unscored.observe(EncodedFrame(bytes: bytes, at: at(0)), after: &track).recapture == nil)
  }

  @Test func `a face that jumps elsewhere is found in the same frame`() throws {
    var engine = try FaceTracker(Parts.models.get(), settings: Self.plain())
    var track = FaceTrackState()
    let face = try Parts.frame("single_face")
    var (left, right) = (Frame(width: 1144, height: 562), Frame(width: 1144, height: 562))
    for y in 0..<face.height {
      for x in 0..<face.width {
        left[x, y] = face[x, y]
        right[x + 572, y] = face[x, y]
      }
    }
    let first = try #require(engine.observe(left, at: at(0), after: &track).face)
    let second = try #require(engine.observe(right, at: at(1), after: &track).face)
    #expect(first.box.centerX < 0.5)
    #expect(second.box.centerX > 0.5)
  }

  @Test func `a second face is detected during tracking and its leaving too`() throws {
    let settings = Self.plain()
    var engine = try FaceTracker(Parts.models.get(), settings: settings)
    var track = FaceTrackState()
    let face = try Parts.frame("single_face")
    var alone = Frame(width: 1144, height: 562)
    for y in 0..<face.height {
      for x in 0..<face.width { alone[x, y] = face[x, y] }
    }
    let together = twice(face)
    #expect(try engine.observe(alone, at: at(0), after: &track).faceCount == 1)
    var noticed: Int?
    for index in 1...settings.framesBetweenDetections where noticed == nil {
      let seen = try engine.observe(together, at: at(index), after: &track)
      #expect(try #require(seen.face).box.centerX < 0.5, "the followed face stays the same")
      if seen.faceCount == 2 { noticed = index }
    }
    #expect(noticed != nil)
    var count = 2
    for index in 0..<settings.framesBetweenDetectionsOfSeveral {
      count = try engine.observe(alone, at: at(100 + index), after: &track).faceCount
    }
    #expect(count == 1)
  }

  @Test func `images with another size restart tracking`() throws {
    var engine = try FaceTracker(Parts.models.get(), settings: Self.plain())
    var track = FaceTrackState()
    _ = try engine.observe(Parts.frame("obama3"), at: at(0), after: &track)
    let alone = try #require(engine.observe(Parts.frame("single_face"), at: at(1), after: &track).face)
    var fresh = FaceTrackState()
    let wanted = try #require(engine.observe(Parts.frame("single_face"), at: at(1), after: &fresh).face)
    #expect(alone.landmarks == wanted.landmarks)
  }

  @Test func `sessions are independent of each other`() throws {
    var engine = try FaceTracker(Parts.models.get())
    let (one, other) = (try Parts.frame("single_face"), try Parts.frame("obama"))
    var (mine, theirs, lonely) = (FaceTrackState(), FaceTrackState(), FaceTrackState())
    for index in 0..<3 {
      let mixed = try #require(engine.observe(one, at: at(index), after: &mine).face)
      _ = try engine.observe(other, at: at(index), after: &theirs)
      let alone = try #require(engine.observe(one, at: at(index), after: &lonely).face)
      #expect(mixed.landmarks == alone.landmarks)
      #expect(mixed.blendshapes == alone.blendshapes)
    }
  }

  @Test func `an invalid image leaves the tracking state unchanged`() throws {
    var engine = try FaceTracker(Parts.models.get())
    var track = FaceTrackState()
    _ = try engine.observe(EncodedFrame(bytes: Parts.photograph("single_face"), at: at(0)), after: &track)
    let square = track.square
    #expect(square != nil)
    let truncated = Array(try Parts.photograph("single_face").dropLast(2000))
    #expect(throws: TrackingFailure.self) {
      try engine.observe(EncodedFrame(bytes: truncated, at: at(1)), after: &track)
    }
    #expect(track.square == square)
  }

  @Test func `session state is small and printing it shows nothing`() throws {
    #expect(MemoryLayout<FaceTrackState>.size <= 1024)
    var engine = try FaceTracker(Parts.models.get())
    var track = FaceTrackState()
    _ = try engine.observe(Parts.frame("single_face"), at: at(0), after: &track)
    var dumped = ""
    dump(track, to: &dumped)
    for text in ["\(track)", String(reflecting: track), dumped] {
      #expect(!text.contains { $0.isNumber })
    }
  }
}
