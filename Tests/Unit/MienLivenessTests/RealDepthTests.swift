import Foundation
import MienLiveness
import MienCore
import Testing

/// Real face from a structured-light camera. The file's values increase toward the camera and are read as inverse
/// distance; Documentation/reference/DepthGate.md explains the assumed scale.
@Suite(.enabled(if: RealDepth.isThere)) struct `Depth of real faces` {
  @Test func `a real face reaches the minimum and its own thresholds with small box offsets`() throws {
    var captures: [DepthMeasures] = []
    for (x, y) in [(0, 0), (-10, 0), (10, 0), (0, -12), (0, 12)] as [(Float, Float)] {
      guard case .measured(let measures) = DepthMeasurementResult(try RealDepth.face(movedBy: x, y)) else {
        Issue.record("the face must be measured")
        return
      }
      #expect(DepthEnrollmentSettings.standard.floorThresholds.shortfall(of: measures) == nil)
      captures.append(measures)
    }
    guard case .enrolled(let thresholds) = DepthEnrollment.derive(from: captures) else {
      Issue.record("five captures of a face enroll")
      return
    }
    for measures in captures { #expect(thresholds.shortfall(of: measures) == nil) }
  }

  @Test func `measured values match the documentation`() throws {
    guard case .measured(let measures) = DepthMeasurementResult(try RealDepth.face(movedBy: 0, 0)) else {
      Issue.record("the face must be measured")
      return
    }
    #expect(abs(measures.noseRelief - 35.5) < 0.5)
    #expect(abs(measures.planeResidual - 11.3) < 0.2)
    #expect(abs(measures.sheetResidual - 4.2) < 0.2)
    #expect(abs(measures.centerToRim - 24.8) < 0.5)
  }
}

enum RealDepth {
  static let file: URL? = {
    let path = "data/face_depth/zj_structured_light/raw_0001_frontface.raw"
    var folders: [URL] = []
    if let shared = ProcessInfo.processInfo.environment["MIEN_SHARED"] {
      folders.append(URL(fileURLWithPath: shared))
    }
    var folder = URL(fileURLWithPath: #filePath)
    while folder.pathComponents.count > 1 {
      folder.deleteLastPathComponent()
      folders.append(folder.appendingPathComponent("shared"))
    }
    return folders.map { $0.appendingPathComponent(path) }.first { FileManager.default.fileExists(atPath: $0.path) }
  }()

  static let isThere: Bool = {
    if file == nil { print("SKIPPED Real depth: shared/data not found") }
    return file != nil
  }()

  static func face(movedBy x: Float, _ y: Float) throws -> DepthFrame {
    let bytes = [UInt8](try Data(contentsOf: try #require(file)))
    let samples = stride(from: 0, to: bytes.count - 1, by: 2).map { index -> UInt16 in
      let value = Double(UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8)
      guard value > 0, 4_190_000 / value < 65_535 else { return 0 }
      return UInt16((4_190_000 / value).rounded())
    }
    return try #require(
      DepthFrame(
        width: 1280, height: 720, samples: samples, micrometersPerStep: 100,
        intrinsics: PinholeIntrinsics(fx: 1050, fy: 1050, cx: 639.5, cy: 359.5),
        face: FaceBox(x: (585 + x) / 1280, y: (245 + y) / 720, width: 295 / 1280, height: 380 / 720), at: .zero))
  }
}
