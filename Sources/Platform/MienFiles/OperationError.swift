/// Error that ends an operation, with a message for the operator.
package struct OperationError: Error, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}
