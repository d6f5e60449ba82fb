import Foundation
import MienCodecs
import MienCore
import MienImaging
import MienPlatform
import MienTracking
import Testing

extension Parts {
  static let haveRecognition: Bool = {
    let exists = FileManager.default.fileExists(atPath: "\(modelFolder)/sface_2021dec.onnx")
    if !exists { print("SKIPPED Face matcher: the recognition model is missing; run scripts/install-parts") }
    return exists && haveMedia
  }()
}

@Suite(.serialized) struct `Face matcher` {
  private static let matcher = FaceMatcher(
    models: Parts.modelFolder, tracker: FaceTrackerPool(models: Parts.modelFolder, engines: 1))

  private func template(of name: String) async throws -> FaceTemplate {
    let face = try #require(try await Self.matcher.faces(in: Parts.photograph(name), most: 1).first)
    return try await Self.matcher.template(of: try #require(face.aligned))
  }

  @Test(.enabled(if: Parts.haveRecognition)) func `pictures of one person are similar, and of others are not`()
    async throws
  {
    #expect(await Self.matcher.obstacles().isEmpty)
    let one = try await template(of: "obama")
    let same = try await template(of: "obama2")
    #expect(one.similarity(to: same) > 0.5)
    for name in ["biden", "astronaut", "0-f1-su-ph", "45-m7-di-ph"] {
      let other = try await template(of: name)
      #expect(one.similarity(to: other) < 0.363, "\(name)")
    }
  }

  @Test(.enabled(if: Parts.haveRecognition)) func `the same picture gives the same template, also in parallel`()
    async throws
  {
    let alone = try await template(of: "obama")
    let together = try await withThrowingTaskGroup(of: FaceTemplate.self) { group in
      for _ in 0..<8 { group.addTask { try await template(of: "obama") } }
      return try await group.reduce(into: [FaceTemplate]()) { $0.append($1) }
    }
    #expect(together.count == 8 && together.allSatisfy { $0 == alone })
  }

  @Test(.enabled(if: Parts.haveRecognition)) func `several faces are returned, largest first, up to the limit`()
    async throws
  {
    let image = try Parts.photograph("multi_face")
    let faces = try await Self.matcher.faces(in: image, most: 9)
    #expect(faces.count > 1 && faces.allSatisfy { $0.aligned != nil && $0.faceCount == faces.count })
    #expect(try await Self.matcher.faces(in: image, most: 1).count == 1)
    #expect(try await Self.matcher.faces(in: Parts.photograph("free-mountain-vector-01"), most: 9).isEmpty)
  }

  @Test(.enabled(if: Parts.haveModels)) func `bytes that are not an image are rejected`() async {
    let matcher = Self.matcher
    guard await matcher.obstacles().isEmpty else { return }
    let error = await #expect(throws: FaceTrackingError.self) { try await matcher.faces(in: [1, 2, 3], most: 1) }
    #expect(error?.code == .notAImage)
  }

  @Test(.enabled(if: Parts.haveModels)) func `without its model it reports the file, and the tracker still works`()
    async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "mien-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let tracker = FaceTrackerPool(models: Parts.modelFolder, engines: 1)
    let matcher = FaceMatcher(models: folder.path, tracker: tracker)
    #expect(matcher.missingModel == .modelUnavailable("sface_2021dec.onnx"))
    #expect(FaceMatcher.missingModel(in: folder.path) == .modelUnavailable("sface_2021dec.onnx"))
    #expect(await matcher.obstacles() == [.modelUnavailable("sface_2021dec.onnx")])
    let face = try #require(
      AlignedFace(samples: ContiguousArray(repeating: 0, count: AlignedFace.count), eyeDistance: 60))
    let error = await #expect(throws: FaceTrackingError.self) { try await matcher.template(of: face) }
    #expect(error?.code == .modelUnavailable)
    #expect(await tracker.obstacles().isEmpty)
    // A file that is not a model has the same consequence.
    try Data("not a model".utf8).write(to: folder.appending(path: "sface_2021dec.onnx"))
    #expect(FaceMatcher.missingModel(in: folder.path) == .modelUnavailable("sface_2021dec.onnx"))
  }
  @Test(.enabled(if: Parts.haveRecognition)) func `packed weights give the same templates, and leave nothing behind`()
    async throws
  {
    let manager = FileManager.default
    let folder = manager.temporaryDirectory.appending(path: "mien-test-\(UUID().uuidString)")
    let scratch = folder.appending(path: "scratch")
    try manager.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? manager.removeItem(at: folder) }
    for name in ["sface_2021dec.onnx", "sface_2021dec.onnx.packed"] {
      let source = "\(Parts.modelFolder)/\(name)"
      try #require(manager.fileExists(atPath: source), "run scripts/install-parts")
      try manager.copyItem(atPath: source, toPath: folder.appending(path: name).path)
    }
    let tracker = FaceTrackerPool(models: Parts.modelFolder, engines: 1)
    let matcher = FaceMatcher(models: folder.path, tracker: tracker, scratch: scratch.path)
    #expect(matcher.missingModel == nil)
    let face = try #require(try await Self.matcher.faces(in: Parts.photograph("obama"), most: 1).first?.aligned)
    #expect(try await matcher.template(of: face) == Self.matcher.template(of: face))
    #expect(try manager.contentsOfDirectory(atPath: scratch.path) == [])

    // Truncated or invalid weights have the same effect as a missing model.
    let packed = folder.appending(path: "sface_2021dec.onnx.packed")
    for damaged in [try Data(contentsOf: packed).dropLast(), Data("MIENWTS1".utf8), Data("no weights".utf8)] {
      try damaged.write(to: packed)
      let without = FaceMatcher(models: folder.path, tracker: tracker, scratch: scratch.path)
      #expect(without.missingModel == .modelUnavailable("sface_2021dec.onnx"))
      #expect(try manager.contentsOfDirectory(atPath: scratch.path) == [])
    }
  }
}
