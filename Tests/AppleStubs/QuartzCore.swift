@_exported import CoreGraphics

open class CALayer: NSObject {
  override public init() {}
  open var frame: CGRect = .zero
  open func addSublayer(_ layer: CALayer) {}
}
