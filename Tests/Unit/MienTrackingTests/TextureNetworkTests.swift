import Foundation
import MienAuthenticity
import MienCore
import MienImaging
import MienTracking
import Testing

@Suite struct `Texture network` {
  private static let haveNetwork: Bool = {
    let exists = FileManager.default.fileExists(atPath: "\(Parts.modelFolder)/photo_features.onnx")
    if !exists { print("SKIPPED Texture network: the network is missing; run scripts/install-parts") }
    return exists
  }()

  private static let capture: CaptureInput = {
    var samples = ContiguousArray<UInt8>()
    for y in 0..<448 {
      for x in 0..<448 { samples.append(UInt8((x * 7 + y * 13 + x * y / 31) % 256)) }
    }
    return CaptureInput(image: YCbCrImage(luma: Plane(width: 448, height: 448, samples: samples)!))
  }()

  /// Computed with ONNX Runtime from the same file.
  private static let expected: [(Int, Float)] = [
    (0, 0.230445), (5, 0.273920), (77, 0.715318), (130, 0.120703), (256, 0.571464), (300, 0.167843), (511, 0.192279),
    (600, 0.045629), (768, 0.227981), (800, 0.006170), (1279, 0.000133), (1300, 0.002350), (1791, 0.001687),
  ]

  @Test(.enabled(if: haveNetwork)) func `features are those of another runtime, also in parallel`() async throws {
    let network = TextureNetwork(models: Parts.modelFolder, engines: 2)
    #expect(network.isAvailable)
    let found = await withTaskGroup(of: TextureFeatures?.self) { group in
      for _ in 0..<4 { group.addTask { await network.addingFeatures(to: Self.capture).features } }
      return await group.reduce(into: [TextureFeatures?]()) { $0.append($1) }
    }
    let first = try #require(found.first ?? nil)
    for (index, value) in Self.expected { #expect(abs(first.values[index] - value) < 2e-3, "\(index)") }
    #expect(found.allSatisfy { $0 == first })
  }

  @Test func `without the network images have no features`() async {
    let network = TextureNetwork(models: "/nonexistent")
    #expect(network.missingModel == .modelUnavailable("photo_features.onnx"))
    #expect(!network.isAvailable)
    #expect(await network.addingFeatures(to: Self.capture).features == nil)
  }
}
