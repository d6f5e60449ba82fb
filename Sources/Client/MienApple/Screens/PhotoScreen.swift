#if canImport(ARKit) && canImport(UIKit)
  internal import Foundation
  internal import MienViewModels
  internal import SwiftUI
  internal import UIKit

  /// View for a verifiable photo: take, review, send.
  struct PhotoScreen: View {
    let flow: PhotoViewModel
    let camera: DepthCamera
    let folder: URL
    let server: URL
    @Environment(\.localizer) private var localizer

    var body: some View {
      VStack(spacing: 16) {
        switch flow.state {
        case .aiming, .taking:
          CameraPreview(session: camera.session).clipShape(RoundedRectangle(cornerRadius: 24))
            .accessibilityHidden(true)
          Button(localizer("scan.shutter")) { Task { await flow.take() } }
            .buttonStyle(.borderedProminent).disabled(flow.state != .aiming).accessibilityIdentifier("photo.take")
        case .analyzing(let photo):
          TakenPicture(file: folder.appendingPathComponent(photo.path))
          ProgressView(localizer("verify.analyzing"))
        case .ready(let photo):
          TakenPicture(file: folder.appendingPathComponent(photo.path))
          facts
          #if DEBUG
            if let text = flow.detectionText {
              ScrollView { Text(text).font(.footnote).textSelection(.enabled).accessibilityIdentifier("photo.results") }
            }
          #endif
          Button(localizer("verify.send")) { Task { await flow.send() } }
            .buttonStyle(.borderedProminent).accessibilityIdentifier("photo.send")
          Button(localizer("scan.retake")) { Task { await flow.retake() } }.accessibilityIdentifier("photo.retake")
        case .sending(let photo):
          TakenPicture(file: folder.appendingPathComponent(photo.path))
          ProgressView(localizer("verify.sending"))
        case .sent(let id):
          Text(localizer("app.photo.sent")).font(.title2)
          Link(localizer("verify.fact.page"), destination: server.appendingPathComponent("verify/\(id)"))
            .accessibilityIdentifier("photo.page")
          Button(localizer("scan.shutter")) { Task { await flow.retake() } }
            .buttonStyle(.borderedProminent).accessibilityIdentifier("photo.next")
        case .problem(let problem):
          ProblemPanel(problem: problem) { flow.again() }
        }
      }
      .padding()
      .task {
        await flow.restore()
        try? await camera.show()
      }
      .onDisappear { camera.hide() }
    }

    /// Evidence sent with the photo, which is optional.
    private var facts: some View {
      VStack(alignment: .leading) {
        fact("verify.line.claims", flow.hasDetection)
        fact("verify.line.signer", flow.hasSignature)
      }
    }

    private func fact(_ key: String, _ isThere: Bool) -> some View {
      Label(localizer(key), systemImage: isThere ? "checkmark.circle" : "minus.circle")
        .accessibilityValue(localizer(isThere ? "answer.yes" : "answer.no"))
    }
  }

  /// Photo loaded from disk.
  struct TakenPicture: View {
    let file: URL

    var body: some View {
      if let image = UIImage(contentsOfFile: file.path) {
        Image(uiImage: image).resizable().scaledToFit().clipShape(RoundedRectangle(cornerRadius: 12))
      }
    }
  }
#endif
