extension ViewError {
  /// Returns the notices for an error, most specific first; the table uses the first one that it has a text for.
  ///
  /// - Parameter place: part of the app that shows the error. `messages` has separate texts for some errors.
  public func notices(in place: String? = nil) -> [ViewNotice] {
    var keys: [String] = []
    if let place { keys += ["\(place).trouble.\(code)", "\(place).problem.\(code)"] }
    keys += ["app.trouble.\(code)", "trouble.\(code)", "problem.\(code)"]
    // Texts shared by all parts of the app are stored with those of the messages for historical reasons.
    if place != "messages" { keys.append("messages.trouble.\(code)") }
    return (keys + ["problem.unknown"]).map { ViewNotice($0) }
  }
}
