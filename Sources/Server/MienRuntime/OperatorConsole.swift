/// Output of the server and of maintenance operations to the person who started them.
package protocol OperatorConsole: Sendable {
  /// Writes a line of results.
  ///
  /// - Throws: ``OperationError`` if it cannot be written.
  func write(_ line: String) throws
  /// Writes a line of diagnostics; errors are ignored.
  func note(_ line: String)
}
