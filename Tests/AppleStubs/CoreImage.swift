public import CoreVideo
public import ImageIO

public class CIImage: NSObject {
  public init(cvPixelBuffer: CVPixelBuffer) {}
  public func oriented(_ orientation: CGImagePropertyOrientation) -> CIImage { fatalError() }
  public func transformed(by matrix: CGAffineTransform) -> CIImage { fatalError() }
  public var extent: CGRect { fatalError() }
}

public struct CIImageRepresentationOption: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

public class CIContext: NSObject {
  override public init() {}
  public func jpegRepresentation(
    of image: CIImage, colorSpace: CGColorSpace, options: [CIImageRepresentationOption: Any] = [:]
  ) -> Data? { fatalError() }
}
