/// A span name: composed of literals in the code and words of closed sets.
public struct SpanName: Sendable, ExpressibleByStringLiteral {
  private enum Form {
    case words(StaticString)
    case kind(StaticString, String)
    case operation(StaticString, file: StaticString)
    case request(method: String, route: String?)
  }

  private let form: Form

  public init(stringLiteral words: StaticString) { form = .words(words) }

  /// Creates a name for one of a closed set, such as `capture.check.moire`.
  public init<Kind: RawRepresentable & CaseIterable>(_ words: StaticString, _ kind: Kind)
  where Kind.RawValue == String {
    form = .kind(words, kind.rawValue)
  }

  /// Creates a name for a store operation, such as `CheckStore.create`.
  ///
  /// - Parameters:
  ///   - operation: the calling function, from `#function`.
  ///   - file: the calling file, from `#fileID`.
  public init(operation: StaticString, in file: StaticString) { form = .operation(operation, file: file) }

  /// Creates a name for a request, such as `POST /v1/checks`.
  ///
  /// - Parameters:
  ///   - method: a standard HTTP method.
  ///   - route: the route pattern as defined in code, never a requested path.
  public init(method: String, route: String?) { form = .request(method: method, route: route) }

  /// Computed only for recorded spans: most operations are not recorded.
  var text: String {
    switch form {
    case .words(let words): words.description
    case .kind(let words, let kind): "\(words).\(kind)"
    case .operation(let operation, let file):
      "\(Self.stem(file)).\(operation.description.prefix { $0 != "(" })"
    case .request(let method, let route): route.map { "\(method) \($0)" } ?? method
    }
  }

  /// Returns the extension name of `Module/Type+Extension.swift`, or the type name of `Module/Type.swift`.
  private static func stem(_ file: StaticString) -> Substring {
    let text = file.description
    let name = (text.split(separator: "/").last ?? text[...]).prefix { $0 != "." }
    return name.split(separator: "+").last ?? name
  }
}
