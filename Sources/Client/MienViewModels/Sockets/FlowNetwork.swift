public import Foundation
public import MienClient

/// The server of the app, and whether the device is on a network at all.
@MainActor public final class FlowNetwork {
  public let server: URL
  /// An API key, where the server asks for one; it has no place in an app that strangers have.
  public let key: String?
  public let transport: any Transport
  public let clock: any ClientClock
  /// The name of this app instance.
  public let client: String
  /// Set by the platform; it chooses words only, whether a server answers is found out by asking.
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

  /// What an error means for a person.
  func trouble(_ error: any Error) -> ViewError {
    switch error {
    case let error as ViewError: error
    case let error as ClientError: ViewError(error, isOnline: isOnline)
    default: .cameraLost
    }
  }
}
