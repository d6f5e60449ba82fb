public import MienAuthenticity

/// Progress of a capture's analysis.
public struct AnalysisProgress: Hashable, Sendable {
  /// Groups of checks that have finished.
  public let done: Set<CheckGroup>
  /// Groups of checks that are still running.
  public let left: Set<CheckGroup>

  public init(done: Set<CheckGroup>, left: Set<CheckGroup>) {
    self.done = done
    self.left = left
  }
}
