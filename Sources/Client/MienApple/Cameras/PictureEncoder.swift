#if canImport(ARKit) && canImport(UIKit)
  internal import CoreGraphics
  internal import CoreImage
  internal import CoreVideo
  internal import Foundation
  internal import ImageIO

  /// Camera pictures become upright, unmirrored JPEGs. Core Image's context may be used from any thread.
  final class PictureEncoder: @unchecked Sendable {
    private let context = CIContext()
    private let space = CGColorSpaceCreateDeviceRGB()

    /// - Parameters:
    ///   - turned: how the sensor's picture has to be turned to stand upright.
    ///   - side: the longer side of the result in pixels, where the picture is larger; nil leaves it.
    ///   - quality: 0…1.
    func jpeg(
      _ buffer: CVPixelBuffer, turned: CGImagePropertyOrientation = .up, side: CGFloat? = nil, quality: CGFloat
    ) -> [UInt8]? {
      var image = CIImage(cvPixelBuffer: buffer).oriented(turned)
      let longest = max(image.extent.width, image.extent.height)
      if let side, longest > side {
        image = image.transformed(by: CGAffineTransform(scaleX: side / longest, y: side / longest))
      }
      let options = [
        CIImageRepresentationOption(rawValue: kCGImageDestinationLossyCompressionQuality as String): quality
      ]
      return context.jpegRepresentation(of: image, colorSpace: space, options: options).map { Array($0) }
    }
  }
#endif
