import Foundation
import MienCodecs
import MienImaging
import MienCore
import MienPlatform
import MienTracking
import Testing

@Suite(.serialized) struct `Face tracker pool` {
  private static let pool = FaceTrackerPool(models: Parts.modelFolder, engines: 2)

  /// Creates a copy of the model folder in which one file is missing or replaced.
  private func folder(without missing: String, replacedBy content: Data? = nil) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "mien-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for file in Parts.modelFiles where file != missing {
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder.path)/\(file)", withDestinationPath: "\(Parts.modelFolder)/\(file)")
    }
    if let content { try content.write(to: folder.appending(path: missing)) }
    return folder.path
  }

  @Test(.enabled(if: Parts.haveModels), arguments: Parts.modelFiles, [nil, Data("not a model".utf8), Data()])
  func `a missing or corrupt model gives a named error and never a face count of zero`(
    file: String, content: Data?
  ) async throws {
    let folder = try folder(without: file, replacedBy: content)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let pool = FaceTrackerPool(models: folder, engines: 1)
    #expect(await pool.obstacles() == [.modelUnavailable(file)])
    let error = await #expect(throws: FaceTrackingError.self) {
      try await pool.observe(EncodedFrame(bytes: [], at: .zero), after: pool.newTrack())
    }
    #expect(error?.code == .modelUnavailable)
    #expect(error?.obstacle == .modelUnavailable(file))
  }

  @Test(.enabled(if: Parts.haveModels), arguments: [("face_detector.tflite", "face_blendshapes.tflite")])
  func `swapped models are detected at startup`(file: String, other: String) async throws {
    let content = try Data(contentsOf: URL(fileURLWithPath: "\(Parts.modelFolder)/\(other)"))
    let folder = try folder(without: file, replacedBy: content)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(await FaceTrackerPool(models: folder, engines: 1).obstacles() == [.modelUnavailable(file)])
  }

  @Test(.enabled(if: Parts.haveMedia)) func `concurrent sessions give the same results as single ones`() async throws {
    let pool = Self.pool
    #expect(await pool.obstacles().isEmpty)
    let images = try ["single_face", "obama", "astronaut", "45-m7-di-ph"].map { try Parts.photograph($0) }
    var alone: [Landmarks] = []
    for image in images {
      let seen = try await pool.observe(EncodedFrame(bytes: image, at: .zero), after: pool.newTrack())
      alone.append(try #require(seen.observation.face).landmarks)
    }
    try await withThrowingTaskGroup(of: (Int, Landmarks?).self) { group in
      for index in 0..<24 {
        let frame = EncodedFrame(bytes: images[index % images.count], at: .zero)
        group.addTask {
          let session = FrameSession.live(try #require(CheckID("chk_\(index)")))
          return (index, try await pool.observe(frame, after: pool.newTrack(), in: session).observation.face?.landmarks)
        }
      }
      for try await (index, landmarks) in group { #expect(landmarks == alone[index % images.count]) }
    }
  }

  @Test(.enabled(if: Parts.haveMedia)) func `frames beyond the queue limit are rejected as busy`() async throws {
    let pool = FaceTrackerPool(models: Parts.modelFolder, engines: 1, mostWaiting: 2)
    let frame = EncodedFrame(bytes: try Parts.photograph("obama"), at: .zero)
    let outcomes = await withTaskGroup(of: FaceTrackingError.Code?.self) { group in
      for _ in 0..<20 {
        group.addTask {
          do {
            _ = try await pool.observe(frame, after: pool.newTrack())
            return nil
          } catch {
            return (error as? FaceTrackingError)?.code
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.count == 20)
    #expect(outcomes.contains(nil))
    #expect(outcomes.contains(.busy))
    #expect(outcomes.allSatisfy { $0 == nil || $0 == .busy })
    // The pool is still usable.
    #expect(try await pool.observe(frame, after: pool.newTrack()).observation.face != nil)
  }

  @Test(
    .enabled(if: Parts.haveModels),
    arguments: [
      ([], FaceTrackingError.Code.notAImage), (Array("hello".utf8), .notAImage),
      ([0xFF, 0xD8, 0xFF, 0xE0], .notAImage),
    ] as [([UInt8], FaceTrackingError.Code)])
  func `bytes that are not an image are rejected`(bytes: [UInt8], code: FaceTrackingError.Code) async {
    let error = await #expect(throws: FaceTrackingError.self) {
      try await Self.pool.observe(EncodedFrame(bytes: bytes, at: .zero), after: Self.pool.newTrack())
    }
    #expect(error?.code == code)
  }

  @Test(.enabled(if: Parts.haveModels)) func `an image over the size limit is rejected with its own code`() async throws
  {
    let bytes = try JPEGEncoder().encode(Frame(width: 64, height: 64))
    let pool = FaceTrackerPool(models: Parts.modelFolder, engines: 1, limits: ImageLimits(pixels: 4095))
    let error = await #expect(throws: FaceTrackingError.self) {
      try await pool.observe(EncodedFrame(bytes: bytes, at: .zero), after: pool.newTrack())
    }
    #expect(error?.code == .imageTooLarge)
  }
}
