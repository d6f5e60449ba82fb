public import MienAuthenticity

/// How far the analysis of a capture is.
public struct AnalysisProgress: Hashable, Sendable {
  /// Groups of checks that have looked.
  public let done: Set<CheckGroup>
  /// Groups that are looking still.
  public let left: Set<CheckGroup>

  public init(done: Set<CheckGroup>, left: Set<CheckGroup>) {
    self.done = done
    self.left = left
  }
}
