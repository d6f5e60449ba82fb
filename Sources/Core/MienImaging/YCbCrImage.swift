/// An image as stored in JPEG files: luma at full size and two color-difference planes, possibly smaller, in sensor
/// orientation.
///
/// Pixel statistics use this type instead of ``Frame``: nothing is interpolated, and rows are still the sensor's rows.
public struct YCbCrImage: Sendable {
  /// Y′ of ITU-R BT.601, full range.
  public var luma: Plane
  /// Cb, 128 = neutral; empty in an image without color.
  public var blue: Plane
  /// Cr, 128 = neutral; empty in an image without color.
  public var red: Plane
  /// The transformation that makes the image upright.
  public var orientation: Orientation
  /// The JPEG's luma quantization table, 64 steps in row order; `nil` if the image was not a JPEG.
  public var lumaSteps: [UInt16]?

  public init(
    luma: Plane = Plane(), blue: Plane = Plane(), red: Plane = Plane(), orientation: Orientation = .upright,
    lumaSteps: [UInt16]? = nil
  ) {
    self.luma = luma
    self.blue = blue
    self.red = red
    self.orientation = orientation
    self.lumaSteps = lumaSteps
  }

  public var width: Int { luma.width }
  public var height: Int { luma.height }
  /// `true` if there are color-difference planes.
  public var hasColor: Bool { !blue.samples.isEmpty && !red.samples.isEmpty }

  /// Converts an upright frame.
  public init(_ frame: Frame) {
    self.init()
    for plane in [\YCbCrImage.luma, \.blue, \.red] {
      self[keyPath: plane].reshape(width: frame.width, height: frame.height)
    }
    let pixels = frame.pixels.span
    luma.writeSamples { luma in
      blue.writeSamples { blue in
        red.writeSamples { red in
          for index in pixels.indices {
            let pixel = pixels[index]
            let (r, g, b) = (Int(pixel.red), Int(pixel.green), Int(pixel.blue))
            // BT.601 in 16-bit fixed point, as specified by JFIF.
            luma[index] = UInt8(truncatingIfNeeded: (19595 * r + 38470 * g + 7471 * b + 32768) >> 16)
            blue[index] = UInt8(clamping: ((-11059 * r - 21709 * g + 32768 * b + 32767) >> 16) + 128)
            red[index] = UInt8(clamping: ((32768 * r - 27439 * g - 5329 * b + 32767) >> 16) + 128)
          }
        }
      }
    }
  }
}
