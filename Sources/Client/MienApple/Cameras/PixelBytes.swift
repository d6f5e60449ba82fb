#if canImport(ARKit) && canImport(UIKit)
  internal import CoreGraphics
  internal import CoreVideo
  internal import Foundation
  internal import ImageIO
  internal import MienImaging

  /// Copies the contents of Apple's pixel buffers to plain arrays; no other code accesses their memory.
  enum PixelBytes {
    /// Returns a map of 32-bit distances in meters, with confidence levels if available.
    static func meters(_ depth: CVPixelBuffer, confidence: CVPixelBuffer? = nil) -> MetricDepthMap? {
      guard CVPixelBufferGetPixelFormatType(depth) == kCVPixelFormatType_DepthFloat32 else { return nil }
      let (width, height) = (CVPixelBufferGetWidth(depth), CVPixelBufferGetHeight(depth))
      guard let meters: [Float] = rows(of: depth, width, height) else { return nil }
      var levels: [UInt8]?
      if let confidence, CVPixelBufferGetWidth(confidence) == width, CVPixelBufferGetHeight(confidence) == height {
        levels = rows(of: confidence, width, height)
      }
      return MetricDepthMap(width: width, height: height, meters: meters, confidence: levels)
    }

    /// Copies the rows without the padding at their ends.
    private static func rows<Value: BitwiseCopyable>(
      of buffer: CVPixelBuffer, _ width: Int, _ height: Int
    ) -> [Value]? {
      guard CVPixelBufferLockBaseAddress(buffer, .readOnly) == kCVReturnSuccess else { return nil }
      defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
      let stride = CVPixelBufferGetBytesPerRow(buffer)
      guard stride >= width * MemoryLayout<Value>.stride, let base = unsafe CVPixelBufferGetBaseAddress(buffer) else {
        return nil
      }
      var values: [Value] = []
      values.reserveCapacity(width * height)
      for row in 0..<height {
        let start = unsafe (base + row * stride).assumingMemoryBound(to: Value.self)
        unsafe values.append(contentsOf: UnsafeBufferPointer(start: start, count: width))
      }
      return values
    }

    /// Decodes a photo without applying its orientation. Returns `nil` if it cannot be decoded.
    static func frame(_ photo: [UInt8]) -> Frame? {
      let data = Data(photo) as CFData
      guard let source = CGImageSourceCreateWithData(data, nil),
        let image = CGImageSourceCreateImageAtIndex(source, 0, nil)
      else { return nil }
      let (width, height) = (image.width, image.height)
      guard (1...16_384).contains(width), (1...16_384).contains(height),
        let space = CGColorSpace(name: CGColorSpace.sRGB)
      else { return nil }
      guard
        let context = unsafe CGContext(
          data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: width * 4, space: space,
          bitmapInfo: CGImageAlphaInfo.noneSkipLast.rawValue)
      else { return nil }
      context.draw(image, in: CGRect(x: 0, y: 0, width: width, height: height))
      guard let base = unsafe context.data else { return nil }
      let bytes = unsafe UnsafeRawBufferPointer(start: base, count: width * height * 4)
      var pixels: ContiguousArray<Pixel> = []
      pixels.reserveCapacity(width * height)
      for place in stride(from: 0, to: width * height * 4, by: 4) {
        unsafe pixels.append(Pixel(red: bytes[place], green: bytes[place + 1], blue: bytes[place + 2]))
      }
      return Frame(width: width, height: height, pixels: pixels)
    }
  }
#endif
