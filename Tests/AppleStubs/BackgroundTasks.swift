public import Foundation

open class BGTask: NSObject {
  public var expirationHandler: (() -> Void)?
  public func setTaskCompleted(success: Bool) {}
}

open class BGTaskRequest: NSObject {}
public final class BGProcessingTaskRequest: BGTaskRequest {
  public init(identifier: String) {}
  public var requiresNetworkConnectivity = false
}

public final class BGTaskScheduler: NSObject {
  public static var shared: BGTaskScheduler { fatalError() }
  override private init() {}
  @discardableResult public func register(
    forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
    launchHandler: @escaping (BGTask) -> Void
  ) -> Bool { fatalError() }
  public func submit(_ request: BGTaskRequest) throws {}
}
