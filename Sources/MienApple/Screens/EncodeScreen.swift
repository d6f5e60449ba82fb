#if canImport(ARKit) && canImport(UIKit)
  internal import MienFlows
  internal import MienWire
  internal import SwiftUI

  /// A text, a sequence of faces, a GIF to share.
  struct EncodeScreen: View {
    @Bindable var flow: EncodeFlow
    let camera: FrontCamera
    @Environment(\.pen) private var pen

    var body: some View {
      ScrollView {
        VStack(spacing: 16) {
          switch flow.state {
          case .entering: entering
          case .recording(let step):
            PerformanceView(camera: camera, told: flow.told, step: step, count: flow.steps)
            Button(pen("messages.cancel"), role: .cancel) { flow.cancel() }.accessibilityIdentifier("encode.cancel")
          case .generating: ProgressView(pen("messages.generating"))
          case .sharing(let message): sharing(message)
          case .troubled(let trouble):
            TroublePanel(trouble: trouble, place: "messages") { Task { await flow.again() } }
            Button(pen("messages.cancel"), role: .cancel) { flow.cancel() }.accessibilityIdentifier("encode.leave")
          }
        }
        .padding()
      }
      .onDisappear { if case .recording = flow.state { flow.cancel() } }
    }

    @ViewBuilder private var entering: some View {
      Text(pen("messages.write.title")).font(.title2)
      Text(pen("messages.write.lead"))
      TextField(pen("messages.write.field"), text: $flow.text, axis: .vertical)
        .textFieldStyle(.roundedBorder).accessibilityIdentifier("encode.text")
      Text(pen(flow.count)).font(.footnote)
      Stepper("\(pen("messages.write.steps")): \(flow.steps)", value: $flow.steps, in: 3...12)
        .accessibilityIdentifier("encode.steps")
      Toggle(pen("messages.write.secret"), isOn: $flow.isSecret).accessibilityIdentifier("encode.secret")
      Button(pen("messages.write.lock")) { Task { await flow.lock() } }
        .buttonStyle(.borderedProminent).disabled(!flow.mayLock).accessibilityIdentifier("encode.lock")
    }

    @ViewBuilder private func sharing(_ message: MessageReply) -> some View {
      Text(pen("messages.done.title")).font(.title2)
      Text(pen(flow.isSecret ? "messages.done.secret" : "messages.done.open"))
      if let gif = flow.gif {
        GIFView(bytes: gif).frame(width: 256, height: 256)
          .accessibilityLabel(pen(flow.isSecret ? "messages.gif.idle" : "messages.gif.shows"))
      }
      Text("\(pen("messages.number")): \(message.id)").font(.footnote).textSelection(.enabled)
      Places(performed: flow.performed, count: flow.performed.count)
      Button(pen("messages.done.share")) { Task { await flow.share() } }
        .buttonStyle(.borderedProminent).accessibilityIdentifier("encode.share")
      Button(pen("messages.done.another")) { flow.another() }.accessibilityIdentifier("encode.another")
    }
  }
#endif
