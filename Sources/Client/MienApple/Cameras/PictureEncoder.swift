#if canImport(ARKit) && canImport(UIKit)
  internal import CoreGraphics
  internal import CoreImage
  internal import CoreVideo
  internal import Foundation
  internal import ImageIO

  /// Encodes camera images as upright, unmirrored JPEG. Core Image contexts are thread-safe.
  final class PictureEncoder: @unchecked Sendable {
    private let context = CIContext()
    private let space = CGColorSpaceCreateDeviceRGB()

    /// - Parameters:
    ///   - turned: orientation of the sensor image.
    ///   - side: maximum length of the longer side in pixels; `nil` for no limit.
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
