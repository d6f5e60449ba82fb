public import Foundation
public import MienClient

/// Connection to the app's server.
@MainActor public final class FlowNetwork {
  public let server: URL
  /// API key, if the server requires one; it must not be shipped in a public app.
  public let key: String?
  public let transport: any Transport
  public let clock: any ClientClock
  /// Name of this app instance.
  public let client: String
  /// Network state set by the platform. Affects only the text of error messages; requests are sent in any case.
  public var isOnline = true

  public init(
    server: URL, key: String? = nil, transport: any Transport = URLSessionTransport(),
    clock: any ClientClock = MonotonicClock(), client: String = MonotonicClock.clientName()
  ) {
    self.server = server
    self.key = key
    self.transport = transport
    self.clock = clock
    self.client = client
  }

  var messages: MessageClient { MessageClient(server: server, key: key, transport: transport) }

  /// Converts an error to one that can be shown to the user.
  func problem(_ error: any Error) -> ViewError {
    switch error {
    case let error as ViewError: error
    case let error as ClientError: ViewError(error, isOnline: isOnline)
    default: .cameraLost
    }
  }
}
