import MienLiveness
import MienCore
import Testing

@Suite struct `Depth measures` {
  static let seeds = Array(0..<12)
  static let floors = DepthEnrollmentSettings.standard.floorThresholds

  /// Adds noise, holes and outliers as in good and poor sensors.
  static func disturb(_ surface: SyntheticDepth, _ generator: inout SeededGenerator) -> SyntheticDepth {
    var surface = surface
    surface.distance = .random(in: 300...550, using: &generator)
    surface.tilt = SIMD2(.random(in: -0.3...0.3, using: &generator), .random(in: -0.3...0.3, using: &generator))
    surface.noise = .random(in: 0...1.5, using: &generator)
    surface.holes = .random(in: 0...0.1, using: &generator)
    surface.specks = .random(in: 0...0.02, using: &generator)
    return surface
  }

  @Test(arguments: seeds) func `faces reach the minimum thresholds`(_ seed: Int) throws {
    var generator = SeededGenerator(seed)
    let face = SyntheticDepth.face(
      noseHeight: .random(in: 17...27, using: &generator), scale: .random(in: 0.9...1.1, using: &generator))
    let measures = try #require(Self.disturb(face, &generator).measures(&generator))
    #expect(Self.floors.shortfall(of: measures) == nil)
  }

  @Test(arguments: seeds) func `boards and screens do not pass at any tilt`(_ seed: Int) throws {
    var generator = SeededGenerator(seed)
    let measures = try #require(Self.disturb(SyntheticDepth(), &generator).measures(&generator))
    #expect(Self.floors.shortfall(of: measures) == .flat)
    #expect(measures.planeResidual < 1.2)
    #expect(measures.sheetResidual <= measures.planeResidual * 1.05)
  }

  @Test(arguments: seeds) func `bent and folded sheets do not pass in any direction`(_ seed: Int) throws {
    var generator = SeededGenerator(seed)
    let axis = SIMD2(Double(generator.normal()), Double(generator.normal()))
    let bent = SyntheticDepth.tube(radius: .random(in: 100...300, using: &generator), axis: axis)
    let folded = SyntheticDepth.fold(steepness: .random(in: 0.1...0.7, using: &generator), axis: axis)
    for sheet in [bent, folded] {
      let measures = try #require(Self.disturb(sheet, &generator).measures(&generator))
      let shortfall = Self.floors.shortfall(of: measures)
      #expect(shortfall == .bentSheet || shortfall == .flat)
      #expect(measures.sheetResidual < 1.6)
    }
  }

  @Test func `a folded sheet has the relief of a face and is detected as a sheet`() throws {
    var generator = SeededGenerator(1)
    let measures = try #require(SyntheticDepth.fold(steepness: 0.8, axis: SIMD2(0, 1)).measures(&generator))
    #expect(measures.noseRelief > Self.floors.shape.noseRelief)
    #expect(measures.planeResidual > Self.floors.shape.planeResidual)
    #expect(measures.centerToRim > Self.floors.shape.centerToRim)
    #expect(Self.floors.shortfall(of: measures) == .bentSheet)
  }

  @Test func `a sphere has no nose`() throws {
    var generator = SeededGenerator(1)
    var ball = SyntheticDepth()
    ball.height = { x, y in max(0, 90 * 90 - x * x - y * y).squareRoot() - 90 }
    let measures = try #require(ball.measures(&generator))
    #expect(Self.floors.shortfall(of: measures) == .lowRelief)
  }

  @Test func `tilting a board does not change its measures`() throws {
    var generator = SeededGenerator(1)
    for x in stride(from: -0.6, through: 0.6, by: 0.3) {
      var board = SyntheticDepth()
      board.tilt = SIMD2(x, 0.2)
      let measures = try #require(board.measures(&generator))
      #expect(measures.planeResidual < 0.1)
      #expect(abs(measures.noseRelief) < 0.2)
      #expect(abs(measures.centerToRim) < 0.1)
      #expect(abs(measures.distance - 400) < 2)
      #expect(measures.validFraction == 1)
    }
  }

  @Test func `outliers hardly change a face's measures`() throws {
    var generator = SeededGenerator(3)
    let clean = try #require(SyntheticDepth.face().measures(&generator))
    var face = SyntheticDepth.face()
    face.specks = 0.05
    let specked = try #require(face.measures(&generator))
    #expect(abs(specked.noseRelief - clean.noseRelief) < 1.5)
    #expect(abs(specked.planeResidual - clean.planeResidual) < 0.5)
    #expect(abs(specked.sheetResidual - clean.sheetResidual) < 0.3)
  }

  @Test func `holes beyond the limit prevent an assessment`() throws {
    var generator = SeededGenerator(3)
    var face = SyntheticDepth.face()
    face.holes = 0.3
    #expect(face.measures(&generator) != nil)
    face.holes = 0.8
    let frame = try #require(face.frame(&generator))
    #expect(DepthMeasurementResult(frame) == .notAssessed(.tooLittleValidDepth))
    face.holes = 1
    let empty = try #require(face.frame(&generator))
    #expect(DepthMeasurementResult(empty) == .notAssessed(.tooLittleValidDepth))
  }

  @Test(arguments: [
    FaceBox(x: -0.5, y: 0.2, width: 0.6, height: 0.6), FaceBox(x: 0.9, y: 0.9, width: 0.6, height: 0.6),
    FaceBox(x: 1.5, y: 1.5, width: 0.1, height: 0.1), FaceBox(x: 0.5, y: 0.5, width: 1e-20, height: 1e-20),
  ]) func `a box outside the map prevents an assessment`(_ box: FaceBox) throws {
    let lens = PinholeIntrinsics(fx: 100, fy: 100, cx: 50, cy: 50)
    let samples = [UInt16](repeating: 5000, count: 100 * 100)
    let frame = try #require(
      DepthFrame(
        width: 100, height: 100, samples: samples, micrometersPerStep: 100, intrinsics: lens, face: box, at: .zero))
    #expect(DepthMeasurementResult(frame) == .notAssessed(.tooLittleValidDepth))
  }

  @Test func `the smallest maps do not trap`() throws {
    let lens = PinholeIntrinsics(fx: 1, fy: 1, cx: 0, cy: 0)
    for side in 1...3 {
      let frame = try #require(
        DepthFrame(
          width: side, height: side, samples: [UInt16](repeating: 65_535, count: side * side),
          micrometersPerStep: 1_000_000, intrinsics: lens, face: FaceBox(x: 0, y: 0, width: 1, height: 1), at: .zero))
      if case .measured(let measures) = DepthMeasurementResult(frame) {
        #expect(Self.floors.shortfall(of: measures) != nil)
      }
    }
  }

  @Test func `printing shows no number`() throws {
    var generator = SeededGenerator(1)
    let measures = try #require(SyntheticDepth.face().measures(&generator))
    var text = "\(measures)\(DepthMeasurementResult.measured(measures))\(Self.floors)\(Self.floors.shape)"
    dump(measures, to: &text)
    dump(Self.floors, to: &text)
    dump(Self.floors.shape, to: &text)
    dump(DepthGateStateMachine(basis: .enrolled(Self.floors)), to: &text)
    #expect(!text.contains { $0.isNumber })
  }
}
