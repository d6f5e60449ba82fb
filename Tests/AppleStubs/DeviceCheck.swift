public import Foundation

public struct DCError: Error {
  public enum Code: Int, Sendable {
    case unknownSystemFailure, featureUnsupported, invalidInput, invalidKey, serverUnavailable
  }
  public var code: Code { fatalError() }
}

public final class DCAppAttestService: NSObject {
  public class var shared: DCAppAttestService { fatalError() }
  override private init() {}
  public var isSupported: Bool { fatalError() }
  public func generateKey(completionHandler: @escaping @Sendable (String?, (any Error)?) -> Void) {}
  public func attestKey(
    _ key: String, clientDataHash: Data, completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) {}
  public func generateAssertion(
    _ key: String, clientDataHash: Data, completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) {}
}
