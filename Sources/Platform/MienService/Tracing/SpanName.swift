/// What a span is called: words that are written in the code, and words of closed sets.
public struct SpanName: Sendable, ExpressibleByStringLiteral {
  private enum Form {
    case words(StaticString)
    case kind(StaticString, String)
    case operation(StaticString, file: StaticString)
    case request(method: String, route: String?)
  }

  private let form: Form

  public init(stringLiteral words: StaticString) { form = .words(words) }

  /// One of a kind, such as `capture.check.moire`.
  public init<Kind: RawRepresentable & CaseIterable>(_ words: StaticString, _ kind: Kind)
  where Kind.RawValue == String {
    form = .kind(words, kind.rawValue)
  }

  /// What a store does, such as `CheckStore.create`.
  ///
  /// - Parameters:
  ///   - operation: the function that does it, as `#function` names it.
  ///   - file: where it is written, as `#fileID` names it.
  public init(operation: StaticString, in file: StaticString) { form = .operation(operation, file: file) }

  /// A request, such as `POST /v1/checks`.
  ///
  /// - Parameters:
  ///   - method: one that HTTP knows.
  ///   - route: as it is written in the code, never a path that somebody asked for.
  public init(method: String, route: String?) { form = .request(method: method, route: route) }

  /// Made only where a span is: most pieces of work are not written down.
  var text: String {
    switch form {
    case .words(let words): words.description
    case .kind(let words, let kind): "\(words).\(kind)"
    case .operation(let operation, let file):
      "\(Self.stem(file)).\(operation.description.prefix { $0 != "(" })"
    case .request(let method, let route): route.map { "\(method) \($0)" } ?? method
    }
  }

  /// Of `Room/Type+Part.swift` the part, of `Room/Type.swift` the type.
  private static func stem(_ file: StaticString) -> Substring {
    let text = file.description
    let name = (text.split(separator: "/").last ?? text[...]).prefix { $0 != "." }
    return name.split(separator: "+").last ?? name
  }
}
