/// The embedding of a face by a recognition model: a unit vector whose direction depends on the person more than on
/// the picture. Biometric data: it is never printed, logged or sent to a client.
public struct FaceTemplate: Hashable, Sendable {
  /// Number of dimensions.
  public static let count = 128
  /// Version of the model and of the alignment; templates of different versions cannot be compared.
  public static let model = "sface-2021dec-1"

  /// Components of the unit vector.
  public let values: ContiguousArray<Float>

  /// Creates a template from the output of the model; `nil` if the number of values is not ``count``, if they are not
  /// finite or if they have no direction.
  public init?(_ output: some Collection<Float>) {
    guard output.count == Self.count else { return nil }
    let length = output.reduce(0) { $0 + $1 * $1 }.squareRoot()
    guard length.isFinite, length > 1e-6 else { return nil }
    values = ContiguousArray(output.map { $0 / length })
  }

  /// Returns the cosine of the angle between two templates, −1…1: about 0 for different people, near 1 for two pictures
  /// of one.
  public func similarity(to other: FaceTemplate) -> Float {
    let (own, others) = (values.span, other.values.span)
    var sum: Float = 0
    for index in own.indices { sum += own[index] * others[index] }
    return min(max(sum, -1), 1)
  }

  /// Returns the direction of the sum of templates; `nil` without any.
  public static func mean(of templates: some Collection<FaceTemplate>) -> FaceTemplate? {
    var sum = ContiguousArray<Float>(repeating: 0, count: count)
    for template in templates { for index in sum.indices { sum[index] += template.values[index] } }
    return FaceTemplate(sum)
  }
}

extension FaceTemplate {
  /// Binary format: the name of the model, a zero byte, and the components as little-endian 32-bit floats.
  public var bytes: [UInt8] {
    Array(Self.model.utf8) + [0]
      + values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> ($0 * 8)) } }
  }

  /// Reads ``bytes``; `nil` for other data, including templates of other models.
  public init?(bytes: [UInt8]) {
    let prefix = Array(Self.model.utf8) + [0]
    guard bytes.count == prefix.count + 4 * Self.count, bytes.starts(with: prefix) else { return nil }
    self.init(
      (0..<Self.count).map { index in
        let at = prefix.count + index * 4
        return Float(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[at + $1]) << ($1 * 8) })
      })
  }
}

extension FaceTemplate: CustomStringConvertible, CustomReflectable {
  public var description: String { "FaceTemplate(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
