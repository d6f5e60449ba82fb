internal import MienImaging

/// Decodes HEIC and AVIF images with libheif, which receives one coded image at a time (``HEIFCodedImage``).
///
/// The tiles of a grid are assembled here. A canceled task ends after the current tile.
struct HEIFDecoder: Sendable {
  let limits: ImageLimits

  /// Decodes the primary picture into `frame`; the frame's storage is reused.
  ///
  /// Luma and color differences are converted as the file specifies, whatever their range, matrix and depth.
  /// Transparency and ICC profiles are ignored: colors are interpreted as sRGB. After an error the frame's content is
  /// unspecified.
  ///
  /// - Parameter turning: `false` for the pixels as stored, cropped but not turned.
  /// - Returns: the orientation in which the pixels are stored.
  @discardableResult
  func decode(
    _ bytes: [UInt8], turning: Bool, mostPixels: Int = .max, into frame: inout Frame
  ) throws(ImageCodecError) -> Orientation {
    let file = try HEIFItems(bytes)
    let picture = try HEIFPicture(file.primary, of: file, limits: limits.lowered(to: mostPixels))
    try Self.decode(picture, into: &frame)
    if turning { frame.stand(upright: picture.transformation.orientation) }
    return picture.transformation.orientation
  }

  /// Decodes a picture, cropped but not turned.
  static func decode(_ picture: HEIFPicture, into frame: inout Frame) throws(ImageCodecError) {
    frame.reshape(width: picture.width, height: picture.height)
    for (number, tile) in picture.tiles.enumerated() {
      let file = tile.file(colors: picture.colors)
      let (column, row) = (number % picture.columns, number / picture.columns)
      let outcome = HEIFLibrary.decode(file) { (image: borrowing HEIFDecodedImage) -> Result<Void, ImageCodecError> in
        guard image.width == tile.width, image.height == tile.height else {
          return .failure(ImageCodecError(.corrupt, "damaged HEIF: a picture's data has another size than declared"))
        }
        image.copy(into: &frame, x: column * picture.tileWidth, y: row * picture.tileHeight)
        return .success(())
      }
      try outcome.get()
    }
    if let crop = picture.transformation.crop { frame = frame.part(crop) }
  }
}

extension Frame {
  fileprivate func part(_ crop: HEIFTransformation.Crop) -> Frame {
    var part = Frame()
    part.reshape(width: crop.width, height: crop.height)
    let (source, sourceWidth) = (pixels.span, width)
    part.writePixels { target in
      for y in 0..<crop.height {
        for x in 0..<crop.width { target[y * crop.width + x] = source[(crop.y + y) * sourceWidth + crop.x + x] }
      }
    }
    return part
  }
}
