/// A picture as JPEG files keep it: luma at full size and two colour differences, perhaps smaller, lying as the sensor
/// read it.
///
/// Statistics of pixels want this and not ``Frame``: nothing is interpolated, and rows are still the sensor's rows.
public struct YCbCrImage: Sendable {
  /// Y′ of ITU-R BT.601, full range.
  public var luma: Plane
  /// Cb, 128 = no colour; empty in a picture without colour.
  public var blue: Plane
  /// Cr, 128 = no colour; empty in a picture without colour.
  public var red: Plane
  /// How the picture has to be turned to stand upright.
  public var orientation: Orientation
  /// The luma quantisation table of the JPEG, 64 steps in row order; nil when the picture was no JPEG.
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
  /// True when there are colour differences.
  public var hasColor: Bool { !blue.samples.isEmpty && !red.samples.isEmpty }

  /// A picture of an upright frame.
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
            // BT.601 in 16-bit fixed point, as JFIF has it.
            luma[index] = UInt8(truncatingIfNeeded: (19595 * r + 38470 * g + 7471 * b + 32768) >> 16)
            blue[index] = UInt8(clamping: ((-11059 * r - 21709 * g + 32768 * b + 32767) >> 16) + 128)
            red[index] = UInt8(clamping: ((32768 * r - 27439 * g - 5329 * b + 32767) >> 16) + 128)
          }
        }
      }
    }
  }
}
