public import UIKit

@MainActor open class SCNView: UIView {
  public var scene: SCNScene?
  public var allowsCameraControl = false
  public var autoenablesDefaultLighting = false
}

open class SCNScene: NSObject {
  override public init() {}
  public var rootNode: SCNNode { fatalError() }
}

public struct SCNVector3: Sendable {
  public init(x: Float, y: Float, z: Float) {}
}

open class SCNNode: NSObject {
  public init(geometry: SCNGeometry?) {}
  public var position: SCNVector3 {
    get { fatalError() }
    set {}
  }
  open func addChildNode(_ child: SCNNode) {}
}

open class SCNGeometry: NSObject {
  public convenience init(sources: [SCNGeometrySource], elements: [SCNGeometryElement]?) { fatalError() }
}

open class SCNGeometrySource: NSObject {
  public convenience init(vertices: [SCNVector3]) { fatalError() }
}

public enum SCNGeometryPrimitiveType: Int, Sendable { case triangles, triangleStrip, line, point }

open class SCNGeometryElement: NSObject {
  public convenience init<IndexType: FixedWidthInteger>(indices: [IndexType], primitiveType: SCNGeometryPrimitiveType) {
    fatalError()
  }
  public var pointSize: CGFloat = 1
  public var minimumPointScreenSpaceRadius: CGFloat = 1
  public var maximumPointScreenSpaceRadius: CGFloat = 1
}
