/// The transformation that makes an image upright: the values of the EXIF tag `Orientation` (1…8).
public enum Orientation: Int, Hashable, Sendable, CaseIterable {
  case upright = 1
  case mirrored
  case upsideDown
  case mirroredUpsideDown
  case mirroredQuarterLeft
  /// The image needs a quarter turn clockwise.
  case quarterRight
  case mirroredQuarterRight
  case quarterLeft

  /// `true` if width and height are swapped.
  public var swapsSides: Bool { rawValue >= 5 }
}

extension Frame {
  /// Writes this image into `target`, transformed by `orientation`; `target` is resized as needed.
  public func stand(upright orientation: Orientation, into target: inout Frame) {
    let (w, h) = (width, height)
    target.reshape(width: orientation.swapsSides ? h : w, height: orientation.swapsSides ? w : h)
    guard w > 0, h > 0 else { return }
    // Source index of the target's first pixel, and the index steps for one target column and one target row.
    let (origin, column, row): (Int, Int, Int) =
      switch orientation {
      case .upright: (0, 1, w)
      case .mirrored: (w - 1, -1, w)
      case .upsideDown: (w * h - 1, -1, -w)
      case .mirroredUpsideDown: (w * (h - 1), 1, -w)
      case .mirroredQuarterLeft: (0, w, 1)
      case .quarterRight: (w * (h - 1), -w, 1)
      case .mirroredQuarterRight: (w * h - 1, -w, -1)
      case .quarterLeft: (w - 1, w, -1)
      }
    let source = pixels.span
    let (targetWidth, targetHeight) = (target.width, target.height)
    target.writePixels { out in
      var index = 0
      for y in 0..<targetHeight {
        var place = origin + y * row
        for _ in 0..<targetWidth {
          out[index] = source[place]
          index += 1
          place += column
        }
      }
    }
  }
}
