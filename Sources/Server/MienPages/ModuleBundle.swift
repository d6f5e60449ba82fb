/// ES modules combined into one, in the order of their imports.
///
/// Every module but the first becomes a function that returns its exports; nothing else is changed. Only the syntax that the browser
/// client uses is accepted: imports and exports of names at the beginning of a line, and no top-level `await` outside the first module.
struct ModuleBundle {
  /// Source of the combined module.
  let code: String
  /// Paths of the modules, each after those that it imports.
  let paths: [String]

  /// - Parameters:
  ///   - entry: path of the first module, relative to the folder of the client.
  ///   - read: returns the source at such a path.
  /// - Throws: ``BundleError`` for other syntax, and the errors of `read`.
  init(entry: String, read: (String) throws -> String) throws {
    var graph = Graph()
    try graph.add(entry, importers: [], read: read)
    code = graph.sources.joined(separator: "\n") + "\n"
    paths = graph.paths
  }

  private struct Graph {
    private(set) var sources: [String] = []
    private(set) var paths: [String] = []
    private var names: [String: String] = [:]

    /// Adds a module after those that it imports, and returns its name in the bundle.
    @discardableResult
    mutating func add(
      _ path: String, importers: [String], read: (String) throws -> String
    ) throws -> String {
      guard !importers.contains(path) else { throw BundleError(path: path, reason: "imports itself") }
      if let known = names[path] { return known }
      let isEntry = importers.isEmpty
      var (head, body, exported) = ([String](), [Substring](), [Substring]())
      var lines = try read(path).split(separator: "\n", omittingEmptySubsequences: false)[...]
      while let line = lines.popFirst() {
        if line.hasPrefix("import ") {
          var statement = String(line)
          while !statement.hasSuffix(";") {
            guard let next = lines.popFirst() else { throw BundleError(path: path, reason: "an import does not end") }
            statement += next
          }
          let (pattern, target) = try Self.importParts(statement, of: path)
          head.append("const \(pattern) = \(try add(target, importers: importers + [path], read: read));")
        } else if isEntry {
          body.append(line)
        } else if line.hasPrefix("export {"), line.hasSuffix("};") {
          exported += line.dropFirst("export {".count).dropLast(2).split(separator: ",").map { $0.trimmingSpaces }
        } else if line.hasPrefix("export ") {
          let declaration = line.dropFirst("export ".count)
          exported.append(try Self.declaredName(declaration, of: path))
          body.append(declaration)
        } else {
          let isDeclaration = line.hasPrefix("const ") || line.hasPrefix("let ")
          guard !line.hasPrefix("await "), !(isDeclaration && line.contains("= await ")) else {
            throw BundleError(path: path, reason: "only the first module may use top-level await")
          }
          body.append(line)
        }
      }
      let name = "module_" + String(path.map { $0.isLetter || $0.isNumber ? $0 : "_" })
      names[path] = name
      paths.append(path)
      var source = ["// \(path)"]
      if !isEntry { source.append("const \(name) = (() => {") }
      source += head
      source.append(body.joined(separator: "\n"))
      if !isEntry { source.append("return { \(exported.joined(separator: ", ")) };\n})();") }
      sources.append(source.joined(separator: "\n"))
      return name
    }

    /// Returns the pattern that an import binds, as of a declaration, and the path of its module.
    private static func importParts(_ statement: String, of path: String) throws -> (pattern: String, target: String) {
      let wrong = BundleError(path: path, reason: "imports something other than names: \(statement)")
      let clause = statement.dropFirst("import ".count)
      // No name that is bound here contains the word.
      guard let end = clause.ranges(of: " from ").last else { throw wrong }
      let bindings = clause[..<end.lowerBound].trimmingSpaces
      let specifier = clause[end.upperBound...].trimmingSpaces
      guard specifier.hasPrefix("\"."), specifier.hasSuffix("\";") else { throw wrong }
      let target = try resolved(specifier.dropFirst().dropLast(2), from: path)
      // A namespace is the object that the module's function returns.
      if bindings.hasPrefix("* as ") { return (String(bindings.dropFirst("* as ".count)), target) }
      guard bindings.first == "{", bindings.last == "}" else { throw wrong }
      let names = bindings.dropFirst().dropLast().split(separator: ",").map {
        let words = $0.split(separator: " ")
        return words.count == 3 && words[1] == "as" ? "\(words[0]): \(words[2])" : String($0.trimmingSpaces)
      }
      return ("{ \(names.filter { !$0.isEmpty }.joined(separator: ", ")) }", target)
    }

    /// Returns the path that a relative specifier names.
    private static func resolved(_ specifier: Substring, from path: String) throws -> String {
      var parts = path.split(separator: "/").dropLast()
      for part in specifier.split(separator: "/") {
        switch part {
        case ".": continue
        case "..":
          guard parts.popLast() != nil else { throw BundleError(path: path, reason: "imports \(specifier)") }
        default: parts.append(part)
        }
      }
      return parts.joined(separator: "/")
    }

    private static func declaredName(_ declaration: Substring, of path: String) throws -> Substring {
      var words = declaration.split(separator: " ")[...]
      if words.first == "async" { words.removeFirst() }
      guard let kind = words.popFirst(), ["function", "function*", "class", "const"].contains(kind),
        let name = words.first?.prefix(while: { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }), !name.isEmpty
      else { throw BundleError(path: path, reason: "exports something other than a declaration: \(declaration)") }
      return name
    }
  }
}

/// Reason why a file of the client cannot be part of a bundle.
struct BundleError: Error, Hashable, CustomStringConvertible {
  let path: String
  let reason: String

  var description: String { "\(path) \(reason)" }
}

extension Substring {
  fileprivate var trimmingSpaces: Substring {
    var text = self
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return text
  }
}
