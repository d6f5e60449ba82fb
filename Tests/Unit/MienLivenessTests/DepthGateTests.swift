import MienLiveness
import MienCore
import Testing

extension DepthMeasures {
  /// Returns measures of an ordinary face with depth scaled by `times`; `index` adds small variations between captures.
  static func face(_ times: Double = 1, index: Int = 0) -> DepthMeasures {
    let wobble = 1 + 0.001 * Double(index)
    return DepthMeasures(
      noseRelief: 35 * times * wobble, planeResidual: 11 * times * wobble, sheetResidual: 4.2 * times * wobble,
      centerToRim: 24 * times * wobble, validFraction: 0.95, distance: 500)
  }

  static func board(index: Int = 0) -> DepthMeasures {
    DepthMeasures(
      noseRelief: 0.4 + 0.001 * Double(index), planeResidual: 0.22, sheetResidual: 0.2, centerToRim: 0.1,
      validFraction: 1, distance: 200)
  }
}

extension DepthThresholds {
  /// Thresholds derived from ``DepthMeasures/face(_:index:)``.
  static func ofFace() throws -> DepthThresholds {
    guard case .enrolled(let thresholds) = DepthEnrollment.derive(from: (0..<5).map { .face(index: $0) }) else {
      throw EnrollmentFailed()
    }
    return thresholds
  }

  struct EnrollmentFailed: Error {}
}

@Suite struct `Depth enrollment` {
  let settings = DepthEnrollmentSettings.standard

  @Test func `thresholds are a fraction of the median`() throws {
    let thresholds = try DepthThresholds.ofFace()
    #expect(abs(thresholds.shape.noseRelief - 0.6 * 35 * 1.002) < 1e-9)
    #expect(abs(thresholds.shape.sheetResidual - 0.6 * 4.2 * 1.002) < 1e-9)
    #expect(thresholds.revision == 0)
    #expect(thresholds.calibration == "depth-gate-1.0")
  }

  @Test func `thresholds stay between their floors and ceilings`() {
    func shape(_ times: Double) -> DepthThresholds.Shape? {
      guard case .enrolled(let made) = DepthEnrollment.derive(from: (0..<5).map { .face(times, index: $0) }) else {
        return nil
      }
      return made.shape
    }
    #expect(shape(0.5)?.noseRelief == settings.floors.noseRelief)
    #expect(shape(0.5)?.planeResidual == settings.floors.planeResidual)
    #expect(shape(0.5)?.sheetResidual == settings.floors.sheetResidual)
    #expect(shape(3) == settings.ceilings)
  }

  @Test func `insufficient, inconsistent or flat captures are rejected`() {
    #expect(DepthEnrollment.derive(from: []) == .refused(.tooFewCaptures))
    #expect(DepthEnrollment.derive(from: [.face(), .face()]) == .refused(.tooFewCaptures))
    #expect(DepthEnrollment.derive(from: [.face(), .face(), .board()]) == .refused(.notAFace))
    #expect(DepthEnrollment.derive(from: [.face(0.7), .face(), .face(1.5)]) == .refused(.tooDifferentCaptures))
  }

  @Test(arguments: 0..<20) func `updates are slow, bounded and within the limits`(_ seed: Int) throws {
    var generator = SeededGenerator(seed)
    var thresholds = try DepthThresholds.ofFace()
    for step in 1...400 {
      let measures = DepthMeasures.face(.random(in: 0.5...6, using: &generator))
      let before = thresholds
      thresholds = thresholds.updated(with: measures)
      if before.shortfall(of: measures) != nil {
        #expect(thresholds == before, "step \(step)")
        continue
      }
      #expect(thresholds.revision == before.revision + 1)
      for (old, new) in zip(values(before.shape), values(thresholds.shape)) {
        #expect(abs(new - old) <= old * settings.maximumUpdate * 1.000_001)
      }
      for (value, (floor, ceiling)) in zip(
        values(thresholds.shape), zip(values(settings.floors), values(settings.ceilings)))
      {
        #expect(value >= floor && value <= ceiling)
      }
    }
  }

  @Test func `accepted checks lower thresholds no further than the floors`() throws {
    var thresholds = try DepthThresholds.ofFace()
    for index in 0..<2000 {
      // The minimum that still passes.
      let shape = thresholds.shape
      thresholds = thresholds.updated(
        with: DepthMeasures(
          noseRelief: shape.noseRelief, planeResidual: shape.planeResidual, sheetResidual: shape.sheetResidual,
          centerToRim: shape.centerToRim, validFraction: 1, distance: 400 + Double(index) * 0.01))
    }
    #expect(thresholds.shape == settings.floors)
  }

  @Test func `invalid settings are rejected`() {
    #expect(DepthEnrollmentSettings() != nil)
    #expect(DepthEnrollmentSettings(minimumCaptures: 1) == nil)
    #expect(DepthEnrollmentSettings(share: .nan) == nil)
    #expect(
      DepthEnrollmentSettings(
        floors: .init(noseRelief: 50, planeResidual: 4, sheetResidual: 2, centerToRim: 6)) == nil)
    #expect(DepthEnrollmentSettings(nearest: 900, farthest: 500) == nil)
    #expect(DepthGateSettings(window: .zero) == nil)
    #expect(DepthGateSettings(consecutive: 0) == nil)
    #expect(DepthMeasuringSettings(grid: 2) == nil)
    #expect(DepthMeasuringSettings(trimmed: .nan) == nil)
    let shape = DepthThresholds.Shape(noseRelief: .nan, planeResidual: 1, sheetResidual: 1, centerToRim: 1)
    #expect(DepthThresholds(shape: shape, validFraction: 0.5, nearest: 1, farthest: 2, revision: 0) == nil)
  }

  private func values(_ shape: DepthThresholds.Shape) -> [Double] {
    [shape.noseRelief, shape.planeResidual, shape.sheetResidual, shape.centerToRim]
  }
}

@Suite struct `Depth gate` {
  func gate() throws -> DepthGateStateMachine {
    var gate = DepthGateStateMachine(basis: .enrolled(try .ofFace()))
    gate.begin(at: .zero)
    return gate
  }

  @Test func `three consecutive captures pass`() throws {
    var gate = try gate()
    #expect(gate.state == .watching)
    #expect(gate.finding == nil)
    let captures: [DepthMeasures] = [.face(index: 0), .face(index: 1), .board(), .face(index: 2), .face(index: 3)]
    for (index, measures) in captures.enumerated() {
      gate.process(.measured(measures), at: .after(0.1 * Double(index)))
    }
    #expect(gate.state == .watching)
    gate.process(.notAssessed(.tooLittleValidDepth), at: .after(0.6))
    #expect(gate.run == 0)
    for index in 4..<7 { gate.process(.measured(.face(index: index)), at: .after(0.3 + 0.1 * Double(index))) }
    #expect(gate.state == .passed)
    guard case .genuine(let measure)? = gate.finding?.result else {
      Issue.record("a passed gate must be genuine")
      return
    }
    #expect(measure.native > 1.6 && measure.native < 1.7)
    #expect(measure.calibration == "depth-gate-1.0")
    #expect(gate.accepted == .face(index: 6))
  }

  @Test func `a repeated or older capture does not count`() throws {
    var gate = try gate()
    for step in 0..<10 { gate.process(.measured(.face()), at: .after(0.1 * Double(step))) }
    #expect(gate.run == 1)
    gate.process(.measured(.face(index: 1)), at: .after(0.5))
    #expect(gate.run == 1)
  }

  @Test func `a flat board fails when the window closes`() throws {
    var gate = try gate()
    for index in 0..<50 { gate.process(.measured(.board(index: index)), at: .after(0.1 * Double(index))) }
    gate.tick(at: .after(5))
    #expect(gate.state == .watching)
    gate.tick(at: .after(5.01))
    #expect(gate.state == .failed(.flat))
    guard case .suspect(let measure, "flat")? = gate.finding?.result else {
      Issue.record("a failed gate is suspect")
      return
    }
    #expect(measure.score.value < 0.05)
    for index in 0..<5 { gate.process(.measured(.face(index: index)), at: .after(6 + Double(index))) }
    #expect(gate.state == .failed(.flat))
  }

  @Test func `captures that could not be measured are not assessed`() throws {
    var gate = try gate()
    gate.tick(at: .after(6))
    #expect(gate.finding?.result == .notAssessed(.noDepth))
    gate = try self.gate()
    gate.process(.notAssessed(.tooLittleValidDepth), at: .after(1))
    gate.tick(at: .after(6))
    #expect(gate.finding?.result == .notAssessed(.tooLittleValidDepth))
    gate = try self.gate()
    gate.process(.measured(.face()), at: .after(1))
    gate.tick(at: .after(6))
    #expect(gate.finding?.result == .notAssessed(.tooFewFrames(1)))
    for (basis, obstacle) in [(DepthReference.noDepth, UnavailableReason.noDepth), (.notEnrolled, .notEnrolled)] {
      var gate = DepthGateStateMachine(basis: basis)
      gate.begin(at: .zero)
      #expect(gate.state == .notAssessed(obstacle))
      #expect(gate.finding?.result == .notAssessed(obstacle))
    }
  }

  @Test func `every measure has its own shortfall, and a missing value is one`() throws {
    let measures: [(DepthFailureReason, KeyPath<DepthMeasures, Double>)] = [
      (.outOfRange, \.distance), (.tooLittleValidDepth, \.validFraction), (.flat, \.planeResidual),
      (.bentSheet, \.sheetResidual), (.lowRelief, \.noseRelief), (.lowCenter, \.centerToRim),
    ]
    for (shortfall, path) in measures { try check(shortfall, path) }
  }

  private func check(_ shortfall: DepthFailureReason, _ path: KeyPath<DepthMeasures, Double>) throws {
    let thresholds = try DepthThresholds.ofFace()
    for bad in [0, .nan] as [Double] {
      func pick(_ other: KeyPath<DepthMeasures, Double>) -> Double {
        other == path ? bad : DepthMeasures.face()[keyPath: other]
      }
      let measures = DepthMeasures(
        noseRelief: pick(\.noseRelief), planeResidual: pick(\.planeResidual), sheetResidual: pick(\.sheetResidual),
        centerToRim: pick(\.centerToRim), validFraction: pick(\.validFraction), distance: pick(\.distance))
      #expect(thresholds.shortfall(of: measures) == shortfall)
    }
    #expect(thresholds.shortfall(of: .face()) == nil)
  }
}
