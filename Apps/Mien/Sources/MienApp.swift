import Foundation
import MienApple
import SwiftUI
import UIKit

/// Three tabs: a check, messages, photographs with the scan behind them.
@main struct MienApp: App {
  @UIApplicationDelegateAdaptor private var launch: Launch

  var body: some Scene {
    WindowGroup {
      if let home = launch.home {
        HomeTabs(home: home).onAppear { home.performer.presenter = Launch.window?.rootViewController }
      } else {
        // Without a folder of its own there is nothing that the app could keep, and nothing that it should begin.
        Text(launch.localizer("app.trouble.low-storage.text"))
      }
    }
  }
}

/// Puts the app together when it is launched, before the system hands it background time.
@MainActor final class Launch: NSObject, UIApplicationDelegate {
  let localizer = Localizer.main
  let home: Home?

  override init() {
    let folder = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
      .first?.appendingPathComponent("Mien")
    let told = Bundle.main.object(forInfoDictionaryKey: "MienServer") as? String
    if let folder, let server = told.flatMap({ URL(string: $0) }) {
      // The one place of the app that looks at the wall clock: a server takes it as the sender's word.
      home = try? Home(server: server, folder: folder, localizer: localizer) { Int64(Date().timeIntervalSince1970 * 1000) }
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

  /// The window in front, for what UIKit has to show.
  static var window: UIWindow? {
    UIApplication.shared.connectedScenes.compactMap { ($0 as? UIWindowScene)?.keyWindow }.first
  }
}
