extension SurfaceMesh {
  /// Removes connected components with less than `fraction` of all triangles, and vertices that no triangle uses.
  ///
  /// - Returns: the number of triangles removed.
  @discardableResult
  public mutating func dropPieces(under fraction: Float) -> Int {
    var parents = ContiguousArray((0..<UInt32(positions.count)))
    func root(_ vertex: UInt32) -> UInt32 {
      var at = vertex
      while parents[Int(at)] != at {
        parents[Int(at)] = parents[Int(parents[Int(at)])]
        at = parents[Int(at)]
      }
      return at
    }
    for corners in triangles {
      let a = root(corners.x)
      for other in [root(corners.y), root(corners.z)] where other != a { parents[Int(other)] = a }
    }
    var sizes = ContiguousArray<Int32>(repeating: 0, count: positions.count)
    for corners in triangles { sizes[Int(root(corners.x))] += 1 }
    let least = Int32(fraction * Float(triangles.count))
    let before = triangles.count
    triangles.removeAll { sizes[Int(root($0.x))] < least }
    dropUnusedVertices()
    return before - triangles.count
  }

  /// Removes vertices that no triangle uses; the others keep their order.
  mutating func dropUnusedVertices() {
    var numbers = ContiguousArray<UInt32>(repeating: .max, count: positions.count)
    for corners in triangles {
      numbers[Int(corners.x)] = 0
      numbers[Int(corners.y)] = 0
      numbers[Int(corners.z)] = 0
    }
    var next = 0
    for vertex in positions.indices where numbers[vertex] == 0 {
      numbers[vertex] = UInt32(next)
      positions[next] = positions[vertex]
      normals[next] = normals[vertex]
      if !colors.isEmpty { colors[next] = colors[vertex] }
      next += 1
    }
    positions.removeLast(positions.count - next)
    normals.removeLast(normals.count - next)
    if !colors.isEmpty { colors.removeLast(colors.count - next) }
    for index in triangles.indices {
      let corners = triangles[index]
      triangles[index] = SIMD3(numbers[Int(corners.x)], numbers[Int(corners.y)], numbers[Int(corners.z)])
    }
  }
}
