import MienReconstruction
import Testing

@Suite struct `Front of a surface` {
  /// Returns a rectangle of two triangles with the normal u × v.
  private func sheet(_ u: SIMD3<Float>, _ v: SIMD3<Float>) throws -> SurfaceMesh {
    try #require(
      SurfaceMesh(positions: [.zero, u, u + v, v], triangles: [[0, 1, 2], [0, 2, 3]]))
  }

  @Test func `the front is where most of the area faces`() throws {
    #expect(try sheet([0, 1, 0], [0, 0, 1]).front == [1, 0, 0])
    #expect(try sheet([0, 0, 1], [0, 1, 0]).front == [-1, 0, 0])
    // A surface that leans back by 45° still faces forward.
    let leaning = try #require(try sheet([1, 0, 0], [0, 1, -1]).front)
    #expect(leaning.y == 0 && abs(leaning.z - 1) < 1e-6)
  }

  @Test func `surfaces facing up or in all directions have no front`() throws {
    #expect(try sheet([0, 0, 1], [1, 0, 0]).front == nil, "a floor")
    let corners: ContiguousArray<SIMD3<Float>> = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    let closed = try #require(
      SurfaceMesh(positions: corners, triangles: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]))
    #expect(closed.front == nil)
    #expect(SurfaceMesh().front == nil)
  }
}
