#if canImport(ARKit) && canImport(UIKit)
  internal import MienViewModels
  internal import MienAPI
  internal import SwiftUI
  internal import UIKit

  /// View for creating a message: enter a text, perform a sequence of expressions, share the GIF.
  struct EncodeScreen: View {
    @Bindable var flow: EncodeViewModel
    let camera: FaceCamera
    @State private var isCopied = false
    @Environment(\.localizer) private var localizer

    var body: some View {
      ScrollView {
        VStack(spacing: 16) {
          switch flow.state {
          case .entering: VStack(spacing: 16) { entering }.readableWidth()
          case .recording(let step):
            PerformanceView(camera: camera, instruction: flow.instruction, step: step, count: flow.steps)
            Button(localizer("messages.cancel"), role: .cancel) { flow.cancel() }.accessibilityIdentifier(
              "encode.cancel")
          case .generating:
            Shimmer()
            ProgressView(localizer("messages.generating"))
          case .sharing(let message): VStack(spacing: 16) { sharing(message) }.readableWidth()
          case .problem(let problem):
            ProblemPanel(problem: problem, place: "messages") { Task { await flow.again() } }
            Button(localizer("messages.cancel"), role: .cancel) { flow.cancel() }.accessibilityIdentifier(
              "encode.leave")
          }
        }
        .padding()
      }
      .overlay { if case .sharing = flow.state { Celebration(kind: .confetti) } }
      .onDisappear { if case .recording = flow.state { flow.cancel() } }
    }

    @ViewBuilder private var entering: some View {
      Text(localizer("messages.write.title")).font(.title2)
      Text(localizer("messages.write.lead"))
      TextField(localizer("messages.write.field"), text: $flow.text, axis: .vertical)
        .textFieldStyle(.roundedBorder).accessibilityIdentifier("encode.text")
      Text(localizer(flow.count)).font(.footnote)
      Stepper("\(localizer("messages.write.steps")): \(flow.steps)", value: $flow.steps, in: 3...12)
        .accessibilityIdentifier("encode.steps")
      Toggle(localizer("messages.write.secret"), isOn: $flow.isSecret).accessibilityIdentifier("encode.secret")
      Toggle(localizer("messages.write.link"), isOn: $flow.requiresLink).accessibilityIdentifier("encode.link")
      Text(localizer("messages.write.gif"))
      Picker(localizer("messages.write.gif"), selection: $flow.isSmooth) {
        Text(localizer("messages.write.gif.classic")).tag(false)
        Text(localizer("messages.write.gif.smooth")).tag(true)
      }
      .pickerStyle(.segmented).accessibilityIdentifier("encode.gif")
      Button(localizer("messages.write.lock")) { Task { await flow.lock() } }
        .buttonStyle(.borderedProminent).disabled(!flow.mayLock).accessibilityIdentifier("encode.lock")
    }

    @ViewBuilder private func sharing(_ message: MessageResponse) -> some View {
      Text(localizer("messages.done.title")).font(.title2)
      Text(localizer(flow.isSecret ? "messages.done.secret" : "messages.done.open"))
      if let gif = flow.gif {
        GIFView(bytes: gif).frame(width: 256, height: 256)
          .accessibilityLabel(localizer(flow.isSecret ? "messages.gif.idle" : "messages.gif.shows"))
      }
      Text("\(localizer("messages.number")): \(message.id)").font(.footnote).textSelection(.enabled)
      if let link = flow.link {
        Text(localizer("messages.done.link"))
        Button(localizer(isCopied ? "messages.done.copied" : "messages.done.copy")) {
          UIPasteboard.general.string = link
          isCopied = true
        }
        .accessibilityIdentifier("encode.copy")
      }
      Places(performed: flow.performed, count: flow.performed.count)
      Button(localizer("messages.done.share")) { Task { await flow.share() } }
        .buttonStyle(.borderedProminent).accessibilityIdentifier("encode.share")
      Button(localizer("messages.done.another")) {
        isCopied = false
        flow.another()
      }
      .accessibilityIdentifier("encode.another")
    }
  }
#endif
