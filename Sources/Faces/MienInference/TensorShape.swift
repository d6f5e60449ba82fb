/// The shape of a model's one input, batch 1.
public enum TensorShape: Hashable, Sendable {
  /// A colour picture, given as three planes of `size` × `size` values each (the models' files want pixels of three).
  case image(size: Int)
  /// Points of two coordinates each.
  case points(count: Int)

  /// How many numbers that is.
  public var count: Int {
    switch self {
    case .image(let size): 3 * size * size
    case .points(let count): 2 * count
    }
  }

  var isPlanar: Bool {
    if case .image = self { true } else { false }
  }

  /// As the model's file orders it.
  var sizesInModel: [Int64] {
    switch self {
    case .image(let size): [1, Int64(size), Int64(size), 3]
    case .points(let count): [1, Int64(count), 2]
    }
  }

  /// As we fill it.
  var sizes: [Int64] {
    switch self {
    case .image(let size): [1, 3, Int64(size), Int64(size)]
    case .points: sizesInModel
    }
  }
}
