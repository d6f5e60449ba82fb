extension ViewError {
  /// The notices for a trouble, the most particular first; a table takes the first that it has words for.
  ///
  /// - Parameter place: the part of the app that tells it: `messages` has words of its own for some.
  public func notices(in place: String? = nil) -> [ViewNotice] {
    var keys: [String] = []
    if let place { keys += ["\(place).trouble.\(code)", "\(place).problem.\(code)"] }
    keys += ["app.trouble.\(code)", "trouble.\(code)", "problem.\(code)"]
    // What every part of the app has in common stands with the messages, which came first.
    if place != "messages" { keys.append("messages.trouble.\(code)") }
    return (keys + ["problem.unknown"]).map { ViewNotice($0) }
  }
}
