import MienApple
import MienClient
import MienCore
import MienViewModels
import Testing

/// Observations of a tracker on their way to the server.
@Suite struct `Observation line buffer` {
  private func observation(_ milliseconds: Double) -> ClientObservation {
    ClientObservation(
      at: .zero + .milliseconds(milliseconds), faceCount: 1, box: nil, pose: HeadPose(yaw: 1, pitch: 2, roll: 3),
      blendshapes: nil)
  }

  private func times(_ lines: [UInt8]?) throws -> Int {
    try #require(lines).split(separator: UInt8(ascii: "\n")).count
  }

  @Test func `observations wait together and out of order ones are left out`() async throws {
    let buffer = ObservationLineBuffer()
    for time in [10, 20, 20, 15, 30] { buffer.offer(observation(Double(time))) }
    #expect(try times(try await buffer.next()) == 3)
    let waiting = Task { try await buffer.next() }
    buffer.offer(observation(40))
    #expect(try times(try await waiting.value) == 1)
    buffer.finish()
    #expect(try await buffer.next() == nil)
  }

  @Test func `the oldest are dropped while nothing is sent`() async throws {
    let buffer = ObservationLineBuffer()
    for time in 0..<500 { buffer.offer(observation(Double(time + 1))) }
    #expect(try times(try await buffer.next()) == ObservationLineBuffer.most)
  }

  @Test func `times count from the first frame, and the pace leaves observations out`() async throws {
    let buffer = ObservationLineBuffer(pace: .milliseconds(50))
    for time in [10, 100, 140, 150, 199, 200] { buffer.offer(observation(Double(time))) }
    let lines = try #require(try await buffer.next(since: .zero + .milliseconds(90)))
    let times = String(decoding: lines, as: UTF8.self).split(separator: "\n").map { $0.prefix { $0 != "," } }
    #expect(times == ["{\"t\":0.01", "{\"t\":0.06", "{\"t\":0.11"])
  }

  @Test func `a tracked frame buffer has frames, depth, and poses without coefficients`() async throws {
    let buffer = TrackedFrameBuffer()
    buffer.frames.offer(EncodedFrame(bytes: [1], at: .zero + .milliseconds(5)))
    buffer.frames.offer(depth: [2])
    var seen = observation(20)
    seen.blendshapes = Blendshapes()
    buffer.offer(seen)
    #expect(await buffer.next()?.bytes == [1])
    #expect(await buffer.nextDepth() == [2])
    let line = String(decoding: try #require(await buffer.nextObservations(since: .zero)), as: UTF8.self)
    #expect(line.contains("\"yaw\"") && !line.contains("blendshapes"))
    await buffer.close()
    #expect(await buffer.next() == nil)
    #expect(await buffer.nextObservations(since: .zero) == nil)
  }

  @Test func `an error of the tracker is thrown, and closing stops it`() async throws {
    let (stream, closed) = AsyncStream<Void>.makeStream()
    let buffer = ObservationLineBuffer { closed.finish() }
    buffer.offer(observation(10))
    buffer.finish(throwing: ViewError.interrupted)
    await #expect(throws: ViewError.interrupted) { try await buffer.next() }
    await buffer.close()
    for await _ in stream {}
  }
}
