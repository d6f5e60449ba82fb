/// A store outside the process that says whether it is there.
public protocol HealthCheckable: Sendable {
  /// Asks for next to nothing, once, and changes nothing.
  ///
  /// - Throws: when no answer comes, or one that shows that nothing can be done there.
  func reach() async throws
  /// Says whether it can keep more. A store on the server's own disk leaves that to whoever looks at the disk.
  ///
  /// - Throws: when it refused something lately because it has no room.
  func findRoom() async throws
}

extension HealthCheckable {
  public func findRoom() async throws {}
}
