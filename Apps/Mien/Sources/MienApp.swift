import Foundation
import MienKit
import SwiftUI
import UIKit

/// App with three tabs: liveness check, messages, photos and scans.
@main struct MienApp: App {
  @UIApplicationDelegateAdaptor private var launch: Launch

  var body: some Scene {
    WindowGroup {
      if let home = launch.home {
        HomeView(home: home)
      } else {
        // Nothing can be stored without the app's folder, so that no feature is offered.
        Text(launch.localizer("app.trouble.low-storage.text"))
      }
    }
  }
}

/// Creates the app model at launch, before the system starts background tasks.
@MainActor final class Launch: NSObject, UIApplicationDelegate {
  let localizer = Localizer.main
  let home: Home?

  override init() {
    let folder = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
      .first?.appendingPathComponent("Mien")
    let setting = Bundle.main.object(forInfoDictionaryKey: "MienServer") as? String
    if let folder, let server = setting.flatMap({ URL(string: $0) }) {
      // The app's only use of the wall clock; the server records it as the sender's claim.
      home = try? Home(server: server, folder: folder, localizer: localizer) {
        Int64(Date().timeIntervalSince1970 * 1000)
      }
    } else {
      home = nil
    }
    super.init()
  }

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    home?.start()
    return true
  }

  /// Called when uploads of a background session ended while the app did not run.
  func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) {
    let handler = CompletionHandler(work: completionHandler)
    guard let home else { return completionHandler() }
    home.deliverUploads { handler.work() }
  }
}

/// Handler of the system, which is called on the main thread only.
@MainActor private struct CompletionHandler {
  let work: () -> Void
}
