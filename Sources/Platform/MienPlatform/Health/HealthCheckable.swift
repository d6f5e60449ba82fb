/// An external store that can report its availability.
public protocol HealthCheckable: Sendable {
  /// Performs one minimal read-only request.
  ///
  /// - Throws: if there is no response, or one that shows that the store is unusable.
  func reach() async throws
  /// Checks for free space. A store on the server's own disk leaves this to the disk monitoring.
  ///
  /// - Throws: if a recent write was rejected for lack of space.
  func checkFreeSpace() async throws
}

extension HealthCheckable {
  public func checkFreeSpace() async throws {}
}
