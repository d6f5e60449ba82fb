public import MienPlatform

extension ServiceError {
  /// The final step, for ``Code/checkOver``.
  public var step: CheckStep? { detail as? CheckStep }
}
