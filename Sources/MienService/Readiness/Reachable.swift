/// A store outside the process that says whether it is there.
public protocol Reachable: Sendable {
  /// Asks for next to nothing, once, and changes nothing.
  ///
  /// - Throws: when no answer comes, or one that shows that nothing can be done there.
  func reach() async throws
}
