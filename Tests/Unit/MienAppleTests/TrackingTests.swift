import Foundation
import MienApple
import MienViewModels
import MienCore
import MienRecordings
import Testing

/// Recordings of face tracking data.
@MainActor @Suite struct `Tracking session recordings` {
  nonisolated static func moment(_ number: Int, jaw: Float = 0.5) -> ARFrameSnapshot {
    var shapes = Blendshapes()
    shapes[.jawOpen] = jaw
    return ARFrameSnapshot(
      observation: ClientObservation(
        at: .zero + .milliseconds(Double(number) * 16), faceCount: 1, box: nil,
        pose: HeadPose(yaw: 5, pitch: 0, roll: 0),
        blendshapes: shapes),
      light: nil)
  }

  /// Returns a recorder of a session with these snapshots, which then continues, ends or fails.
  private func recorder(
    in folder: URL, _ moments: [ARFrameSnapshot], ends: Bool = true, with problem: ViewError? = nil
  ) -> TrackingRecorder {
    TrackingRecorder(file: folder.appendingPathComponent("a/tracking.jsonl")) {
      AsyncThrowingStream { continuation in
        for moment in moments { continuation.yield(moment) }
        if ends { continuation.finish(throwing: problem) }
      }
    }
  }

  @Test func `a recorded session is read back by the recording reader`() async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    // The third repeats a timestamp, the fourth is invalid.
    let recorder = recorder(
      in: folder, [Self.moment(0), Self.moment(1), Self.moment(1), Self.moment(2, jaw: .nan), Self.moment(3)])
    #expect(recorder.recorded == nil)
    await recorder.record()
    #expect(recorder.state == .done(3))
    let file = try #require(recorder.recorded)
    let lines = file.bytes.split(separator: 10).map { ContiguousArray($0) }
    #expect(lines.count == 4)
    let first = try #require(lines.first)
    let header = try ObservationJSONL.parseHeader(first.span)
    #expect(header.source == .arkit)
    let read = try lines.dropFirst().map { try ObservationJSONL.parseLine($0.span) }
    #expect(read == [0, 1, 3].map { Self.moment($0).observation })
    recorder.discard()
    #expect(recorder.state == .idle && recorder.recorded == nil)
    #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent("a/tracking.jsonl").path))
  }

  @Test func `recording continues until it is stopped`() async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let recorder = recorder(in: folder, [Self.moment(0), Self.moment(1)], ends: false)
    let work = Task { await recorder.record() }
    while recorder.state != .recording(2) { try await Task.sleep(for: .milliseconds(5)) }
    // A second call and a deletion have no effect while it is running.
    await recorder.record()
    recorder.discard()
    #expect(recorder.state == .recording(2))
    recorder.stop()
    await work.value
    #expect(recorder.state == .done(2))
  }

  @Test(arguments: [ViewError.noTracking, .interrupted, .cameraRefused])
  func `the reason that a session ended is reported`(problem: ViewError) async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let recorder = recorder(in: folder, [Self.moment(0)], with: problem)
    await recorder.record()
    #expect(recorder.state == .problem(problem) && recorder.recorded == nil)
  }

  @Test func `nothing is recorded without a face and a full disk is reported`() async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let none = recorder(in: folder, [])
    await none.record()
    #expect(none.state == .idle)
    try FileManager.default.removeItem(at: folder.appendingPathComponent("a"))
    try Data().write(to: folder.appendingPathComponent("a"))
    let full = recorder(in: folder, [Self.moment(0)])
    await full.record()
    #expect(full.state == .problem(.lowStorage))
  }

  private func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-apple-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}
