public import CoreGraphics

public class CGImageSource {}

public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource? { fatalError() }
public func CGImageSourceCreateImageAtIndex(
  _ source: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImage? { fatalError() }
public func CGImageSourceGetCount(_ source: CGImageSource) -> Int { fatalError() }
public func CGImageSourceCopyPropertiesAtIndex(
  _ source: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CFDictionary? { fatalError() }

public let kCGImageDestinationLossyCompressionQuality: CFString = ""
public let kCGImagePropertyGIFDictionary: CFString = ""
public let kCGImagePropertyGIFDelayTime: CFString = ""

public enum CGImagePropertyOrientation: UInt32, Sendable {
  case up = 1
  case upMirrored, down, downMirrored, leftMirrored, right, rightMirrored, left
}
