#if canImport(ARKit) && canImport(UIKit)
  internal import MienFlows
  internal import SwiftUI

  /// Choices that persist, and the counts so far.
  struct ProfileScreen: View {
    let flow: ProfileFlow
    @State private var server = ""
    @Environment(\.pen) private var pen

    var body: some View {
      Form {
        if let trouble = flow.trouble { NoticePanel(notices: trouble.notices()) }
        Section(pen("messages.profile.avatar")) {
          Picker(pen("messages.profile.avatar"), selection: choice(\.avatar)) {
            ForEach(AppSettings.avatars, id: \.self) { Text(pen("messages.avatar.\($0)")).tag($0) }
          }
          .accessibilityIdentifier("profile.avatar")
          Toggle(pen("messages.profile.calibrate"), isOn: choice(\.calibrates))
            .accessibilityIdentifier("profile.calibrates")
          Toggle(pen("sound"), isOn: choice(\.readsAloud)).accessibilityIdentifier("profile.aloud")
        }
        Section(pen("app.server")) {
          TextField("https://", text: $server)
            .textInputAutocapitalization(.never).autocorrectionDisabled().keyboardType(.URL)
            .accessibilityIdentifier("profile.server")
            .onSubmit { flow.change { $0.server = server.isEmpty ? nil : server } }
        }
        Section(pen("messages.profile.counts")) {
          count("messages.counts.locked", flow.settings.locked)
          count("messages.counts.opened", flow.settings.opened)
          count("messages.counts.wrong", flow.settings.wrong)
        }
        Section(pen("messages.list.title")) {
          if flow.messages.isEmpty { Text(pen("messages.list.none")) }
          ForEach(flow.messages) { message in
            Text(message.number).swipeActions {
              Button(pen("messages.list.forget"), role: .destructive) { flow.forget(message: message.number) }
                .accessibilityIdentifier("profile.forget-message")
            }
          }
        }
        Button(pen("messages.profile.forget"), role: .destructive) { flow.forget() }
          .accessibilityIdentifier("profile.forget")
      }
      .navigationTitle(pen("messages.profile.title"))
      .onAppear { server = flow.settings.server ?? "" }
    }

    private func choice<Value>(_ path: WritableKeyPath<AppSettings, Value>) -> Binding<Value> {
      Binding { @MainActor in
        flow.settings[keyPath: path]
      } set: { @MainActor value in
        flow.change { $0[keyPath: path] = value }
      }
    }

    private func count(_ key: String, _ number: Int) -> some View {
      HStack {
        Text(pen(key))
        Spacer()
        Text("\(number)")
      }
    }
  }
#endif
