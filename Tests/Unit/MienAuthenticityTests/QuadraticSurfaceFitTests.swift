import Testing

@testable import MienAuthenticity

/// Second-degree surfaces.
@Suite struct `Quadratic surface fit` {
  @Test(arguments: [3, 16, 32])
  func `a second-degree surface has no residual and the fit returns the mean`(side: Int) {
    var block: [Float] = []
    for y in 0..<side {
      for x in 0..<side {
        let (u, v) = (Float(x), Float(y))
        block.append(7 + 0.5 * u - 0.25 * v + 0.01 * u * u - 0.02 * v * v + 0.03 * u * v)
      }
    }
    let expected = block.reduce(0, +) / Float(side * side)
    var surface = QuadraticSurfaceFit(side: side)
    let mean = surface.take(from: &block)
    #expect(abs(mean - expected) < 1e-3)
    #expect(block.allSatisfy { abs($0) < 1e-3 })
  }

  @Test func `waves in the data remain as residuals`() {
    var block = (0..<1024).map { Float($0 % 2 == 0 ? 10 : -10) }
    var surface = QuadraticSurfaceFit(side: 32)
    _ = surface.take(from: &block)
    let power = block.reduce(0) { $0 + $1 * $1 } / 1024
    #expect(power > 98 && power < 100.001)
  }
}
