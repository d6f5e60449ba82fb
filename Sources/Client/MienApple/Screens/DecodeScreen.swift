#if canImport(ARKit) && canImport(UIKit)
  internal import Foundation
  internal import MienViewModels
  internal import MienAPI
  internal import PhotosUI
  internal import SwiftUI

  /// View for opening a message: choose a GIF or an ID, perform the sequence, read the text.
  struct DecodeScreen: View {
    let flow: DecodeViewModel
    let camera: FaceCamera
    @State private var typed = ""
    @State private var chosen: PhotosPickerItem?
    @Environment(\.localizer) private var localizer

    var body: some View {
      ScrollView {
        VStack(spacing: 16) {
          switch flow.state {
          case .choosing(let why): VStack(spacing: 16) { choosing(why) }.readableWidth()
          case .looking: ProgressView(localizer("messages.looking"))
          case .ready(let message): VStack(spacing: 16) { ready(message) }.readableWidth()
          case .performing(let step):
            PerformanceView(
              camera: camera, instruction: flow.instruction, step: step, count: flow.message?.steps ?? 0,
              // The GIF of a secret message shows no sequence.
              clue: flow.message?.mode == "secret" ? nil : flow.gif)
          case .checking: ProgressView(localizer("messages.checking"))
          case .revealed(let text, let viewsLeft): VStack(spacing: 16) { revealed(text, viewsLeft) }.readableWidth()
          case .wrong(let performed, let attemptsLeft):
            VStack(spacing: 16) { wrong(performed, attemptsLeft) }.readableWidth()
          case .closed: NoticePanel(notices: flow.notices)
          case .problem(let problem):
            ProblemPanel(problem: problem, place: "messages") { Task { await flow.again() } }
          }
          if mayLeave {
            Button(localizer("messages.cancel"), role: .cancel) { flow.leave() }.accessibilityIdentifier("decode.leave")
          }
        }
        .padding()
      }
      .overlay { if case .revealed = flow.state { Celebration(kind: .burst) } }
      .onDisappear { if case .performing = flow.state { flow.leave() } }
    }

    private var mayLeave: Bool {
      switch flow.state {
      case .choosing, .looking, .checking, .revealed: false
      case .ready, .performing, .wrong, .closed, .problem: true
      }
    }

    @ViewBuilder private func choosing(_ why: LocalizedText?) -> some View {
      Text(localizer("messages.choose.title")).font(.title2)
      Text(localizer("messages.choose.lead"))
      if let why { Text(localizer(why)).foregroundStyle(.red) }
      PhotosPicker(selection: $chosen, matching: .images, preferredItemEncoding: .current) {
        Text(localizer("messages.choose.file"))
      }
      .accessibilityIdentifier("decode.pick")
      .onChange(of: chosen) { _, item in
        guard let item else { return }
        chosen = nil
        // Not with the asynchronous function: the item is not sendable in every SDK. The handler runs on any queue.
        item.loadTransferable(type: Data.self) { @Sendable [flow] result in
          // A file that cannot be loaded is reported as an invalid GIF.
          let bytes = (try? result.get()).flatMap { $0 }.map { Array($0) } ?? []
          Task { await flow.choose(gif: bytes) }
        }
      }
      TextField(localizer("messages.choose.number"), text: $typed)
        .textFieldStyle(.roundedBorder).textInputAutocapitalization(.characters).autocorrectionDisabled()
        .accessibilityIdentifier("decode.number")
      Button(localizer("messages.choose.go")) { Task { await flow.choose(text: typed) } }
        .buttonStyle(.borderedProminent).disabled(typed.isEmpty).accessibilityIdentifier("decode.go")
      if !flow.known.isEmpty {
        Text(localizer("messages.list.title")).font(.headline)
        ForEach(flow.known) { message in
          Button(message.number) { Task { await flow.choose(text: message.link) } }
            .accessibilityIdentifier("decode.open-\(message.number)")
        }
      }
    }

    @ViewBuilder private func ready(_ message: MessageResponse) -> some View {
      Text(localizer("messages.ready.title")).font(.title2)
      let isSecret = message.mode == "secret"
      Text(localizer(isSecret ? "messages.ready.secret" : "messages.ready.open", ["count": "\(message.steps)"]))
      if let gif = flow.gif {
        GIFView(bytes: gif).frame(width: 256, height: 256)
          .accessibilityLabel(localizer(isSecret ? "messages.gif.idle" : "messages.gif.shows"))
      }
      Button(localizer("messages.ready.perform")) { Task { await flow.perform() } }
        .buttonStyle(.borderedProminent).accessibilityIdentifier("decode.perform")
    }

    @ViewBuilder private func revealed(_ text: String, _ viewsLeft: Int?) -> some View {
      Text(localizer("messages.revealed.title")).font(.title2)
      Text(text).textSelection(.enabled).privacySensitive().accessibilityIdentifier("decode.text")
      if let viewsLeft {
        Text(
          viewsLeft == 0
            ? localizer("messages.revealed.last") : localizer("messages.revealed.views", ["number": "\(viewsLeft)"])
        )
        .font(.footnote)
      }
      Button(localizer("messages.revealed.done")) { flow.leave() }
        .buttonStyle(.borderedProminent).accessibilityIdentifier("decode.done")
    }

    @ViewBuilder private func wrong(_ performed: [String], _ attemptsLeft: Int?) -> some View {
      NoticePanel(notices: flow.notices)
      Places(performed: performed, count: performed.count)
      if let attemptsLeft { Text(localizer("messages.attempts-left", ["number": "\(attemptsLeft)"])) }
      Button(localizer("again.try")) { Task { await flow.perform() } }
        .buttonStyle(.borderedProminent).accessibilityIdentifier("decode.again")
    }
  }
#endif
