#if canImport(ARKit) && canImport(UIKit)
  internal import Foundation
  internal import MienClient
  internal import MienViewModels
  internal import SwiftUI

  /// View of a scan in four steps: capture, review, upload, result.
  struct ScanScreen: View {
    let flow: ScanViewModel
    let scanner: ARKitScanner
    let folder: URL
    @State private var label = ""
    @Environment(\.localizer) private var localizer
    @Environment(\.dismiss) private var dismiss

    var body: some View {
      ScrollView {
        VStack(spacing: 16) {
          if let instruction = flow.instruction {
            Text(localizer(instruction)).font(.title2).accessibilityIdentifier("scan.told")
          }
          if let note = flow.note { Text(localizer(note)).font(.footnote) }
          switch flow.state {
          case .idle: ProgressView()
          case .capturing, .photographing, .scanning: capture
          case .reviewing: review
          case .uploading: upload
          case .done:
            Button(localizer("scan.tab.new")) { Task { await flow.next() } }
              .buttonStyle(.borderedProminent).accessibilityIdentifier("scan.next")
          case .refused(let problem):
            NoticePanel(notices: ViewError(code: problem.code, recovery: .again).notices())
            Button(localizer("scan.back")) { Task { await flow.reconsider() } }.accessibilityIdentifier(
              "scan.reconsider")
          case .problem(let problem):
            ProblemPanel(problem: problem) {
              Task {
                await flow.proceed()
                // The recovery action was to leave.
                if flow.state == .idle { dismiss() }
              }
            }
          }
        }
        .padding()
      }
      .task {
        await flow.begin()
        if flow.state == .capturing { scanner.show() }
      }
      .onDisappear {
        Task {
          if flow.state == .scanning { await flow.stop() }
          scanner.hide()
        }
      }
    }

    @ViewBuilder private var capture: some View {
      RoomPreview(session: scanner.session).frame(height: 420).clipShape(RoundedRectangle(cornerRadius: 24))
        .accessibilityHidden(true)
      photos
      if flow.state == .scanning {
        ProgressView(value: flow.fraction).accessibilityIdentifier("scan.fraction")
        if let guidance = flow.guidance {
          if let advice = guidance.advice {
            Label(localizer(advice), systemImage: guidance.isEnough ? "checkmark.circle" : "arrow.left.and.right")
              .font(.headline).accessibilityIdentifier("scan.advice")
              .accessibilityAddTraits(.updatesFrequently)
          }
          sides(guidance)
        }
        Button(localizer("check.stop")) { Task { await flow.stop() } }
          .buttonStyle(.borderedProminent).accessibilityIdentifier("scan.stop")
      } else {
        Button(localizer("scan.shutter")) { Task { await flow.photograph() } }
          .disabled(!flow.mayPhotograph).accessibilityIdentifier("scan.photograph")
        Button(localizer("scan.depth")) { Task { await flow.scan() } }
          .disabled(!flow.mayScan).accessibilityIdentifier("scan.begin")
        Button(localizer("scan.review")) { flow.review() }
          .buttonStyle(.borderedProminent).disabled(!flow.mayReview).accessibilityIdentifier("scan.review")
      }
    }

    /// Coverage of each side.
    private func sides(_ guidance: ScanGuidance) -> some View {
      VStack {
        side("scan.side.left", guidance.left)
        side("scan.side.right", guidance.right)
        side("scan.side.top", guidance.top)
      }
    }

    private func side(_ key: String, _ share: Double) -> some View {
      HStack {
        Text(localizer(key)).font(.footnote).frame(width: 120)
        ProgressView(value: share).accessibilityLabel(localizer(key))
      }
    }

    private var photos: some View {
      HStack {
        ForEach(Array(flow.photos.enumerated()), id: \.element.id) { place, photo in
          VStack {
            TakenPicture(file: folder.appendingPathComponent(photo.path)).frame(height: 120)
            Button(localizer("scan.retake")) { Task { await flow.retake(photo) } }
              .font(.footnote).accessibilityIdentifier("scan.retake-\(place + 1)")
          }
        }
      }
    }

    @ViewBuilder private var review: some View {
      Text(localizer("scan.review.lead"))
      photos
      if let depth = flow.depth {
        Label("\(localizer("scan.item.frames")): \(depth.frames)", systemImage: "cube.transparent")
        Button(localizer("scan.retake")) { Task { await flow.rescan() } }.accessibilityIdentifier("scan.rescan")
      } else {
        Text(localizer("scan.warn.depth"))
      }
      TextField(localizer("scan.label"), text: $label).textFieldStyle(.roundedBorder).accessibilityIdentifier(
        "scan.label")
      Button(localizer("scan.upload")) {
        flow.label = label.isEmpty ? nil : label
        Task { await flow.upload() }
      }
      .buttonStyle(.borderedProminent).accessibilityIdentifier("scan.upload")
      Button(localizer("scan.drop"), role: .destructive) { Task { await flow.abandon() } }
        .accessibilityIdentifier("scan.drop")
    }

    @ViewBuilder private var upload: some View {
      ProgressView(value: flow.progress?.fraction ?? 0)
      if flow.progress?.phase == .paused || flow.progress?.phase == .waiting {
        Button(localizer("scan.go-on")) { Task { await flow.resume() } }.accessibilityIdentifier("scan.resume")
      } else {
        Button(localizer("scan.pause")) { Task { await flow.pause() } }.accessibilityIdentifier("scan.pause")
      }
    }
  }
#endif
