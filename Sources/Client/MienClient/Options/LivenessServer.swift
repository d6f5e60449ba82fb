public import Foundation

/// Where the server is. Sandbox and live are two worlds: of one server, where the key that created a session decides, or
/// of two.
public struct LivenessServer: Hashable, Sendable {
  public var sandbox: URL
  public var live: URL

  public init(sandbox: URL, live: URL) {
    self.sandbox = sandbox
    self.live = live
  }

  /// One server, whatever `sandboxEnvironment` says.
  public init(_ address: URL) {
    self.init(sandbox: address, live: address)
  }

  /// The address for one of the two.
  public func address(sandboxEnvironment: Bool) -> URL { sandboxEnvironment ? sandbox : live }
}
