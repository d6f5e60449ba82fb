public import CoreVideo
public import ImageIO

open class VNRequest: NSObject {}
open class VNFaceObservation: NSObject {
  /// Fractions of the image; the origin is the bottom left corner.
  public var boundingBox: CGRect { fatalError() }
}
open class VNDetectFaceRectanglesRequest: VNRequest {
  override public init() {}
  public var results: [VNFaceObservation]? { fatalError() }
}
public struct VNImageOption: Hashable, Sendable {}
open class VNImageRequestHandler: NSObject {
  public init(
    cvPixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation, options: [VNImageOption: Any] = [:]
  ) {}
  public func perform(_ requests: [VNRequest]) throws {}
}
