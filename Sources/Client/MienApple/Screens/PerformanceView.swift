#if canImport(ARKit) && canImport(UIKit)
  internal import ImageIO
  internal import MienViewModels
  internal import MienAPI
  internal import SwiftUI
  internal import UIKit

  /// View of a performance: camera preview, instruction and the expressions recognized so far.
  struct PerformanceView: View {
    let camera: FaceCamera
    let instruction: LocalizedText?
    let step: PerformanceStepResponse?
    let count: Int
    /// GIF that shows the sequence, as a hint; `nil` if there is none.
    var clue: [UInt8]?
    @Environment(\.localizer) private var localizer

    var body: some View {
      AdaptiveStack {
        if let clue {
          // Mirrored like the preview: the avatar's left is where the user's own left is.
          GIFView(bytes: clue).frame(width: 150, height: 150).scaleEffect(x: -1, y: 1)
            .accessibilityLabel(localizer("messages.gif.shows"))
        }
        CameraBox(height: clue == nil ? 360 : 300) { FacePreview(camera: camera) }.accessibilityHidden(true)
        VStack(spacing: 12) {
          if let instruction { Text(localizer(instruction)).font(.title2).accessibilityAddTraits(.updatesFrequently) }
          ProgressView(value: Double(min(max(step?.hold ?? 0, 0), 1))).accessibilityHidden(true)
          Places(performed: step?.performed ?? [], count: count)
        }
      }
    }
  }

  /// Row of expressions, filled from the first position.
  struct Places: View {
    let performed: [String]
    let count: Int
    @Environment(\.localizer) private var localizer

    var body: some View {
      LazyVGrid(columns: [GridItem(.adaptive(minimum: 96))], spacing: 8) {
        ForEach(Array(0..<max(count, performed.count)), id: \.self) { place in
          Text(
            place < performed.count
              ? localizer("expression.\(performed[place])")
              : localizer("messages.place-empty", ["number": "\(place + 1)"])
          )
          .font(.footnote).padding(8)
          .background(RoundedRectangle(cornerRadius: 8).stroke(.secondary, lineWidth: 1))
        }
      }
    }
  }

  /// Animated GIF, shown as a still image if Reduce Motion is enabled.
  struct GIFView: UIViewRepresentable {
    let bytes: [UInt8]

    func makeUIView(context: Context) -> UIImageView {
      let view = UIImageView(frame: .zero)
      view.contentMode = .scaleAspectFit
      view.image = Self.image(bytes, plays: !UIAccessibility.isReduceMotionEnabled)
      return view
    }

    func updateUIView(_ view: UIImageView, context: Context) {}

    /// Builds an animation with frames of 0.1 s, repeated so that each image is shown for its duration in the GIF.
    private static func image(_ bytes: [UInt8], plays: Bool) -> UIImage? {
      guard let source = CGImageSourceCreateWithData(Data(bytes) as CFData, nil) else { return nil }
      var images: [UIImage] = []
      for index in 0..<min(CGImageSourceGetCount(source), 64) {
        guard let image = CGImageSourceCreateImageAtIndex(source, index, nil) else { continue }
        let facts = CGImageSourceCopyPropertiesAtIndex(source, index, nil) as? [String: Any]
        let gif = facts?[kCGImagePropertyGIFDictionary as String] as? [String: Any]
        let delay = (gif?[kCGImagePropertyGIFDelayTime as String] as? NSNumber)?.doubleValue ?? 0.1
        let times = min(max(Int((delay * 10).rounded()), 1), 50)
        images += Array(repeating: UIImage(cgImage: image), count: times)
        if !plays { return images.first }
      }
      return UIImage.animatedImage(with: images, duration: Double(images.count) / 10)
    }
  }
#endif
