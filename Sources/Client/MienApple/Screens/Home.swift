#if canImport(ARKit) && canImport(UIKit)
  public import Foundation
  internal import MienClient
  internal import MienViewModels
  public import Observation
  public import SwiftUI
  internal import UIKit

  /// Composition root of the app: creates all view models and their dependencies.
  @MainActor @Observable public final class Home {
    @ObservationIgnored public let localizer: Localizer
    @ObservationIgnored public let performer: EffectPerformer
    @ObservationIgnored let front = FrontCamera()
    @ObservationIgnored let rear = DepthCamera()
    @ObservationIgnored let scanner: ARKitScanner
    @ObservationIgnored let tracker = FaceTracker()
    @ObservationIgnored let recorder: TrackingRecorder
    @ObservationIgnored let folder: URL
    @ObservationIgnored let server: URL
    @ObservationIgnored let owner: BackgroundUploader
    let check: CheckViewModel
    let encode: EncodeViewModel
    let decode: DecodeViewModel
    let photo: PhotoViewModel
    let scan: ScanViewModel
    let profile: ProfileViewModel

    /// - Parameters:
    ///   - server: default server, used unless the user has chosen another one.
    ///   - folder: the app's folder, created if it does not exist.
    ///   - clock: returns milliseconds since 1970.
    /// - Throws: an error if the folder cannot be created.
    public init(server: URL, folder: URL, localizer: Localizer, clock: @escaping @Sendable () -> Int64) throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let store = FolderStore(folder.appendingPathComponent("settings"))
      let profile = ProfileViewModel(store: store)
      let chosen = profile.settings.server.flatMap { URL(string: $0) }
      let server = chosen?.scheme == "https" || chosen?.scheme == "http" ? chosen ?? server : server
      let network = FlowNetwork(server: server)
      let performer = EffectPerformer(localizer: localizer)
      performer.readsAloud = { profile.settings.readsAloud }
      let effects = performer.effects
      let queue = try UploadQueue(folder: folder.appendingPathComponent("uploads"), server: server)
      let client = CaptureClient(server: server)
      let key = EnclaveKey(device: "phone-\(UUID().uuidString)", store: store)
      let registrar = DeviceRegistration(
        key: key, attestor: AppAttest.isSupported ? AppAttest(store: store) : nil, client: client)
      self.localizer = localizer
      self.performer = performer
      self.profile = profile
      self.folder = folder
      self.server = server
      owner = BackgroundUploader(queue: queue, network: network)
      scanner = ARKitScanner(folder: folder)
      recorder = TrackingRecorder(file: folder.appendingPathComponent("tracking.jsonl")) { [tracker] in tracker.run() }
      check = CheckViewModel(
        network: network, camera: front, effects: effects, options: LivenessOptions(allowAudio: true),
        session: .asked { _ in try await client.demonstration() })
      encode = EncodeViewModel(network: network, camera: front, effects: effects, profile: profile, store: store)
      decode = DecodeViewModel(network: network, camera: front, effects: effects, profile: profile)
      photo = PhotoViewModel(
        capture: DevicePhotoCapture(
          camera: rear, key: key, registrar: registrar, client: client, folder: folder, clock: clock),
        network: network, effects: effects)
      scan = ScanViewModel(
        capture: scanner, queue: queue, network: network, effects: effects, store: store, folder: folder)
    }

    /// Starts background uploads. Call it before the app has finished launching.
    public func start() { owner.start() }
  }

  /// Tab view with three tabs; the third one leads to the scan, and each one to the profile.
  public struct HomeView: View {
    private let home: Home
    @State private var isEncoding = true
    @Environment(\.scenePhase) private var phase

    public init(home: Home) {
      self.home = home
    }

    public var body: some View {
      TabView {
        page {
          CheckScreen(flow: home.check, camera: home.front).navigationTitle(home.localizer("element.label"))
        }
        .tabItem { Label(home.localizer("element.label"), systemImage: "person.crop.circle.badge.checkmark") }
        page { messages.navigationTitle(home.localizer("messages.tabs")) }
          .tabItem { Label(home.localizer("messages.tabs"), systemImage: "lock.circle") }
        page {
          PhotoScreen(flow: home.photo, camera: home.rear, folder: home.folder, server: home.server)
            .navigationTitle(home.localizer("verify.part.photo"))
            .toolbar {
              NavigationLink(home.localizer("scan.tabs")) {
                ScanScreen(flow: home.scan, scanner: home.scanner, folder: home.folder)
                  .navigationTitle(home.localizer("scan.tabs"))
              }
              .accessibilityIdentifier("home.scan")
            }
        }
        .tabItem { Label(home.localizer("verify.part.photo"), systemImage: "camera.circle") }
      }
      .environment(\.localizer, home.localizer)
      .environment(\.layoutDirection, home.localizer.isRightToLeft ? .rightToLeft : .leftToRight)
      .onChange(of: phase) { _, phase in
        if phase == .background { home.owner.left() }
        if phase == .active { home.owner.proceed() }
      }
    }

    private var messages: some View {
      VStack {
        Picker(home.localizer("messages.tabs"), selection: $isEncoding) {
          Text(home.localizer("messages.tab.encode")).tag(true)
          Text(home.localizer("messages.tab.decode")).tag(false)
        }
        .pickerStyle(.segmented).padding(.horizontal).accessibilityIdentifier("home.messages")
        if isEncoding {
          EncodeScreen(flow: home.encode, camera: home.front)
        } else {
          DecodeScreen(flow: home.decode, camera: home.front)
        }
      }
    }

    private func page(@ViewBuilder _ content: () -> some View) -> some View {
      NavigationStack {
        content()
          .toolbar {
            NavigationLink(home.localizer("messages.tab.profile")) { ProfileScreen(home: home, flow: home.profile) }
              .accessibilityIdentifier("home.profile")
          }
      }
    }
  }
#endif
