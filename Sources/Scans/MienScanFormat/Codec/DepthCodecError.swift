/// Reason why encoded depth or confidence cannot be decoded.
public enum DepthCodecError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The data ends before the map is complete.
  case cutShort
  /// A byte has a value that no encoder writes; the associated value names the part.
  case damaged(String)
  /// A delta frame without its preceding frame.
  case needsKeyFrame

  public var description: String {
    switch self {
    case .cutShort: "the coded map ends too early"
    case .damaged(let what): "the coded map is damaged: \(what)"
    case .needsKeyFrame: "the coded map builds on a frame that was not decoded"
    }
  }
}
