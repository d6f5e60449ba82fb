#if canImport(ARKit) && canImport(UIKit)
  internal import ARKit
  internal import AVFoundation
  internal import SwiftUI
  internal import UIKit

  /// Preview of a capture session; the system mirrors that of the front camera.
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

  /// View that resizes its preview layer to its bounds.
  final class PreviewView: UIView {
    let preview = AVCaptureVideoPreviewLayer()

    override func layoutSubviews() {
      super.layoutSubviews()
      preview.frame = bounds
    }
  }

  /// Preview of the front camera of this device.
  struct FacePreview: View {
    let camera: FaceCamera

    var body: some View {
      switch camera {
      case .plain(let camera): CameraPreview(session: camera.session)
      case .depth(let camera): RoomPreview(session: camera.session)
      }
    }
  }

  /// Preview of an ARKit session.
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
