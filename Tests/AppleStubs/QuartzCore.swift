@_exported import CoreGraphics

@MainActor open class CALayer {
  nonisolated public init() {}
  open var frame: CGRect = .zero
  open func addSublayer(_ layer: CALayer) {}
}
