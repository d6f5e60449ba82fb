internal import Foundation
internal import MienClient
public import Observation

/// View model of the account: signs in to a guarded server, and out of it.
///
/// The session is stored on the device, in the keychain, until it ends; the password is not.
@MainActor @Observable public final class AccountViewModel {
  public enum State: Hashable, Sendable {
    /// Next: `signingIn`.
    case signedOut
    /// Next: `signedIn`, or `signedOut` with a ``AccountViewModel/problem``.
    case signingIn
    /// Name of the user. Next: `signedOut`.
    case signedIn(String)
  }

  public private(set) var state = State.signedOut
  /// Error of the last attempt to sign in, or the end of the session.
  public private(set) var problem: ViewError?

  private let network: FlowNetwork
  private let memory: PreferencesStore

  /// - Parameters:
  ///   - network: requests to the server.
  ///   - store: the keychain; it has the session between two launches.
  public init(network: FlowNetwork, store: any FlowStore) {
    self.network = network
    memory = PreferencesStore(store: store)
    if let session: StoredSession = memory.read("session"), session.server == network.server.absoluteString {
      network.credentials.current = .session(session.session)
      state = .signedIn(session.session.name)
    }
    network.onSignedOut = { [weak self] in self?.lose() }
  }

  /// `true` if a user is signed in.
  public var isSignedIn: Bool { if case .signedIn = state { true } else { false } }

  public func signIn(name: String, password: String) async {
    guard state == .signedOut, !name.isEmpty, !password.isEmpty else { return }
    (state, problem) = (.signingIn, nil)
    do {
      let session = try await network.account.signIn(name: name, password: password)
      try memory.save("session", StoredSession(server: network.server.absoluteString, session: session))
      state = .signedIn(session.name)
    } catch let error as ClientError where error.code == .unauthorized {
      (state, problem) = (.signedOut, ViewError(code: "wrong-password", recovery: .again))
    } catch {
      network.credentials.current = nil
      (state, problem) = (.signedOut, network.problem(error))
    }
  }

  /// Ends the session here in any case, and on the server if it can be reached.
  public func signOut() async {
    guard isSignedIn else { return }
    try? memory.save("session", StoredSession?.none)
    (state, problem) = (.signedOut, nil)
    await network.account.signOut()
  }

  private func lose() {
    try? memory.save("session", StoredSession?.none)
    (state, problem) = (.signedOut, .signedOut)
  }
}

/// Session with the server that it belongs to: it must not be sent to another one.
private struct StoredSession: Codable {
  var server: String
  var session: AccountSession
}
