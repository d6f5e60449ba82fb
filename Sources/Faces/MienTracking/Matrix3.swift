/// A 3 × 3 matrix stored by columns.
struct Matrix3 {
  typealias Vector = SIMD3<Double>

  var x: Vector
  var y: Vector
  var z: Vector

  static let zero = Matrix3(x: .zero, y: .zero, z: .zero)
  static let identity = Matrix3(x: Vector(1, 0, 0), y: Vector(0, 1, 0), z: Vector(0, 0, 1))

  subscript(row: Int, column: Int) -> Double {
    get { column == 0 ? x[row] : column == 1 ? y[row] : z[row] }
    set {
      switch column {
      case 0: x[row] = newValue
      case 1: y[row] = newValue
      default: z[row] = newValue
      }
    }
  }

  static func * (matrix: Matrix3, vector: Vector) -> Vector {
    matrix.x * vector.x + matrix.y * vector.y + matrix.z * vector.z
  }

  static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
    Matrix3(x: left * right.x, y: left * right.y, z: left * right.z)
  }

  var transposed: Matrix3 {
    Matrix3(x: Vector(x.x, y.x, z.x), y: Vector(x.y, y.y, z.y), z: Vector(x.z, y.z, z.z))
  }

  /// Adds the outer product `a · bᵀ`.
  mutating func add(outer a: Vector, _ b: Vector) {
    x += a * b.x
    y += a * b.y
    z += a * b.z
  }

  /// The rotation closest to this matrix (Kabsch): with AᵀA = V S Vᵀ by cyclic Jacobi, U = A V / √S and R = U Vᵀ, the
  /// third axes computed as cross products so that it is a rotation and never a reflection.
  ///
  /// `nil` if the matrix has rank 0 or 1, or contains NaN.
  var nearestRotation: Matrix3? {
    var square = transposed * self
    var axes = Matrix3.identity
    for _ in 0..<30 {
      var offDiagonal = 0.0
      for (p, q) in [(0, 1), (0, 2), (1, 2)] {
        let off = square[p, q]
        offDiagonal += abs(off)
        if abs(off) < 1e-300 { continue }
        let theta = (square[q, q] - square[p, p]) / (2 * off)
        let tangent = (theta >= 0 ? 1.0 : -1.0) / (abs(theta) + (theta * theta + 1).squareRoot())
        let cosine = 1 / (tangent * tangent + 1).squareRoot()
        var givens = Matrix3.identity
        givens[p, p] = cosine
        givens[q, q] = cosine
        givens[p, q] = tangent * cosine
        givens[q, p] = -tangent * cosine
        square = givens.transposed * square * givens
        axes = axes * givens
      }
      if offDiagonal < 1e-22 { break }
    }
    let columns = [(square.x.x, axes.x), (square.y.y, axes.y), (square.z.z, axes.z)].sorted { $0.0 > $1.0 }
    let (first, second) = (columns[0].1, columns[1].1)
    guard let u0 = Self.unit(self * first) else { return nil }
    let image = self * second
    guard let u1 = Self.unit(image - u0 * (u0 * image).sum()) else { return nil }
    var rotation = Matrix3.zero
    rotation.add(outer: u0, first)
    rotation.add(outer: u1, second)
    rotation.add(outer: Self.cross(u0, u1), Self.cross(first, second))
    return rotation
  }

  private static func unit(_ vector: Vector) -> Vector? {
    let length = (vector * vector).sum().squareRoot()
    return length > 1e-12 ? vector / length : nil
  }

  private static func cross(_ a: Vector, _ b: Vector) -> Vector {
    Vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}
