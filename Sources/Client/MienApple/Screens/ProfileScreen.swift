#if canImport(ARKit) && canImport(UIKit)
  internal import MienViewModels
  internal import SwiftUI

  /// View of the settings and usage counts.
  struct ProfileScreen: View {
    let home: Home
    let flow: ProfileViewModel
    @State private var server = ""
    @Environment(\.localizer) private var localizer

    var body: some View {
      Form {
        if let problem = flow.problem { NoticePanel(notices: problem.notices()) }
        Section(localizer("messages.profile.avatar")) {
          // From the app's asset catalog, which is generated from the same sprite sheets as the GIFs.
          ExpressionGrid(avatar: flow.settings.avatar)
          Picker(localizer("messages.profile.avatar"), selection: choice(\.avatar)) {
            ForEach(AppSettings.avatars, id: \.self) { Text(localizer("messages.avatar.\($0)")).tag($0) }
          }
          .accessibilityIdentifier("profile.avatar")
          Toggle(localizer("app.tracker.toggle"), isOn: choice(\.usesTracker)).accessibilityIdentifier(
            "profile.tracker")
          Toggle(localizer("app.analyze.toggle"), isOn: choice(\.analyzesPhotos))
            .accessibilityIdentifier("profile.analyzes")
          Toggle(localizer("sound"), isOn: choice(\.readsAloud)).accessibilityIdentifier("profile.aloud")
        }
        AccountSection(flow: home.account)
        if home.face.measuresDepth {
          NavigationLink(localizer("app.enroll.title")) {
            EnrollmentScreen(flow: home.enrollment, camera: home.face, person: text(\.person))
          }
          .accessibilityIdentifier("profile.enroll")
        }
        Button(localizer("messages.profile.tour")) { flow.change { $0.hasSeenTour = false } }
          .accessibilityIdentifier("profile.tour")
        Section(localizer("app.server")) {
          TextField("https://", text: $server)
            .textInputAutocapitalization(.never).autocorrectionDisabled().keyboardType(.URL)
            .accessibilityIdentifier("profile.server")
            .onSubmit { flow.change { $0.server = server.isEmpty ? nil : server } }
        }
        Section(localizer("messages.profile.counts")) {
          count("messages.counts.locked", flow.settings.locked)
          count("messages.counts.opened", flow.settings.opened)
          count("messages.counts.wrong", flow.settings.wrong)
        }
        Section(localizer("messages.list.title")) {
          if flow.messages.isEmpty { Text(localizer("messages.list.none")) }
          ForEach(flow.messages) { message in
            Text(message.number).swipeActions {
              Button(localizer("messages.list.forget"), role: .destructive) { flow.remove(message: message.number) }
                .accessibilityIdentifier("profile.forget-\(message.number)")
            }
          }
        }
        if FaceTracker.isSupported {
          NavigationLink(localizer("app.tracking.title")) {
            TrackingScreen(recorder: home.recorder, tracker: home.tracker) { home.performer.perform(.share($0)) }
          }
          .accessibilityIdentifier("profile.tracking")
        }
        Button(localizer("messages.profile.forget"), role: .destructive) { flow.remove() }
          .accessibilityIdentifier("profile.forget")
      }
      .navigationTitle(localizer("messages.profile.title"))
      .onAppear { server = flow.settings.server ?? "" }
    }

    private func choice<Value>(_ path: WritableKeyPath<AppSettings, Value>) -> Binding<Value> {
      Binding { @MainActor in
        flow.settings[keyPath: path]
      } set: { @MainActor value in
        flow.change { $0[keyPath: path] = value }
      }
    }

    private func text(_ path: WritableKeyPath<AppSettings, String?>) -> Binding<String> {
      Binding { @MainActor in
        flow.settings[keyPath: path] ?? ""
      } set: { @MainActor value in
        flow.change { $0[keyPath: path] = value.isEmpty ? nil : value }
      }
    }

    private func count(_ key: String, _ number: Int) -> some View {
      HStack {
        Text(localizer(key))
        Spacer()
        Text("\(number)")
      }
    }
  }
#endif
