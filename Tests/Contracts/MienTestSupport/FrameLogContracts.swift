public import MienCore
public import MienChecks
internal import Testing

/// Conformance test for ``FrameLogWriter``.
///
/// - Parameters:
///   - frames: at least two images of equal size, at least 0.2 s apart.
///   - make: opens the writer; the second call opens the data of the first.
public func checkFrameLogWriter(frames: [EncodedFrame], _ make: () async throws -> some FrameLogWriter) async throws {
  let (one, two) = (try #require(CheckID("chk_one")), try #require(CheckID("chk_two")))
  let recorder = try await make()
  #expect(await recorder.frameLogs().isEmpty)
  await #expect(throws: (any Error).self) { _ = try await recorder.encodedClip(one) }
  for frame in frames { try await recorder.record(frame, of: one) }
  try await recorder.record(frames[0], of: two)
  let again = try await make()
  #expect(Set(await again.frameLogs()) == [one, two], "frame logs outlive the process")
  for recorder in [recorder, again] {
    let clip = try await recorder.encodedClip(one)
    #expect(clip.count > 500 && clip.count <= ClipRecord.maximumBytes)
    #expect(Array(clip[4..<8]) == Array("ftyp".utf8), "a clip is an MP4 file")
  }
  #expect(try await recorder.encodedClip(two).count > 200, "one frame is enough for a clip")
  await recorder.discard(one)
  await recorder.discard(one)
  #expect(await again.frameLogs() == [two])
  await #expect(throws: (any Error).self) { _ = try await again.encodedClip(one) }
  await recorder.discard(two)
  #expect(await recorder.frameLogs().isEmpty)
}
