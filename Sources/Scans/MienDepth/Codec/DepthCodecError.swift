/// Why coded depth or confidence cannot be decoded.
public enum DepthCodecError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The bytes end before the map does.
  case cutShort
  /// A byte has a value that no encoder writes; `what` names the part.
  case damaged(String)
  /// A difference frame came without the frame before it.
  case needsKeyFrame

  public var description: String {
    switch self {
    case .cutShort: "the coded map ends too early"
    case .damaged(let what): "the coded map is damaged: \(what)"
    case .needsKeyFrame: "the coded map builds on a frame that was not decoded"
    }
  }
}
