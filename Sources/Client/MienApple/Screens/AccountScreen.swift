#if canImport(ARKit) && canImport(UIKit)
  internal import MienViewModels
  internal import SwiftUI

  /// Section of the profile for signing in to a guarded server and out of it.
  struct AccountSection: View {
    let flow: AccountViewModel
    @State private var name = ""
    @State private var password = ""
    @Environment(\.localizer) private var localizer

    var body: some View {
      Section(localizer("app.account.title")) {
        if let problem = flow.problem { NoticePanel(notices: problem.notices()) }
        switch flow.state {
        case .signedIn(let user):
          Text(localizer("account.as", ["name": user])).accessibilityIdentifier("account.user")
          Button(localizer("account.sign-out"), role: .destructive) { Task { await flow.signOut() } }
            .accessibilityIdentifier("account.sign-out")
        case .signingIn: ProgressView()
        case .signedOut:
          TextField(localizer("account.name"), text: $name)
            .textContentType(.username).textInputAutocapitalization(.never).autocorrectionDisabled()
            .accessibilityIdentifier("account.name")
          SecureField(localizer("account.password"), text: $password)
            .textContentType(.password).accessibilityIdentifier("account.password")
          Button(localizer("account.sign-in")) {
            let secret = password
            password = ""
            Task { await flow.signIn(name: name, password: secret) }
          }
          .disabled(name.isEmpty || password.isEmpty).accessibilityIdentifier("account.sign-in")
        }
      }
    }
  }
#endif
