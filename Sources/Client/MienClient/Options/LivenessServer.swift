public import Foundation

/// Server addresses of the sandbox and live realms. Both may be on one server, where the API key that created the
/// session selects the realm, or on two.
public struct LivenessServer: Hashable, Sendable {
  public var sandbox: URL
  public var live: URL

  public init(sandbox: URL, live: URL) {
    self.sandbox = sandbox
    self.live = live
  }

  /// Uses one server for both realms.
  public init(_ address: URL) {
    self.init(sandbox: address, live: address)
  }

  /// Returns the address for the sandbox or live realm.
  public func address(sandboxEnvironment: Bool) -> URL { sandboxEnvironment ? sandbox : live }
}
