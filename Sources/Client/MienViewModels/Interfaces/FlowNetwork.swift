public import Foundation
public import MienClient

/// Connection to the app's server.
@MainActor public final class FlowNetwork {
  public let server: URL
  /// Credential of the user or of a check's token. An API key must not be shipped in an app.
  public let credentials: APICredentials
  public let transport: any Transport
  public let clock: any ClientClock
  /// Name of this app instance.
  public let client: String
  /// Network state set by the platform. Affects only the text of error messages; requests are sent in any case.
  public var isOnline = true

  /// Called when the server refuses the session of the signed-in user, which has ended then.
  public var onSignedOut: @MainActor () -> Void = {}

  public init(
    server: URL, credentials: APICredentials = APICredentials(), transport: any Transport = URLSessionTransport(),
    clock: any ClientClock = MonotonicClock(), client: String = MonotonicClock.clientName()
  ) {
    self.server = server
    self.credentials = credentials
    self.transport = transport
    self.clock = clock
    self.client = client
  }

  var messages: MessageClient { MessageClient(server: server, credentials: credentials, transport: transport) }
  var account: AccountClient { AccountClient(server: server, credentials: credentials, transport: transport) }

  /// Converts an error to one that can be shown to the user.
  func problem(_ error: any Error) -> ViewError {
    switch error {
    case let error as ViewError: return error
    case let error as ClientError:
      if error.code == .unauthorized, case .session = credentials.current {
        credentials.current = nil
        onSignedOut()
        return .signedOut
      }
      // A guarded server: without a session there is something to do.
      if [.unauthorized, .demoDisabled].contains(error.code), credentials.current == nil { return .signedOut }
      return ViewError(error, isOnline: isOnline)
    default: return .cameraLost
    }
  }
}
