#if canImport(ARKit) && canImport(UIKit)
  public import Foundation
  internal import MienClient
  internal import MienFlows
  public import Observation
  public import SwiftUI
  internal import UIKit

  /// All that an app consists of, put together once.
  @MainActor @Observable public final class Home {
    @ObservationIgnored public let pen: Pen
    @ObservationIgnored public let performer: PhonePerformer
    @ObservationIgnored let front = FrontCamera()
    @ObservationIgnored let rear = DepthCamera()
    @ObservationIgnored let scanner: RoomScanner
    @ObservationIgnored let tracker = FaceTracker()
    @ObservationIgnored let recorder: TrackingRecorder
    @ObservationIgnored let folder: URL
    @ObservationIgnored let server: URL
    @ObservationIgnored let keeper: UploadKeeper
    let check: CheckFlow
    let encode: EncodeFlow
    let decode: DecodeFlow
    let photo: PhotoFlow
    let scan: ScanFlow
    let profile: ProfileFlow

    /// - Parameters:
    ///   - server: where the app asks when the person has chosen no server.
    ///   - folder: the app's own; is made when it is not there.
    ///   - clock: milliseconds since 1970.
    /// - Throws: when the folder cannot be made.
    public init(server: URL, folder: URL, pen: Pen, clock: @escaping @Sendable () -> Int64) throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let store = FolderStore(folder.appendingPathComponent("settings"))
      let profile = ProfileFlow(store: store)
      let chosen = profile.settings.server.flatMap { URL(string: $0) }
      let server = chosen?.scheme == "https" || chosen?.scheme == "http" ? chosen ?? server : server
      let network = FlowNetwork(server: server)
      let performer = PhonePerformer(pen: pen)
      performer.readsAloud = { profile.settings.readsAloud }
      let stage = performer.stage
      let queue = try UploadQueue(folder: folder.appendingPathComponent("uploads"), server: server)
      let desk = CaptureDesk(server: server)
      let key = EnclaveKey(device: "phone-\(UUID().uuidString)", store: store)
      let registrar = DeviceRegistrar(
        key: key, attestor: AppAttest.isSupported ? AppAttest(store: store) : nil, desk: desk)
      self.pen = pen
      self.performer = performer
      self.profile = profile
      self.folder = folder
      self.server = server
      keeper = UploadKeeper(queue: queue, network: network)
      scanner = RoomScanner(folder: folder)
      recorder = TrackingRecorder(file: folder.appendingPathComponent("tracking.jsonl")) { [tracker] in tracker.run() }
      check = CheckFlow(
        network: network, camera: front, stage: stage, options: LivenessOptions(allowAudio: true),
        session: .asked { _ in try await desk.demonstration() })
      encode = EncodeFlow(network: network, camera: front, stage: stage, profile: profile, store: store)
      decode = DecodeFlow(network: network, camera: front, stage: stage, profile: profile)
      photo = PhotoFlow(
        studio: PhonePhotoStudio(
          camera: rear, key: key, registrar: registrar, desk: desk, folder: folder, clock: clock),
        network: network, stage: stage)
      scan = ScanFlow(studio: scanner, queue: queue, network: network, stage: stage, store: store, folder: folder)
    }

    /// Call it before the app has finished launching.
    public func start() { keeper.start() }
  }

  /// Three tabs, the scan behind the third, the profile behind each.
  public struct HomeTabs: View {
    private let home: Home
    @State private var isEncoding = true
    @Environment(\.scenePhase) private var phase

    public init(home: Home) {
      self.home = home
    }

    public var body: some View {
      TabView {
        page {
          CheckScreen(flow: home.check, camera: home.front).navigationTitle(home.pen("element.label"))
        }
        .tabItem { Label(home.pen("element.label"), systemImage: "person.crop.circle.badge.checkmark") }
        page { messages.navigationTitle(home.pen("messages.tabs")) }
          .tabItem { Label(home.pen("messages.tabs"), systemImage: "lock.circle") }
        page {
          PhotoScreen(flow: home.photo, camera: home.rear, folder: home.folder, server: home.server)
            .navigationTitle(home.pen("verify.part.photo"))
            .toolbar {
              NavigationLink(home.pen("scan.tabs")) {
                ScanScreen(flow: home.scan, scanner: home.scanner, folder: home.folder)
                  .navigationTitle(home.pen("scan.tabs"))
              }
              .accessibilityIdentifier("home.scan")
            }
        }
        .tabItem { Label(home.pen("verify.part.photo"), systemImage: "camera.circle") }
      }
      .environment(\.pen, home.pen)
      .environment(\.layoutDirection, home.pen.isRightToLeft ? .rightToLeft : .leftToRight)
      .onChange(of: phase) { _, phase in
        if phase == .background { home.keeper.left() }
        if phase == .active { home.keeper.goOn() }
      }
    }

    private var messages: some View {
      VStack {
        Picker(home.pen("messages.tabs"), selection: $isEncoding) {
          Text(home.pen("messages.tab.encode")).tag(true)
          Text(home.pen("messages.tab.decode")).tag(false)
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
            NavigationLink(home.pen("messages.tab.profile")) { ProfileScreen(home: home, flow: home.profile) }
              .accessibilityIdentifier("home.profile")
          }
      }
    }
  }
#endif
