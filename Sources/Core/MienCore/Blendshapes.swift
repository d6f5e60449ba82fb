/// 52 face coefficients, nominally 0…1 (ARKit recordings contain values slightly above 1), without heap storage.
///
/// A coefficient that the source does not provide is not zero: ``has(_:)`` reports which ones were measured.
public struct Blendshapes: Hashable, Sendable {
  /// Number of coefficients.
  public static let count = 52

  /// Lanes 0…51 are the coefficients in the order of ``BlendshapeName``; the rest are zero.
  @usableFromInline var lanes = SIMD64<Float>(repeating: 0)
  /// Bit i is set if coefficient i was measured.
  @usableFromInline var measured: UInt64 = 0

  /// Creates a set without any measured coefficient.
  public init() {}

  /// The coefficient; `nil` if the source did not measure it.
  public subscript(name: BlendshapeName) -> Float? {
    // Inlined, so that reading one coefficient does not copy all of them.
    @inlinable get { has(name) ? lanes[name.rawValue] : nil }
    set {
      lanes[name.rawValue] = newValue ?? 0.0
      if newValue == nil { measured &= ~(1 << UInt64(name.rawValue)) } else { measured |= 1 << UInt64(name.rawValue) }
    }
  }

  /// Reports whether the source measured this coefficient.
  @inlinable public func has(_ name: BlendshapeName) -> Bool { measured & (1 << UInt64(name.rawValue)) != 0 }

  /// Number of measured coefficients.
  public var measuredCount: Int { measured.nonzeroBitCount }

  /// `true` if every measured coefficient is finite and within −0.5…1.5, the widest range that real sources produce.
  public var isPlausible: Bool {
    (0..<Self.count).allSatisfy { lanes[$0] >= -0.5 && lanes[$0] <= 1.5 }
  }
}

extension Blendshapes: CustomStringConvertible, CustomReflectable {
  public var description: String { "Blendshapes(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
