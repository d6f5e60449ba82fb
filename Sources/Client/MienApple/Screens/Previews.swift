#if canImport(ARKit) && canImport(UIKit)
  internal import ARKit
  internal import AVFoundation
  internal import SwiftUI
  internal import UIKit

  /// Shows what a capture session sees; the front camera as a mirror, which the system does by itself.
  struct CameraPreview: UIViewRepresentable {
    let session: AVCaptureSession

    func makeUIView(context: Context) -> PreviewView {
      let view = PreviewView(frame: .zero)
      view.layer.addSublayer(view.preview)
      view.preview.session = session
      view.preview.videoGravity = .resizeAspectFill
      return view
    }

    func updateUIView(_ view: PreviewView, context: Context) {}
  }

  /// Keeps the preview as large as itself.
  final class PreviewView: UIView {
    let preview = AVCaptureVideoPreviewLayer()

    override func layoutSubviews() {
      super.layoutSubviews()
      preview.frame = bounds
    }
  }

  /// Shows what an ARKit session sees.
  struct RoomPreview: UIViewRepresentable {
    let session: ARSession

    func makeUIView(context: Context) -> ARSCNView {
      let view = ARSCNView(frame: .zero)
      view.session = session
      return view
    }

    func updateUIView(_ view: ARSCNView, context: Context) {}
  }
#endif
