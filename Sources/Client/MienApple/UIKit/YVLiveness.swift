#if canImport(ARKit) && canImport(UIKit)
  internal import Foundation
  // Exported like by the vendor's module, whose apps import nothing else.
  @_exported public import MienClient
  @_exported public import UIKit

  /// Liveness check with the names of the vendor's SDK: existing apps change the import and the server's address.
  ///
  /// The address is ``server``, or the text `MienServer` in the app's `Info.plist`.
  ///
  /// ```swift
  /// yvLiveness.startSDK(tasks: [TaskProperties(task: .completeTheCircle(CompleteTheCircleTask(difficulty: .medium)))])
  /// let screen = YVLivenessViewController(sdk: yvLiveness)
  /// ```
  @MainActor public final class YVLiveness {
    /// Address of the server; `nil` for the one in `Info.plist`.
    public static var server: LivenessServer?

    /// The check, for ``LivenessViewController``.
    public private(set) var liveness: Liveness

    /// - Parameters:
    ///   - tasks: tasks to perform; `nil` for those of the backend. A session that the backend generated with other tasks
    ///     refuses them.
    ///   - sessionId: from the backend (`session/generate`).
    ///   - sessionToken: from the backend (`liveness/token`).
    public init(
      publicKey: String? = nil, sandboxEnvironment: Bool = true, tasks: [TaskProperties]? = nil,
      user: LivenessUser? = nil, branding: Branding? = nil, allowAudio: Bool = false,
      metadata: (any Sendable)? = nil, onClose: (@MainActor @Sendable () -> Void)? = nil,
      onSuccess: Liveness.Outcome? = nil, onFailure: Liveness.Outcome? = nil, sessionId: String, sessionToken: String
    ) {
      liveness = Liveness(
        server: Self.server ?? Self.configuredServer, publicKey: publicKey, sandboxEnvironment: sandboxEnvironment,
        tasks: tasks, user: user, branding: branding, allowAudio: allowAudio, metadata: metadata, onClose: onClose,
        onSuccess: onSuccess, onFailure: onFailure, sessionId: sessionId, sessionToken: sessionToken)
    }

    /// Sets the tasks of the check, which starts when its view controller appears.
    ///
    /// - Parameter tasks: replace those of the initializer; `nil` keeps them.
    public func startSDK(tasks: [TaskProperties]? = nil) {
      if let tasks { liveness.options.tasks = tasks }
    }

    private static var configuredServer: LivenessServer {
      guard let text = Bundle.main.object(forInfoDictionaryKey: "MienServer") as? String,
        let address = URL(string: text)
      else { preconditionFailure("Set the server's address: MienServer in Info.plist, or YVLiveness.server.") }
      return LivenessServer(address)
    }
  }
#endif
