#if canImport(ARKit) && canImport(UIKit)
  public import Foundation
  internal import MienAPI
  internal import MienClient
  internal import MienViewModels
  public import Observation
  public import SwiftUI
  internal import UIKit

  /// Composition root of the app: creates all view models and their dependencies.
  @MainActor @Observable public final class Home {
    @ObservationIgnored public let localizer: Localizer
    @ObservationIgnored public let performer: EffectPerformer
    @ObservationIgnored let face = FaceCamera.best()
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
    let account: AccountViewModel
    let enrollment: EnrollmentViewModel
    /// Tab that is shown.
    var tab = Tab.check
    var showsScan = false
    var isEncoding = true
    /// Error of the last link, shown until the next one.
    private(set) var linkProblem: ViewError?
    @ObservationIgnored private let uploadCredentials: APICredentials
    @ObservationIgnored private let uploads: BackgroundTransport?

    /// Tabs of the app.
    enum Tab: Hashable { case check, messages, photo }

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
      let credentials = APICredentials()
      let network = FlowNetwork(server: server, credentials: credentials)
      let performer = EffectPerformer(localizer: localizer)
      performer.readsAloud = { profile.settings.readsAloud }
      let effects = performer.effects
      // A link to a scan has the token of a check; all other uploads are those of the signed-in user.
      let uploadCredentials = APICredentials(fallback: credentials)
      let background = try? BackgroundTransport(folder: folder.appendingPathComponent("bodies"))
      let queue = try UploadQueue(
        folder: folder.appendingPathComponent("uploads"), server: server, credentials: uploadCredentials,
        transport: background ?? URLSessionTransport())
      let client = CaptureClient(server: server, credentials: credentials)
      let key = EnclaveKey(device: "phone-\(UUID().uuidString)", store: store)
      let registrar = DeviceRegistration(
        key: key, attestor: AppAttest.isSupported ? AppAttest(store: store) : nil, client: client)
      self.uploadCredentials = uploadCredentials
      uploads = background
      account = AccountViewModel(
        network: network, store: KeychainStore(service: Bundle.main.bundleIdentifier ?? "org.mien.app"))
      enrollment = EnrollmentViewModel(network: network, camera: face, effects: effects)
      self.localizer = localizer
      self.performer = performer
      self.profile = profile
      self.folder = folder
      self.server = server
      owner = BackgroundUploader(queue: queue, network: network)
      scanner = ARKitScanner(folder: folder)
      recorder = TrackingRecorder(file: folder.appendingPathComponent("tracking.jsonl")) { [tracker] in tracker.run() }
      check = CheckViewModel(
        network: network, camera: face, effects: effects, options: LivenessOptions(allowAudio: true),
        session: .asked { [face] _ in
          // Without a signed-in user, the server must allow checks to anybody.
          guard case .session = await credentials.current else { return try await client.demonstration() }
          let person = await profile.settings.person
          let check = try await AccountClient(server: server, credentials: credentials).createOnDevice(
            person: person, measuresDepth: face.measuresDepth)
          return CheckSession(id: check.id, token: check.token)
        })
      encode = EncodeViewModel(network: network, camera: face, effects: effects, profile: profile, store: store)
      decode = DecodeViewModel(network: network, camera: face, effects: effects, profile: profile)
      photo = PhotoViewModel(
        capture: DevicePhotoCapture(
          camera: rear, key: key, registrar: registrar, client: client, folder: folder, clock: clock),
        network: network, effects: effects, store: store, analyzes: { profile.settings.analyzesPhotos })
      scan = ScanViewModel(
        capture: scanner, queue: queue, network: network, effects: effects, store: store, folder: folder)
    }

    /// Starts background uploads. Call it before the app has finished launching.
    public func start() { owner.start() }

    /// Opens the app's task of a universal link.
    public func open(_ link: URL) {
      linkProblem = nil
      do {
        switch try AppLink(link, server: server) {
        case .check(let session):
          tab = .check
          Task { await check.begin(session: session) }
        case .handOver(let id, let secret):
          tab = .check
          Task { await check.begin(id: id, secret: secret) }
        case .message(let number):
          (tab, isEncoding) = (.messages, false)
          decode.leave()
          Task { await decode.choose(text: number) }
        case .scan(let session):
          (tab, showsScan) = (.photo, true)
          uploadCredentials.current = .bearer(session.token)
        }
      } catch {
        linkProblem = error as? ViewError ?? .foreignLink
      }
    }

    /// Keeps the system's handler for the events of a background session.
    public func deliverUploads(then work: @escaping @MainActor @Sendable () -> Void) {
      if let uploads { uploads.deliver(then: work) } else { work() }
    }
  }

  /// Tab view with three tabs; the third one leads to the scan, and each one to the profile.
  public struct HomeView: View {
    @Bindable private var home: Home
    @Environment(\.scenePhase) private var phase

    public init(home: Home) {
      self.home = home
    }

    public var body: some View {
      TabView(selection: $home.tab) {
        page {
          VStack {
            if let problem = home.linkProblem { NoticePanel(notices: problem.notices()).padding(.horizontal) }
            CheckScreen(flow: home.check, camera: home.face)
          }
          .navigationTitle(home.localizer("element.label"))
        }
        .tabItem { Label(home.localizer("element.label"), systemImage: "person.crop.circle.badge.checkmark") }
        .tag(Home.Tab.check)
        page { messages.navigationTitle(home.localizer("messages.tabs")) }
          .tabItem { Label(home.localizer("messages.tabs"), systemImage: "lock.circle") }
          .tag(Home.Tab.messages)
        page {
          PhotoScreen(flow: home.photo, camera: home.rear, folder: home.folder, server: home.server)
            .navigationTitle(home.localizer("verify.part.photo"))
            .toolbar {
              Button(home.localizer("scan.tabs")) { home.showsScan = true }.accessibilityIdentifier("home.scan")
            }
            .navigationDestination(isPresented: $home.showsScan) {
              ScanScreen(flow: home.scan, scanner: home.scanner, folder: home.folder)
                .navigationTitle(home.localizer("scan.tabs"))
            }
        }
        .tabItem { Label(home.localizer("verify.part.photo"), systemImage: "camera.circle") }
        .tag(Home.Tab.photo)
      }
      .environment(\.localizer, home.localizer)
      .environment(\.layoutDirection, home.localizer.isRightToLeft ? .rightToLeft : .leftToRight)
      .onOpenURL { home.open($0) }
      .onChange(of: phase) { _, phase in
        if phase == .background { home.owner.left() }
        if phase == .active { home.owner.proceed() }
      }
    }

    private var messages: some View {
      VStack {
        if !home.profile.settings.hasSeenTour {
          TourScreen(avatar: home.profile.settings.avatar) { home.profile.change { $0.hasSeenTour = true } }
        } else {
          tasks
        }
      }
    }

    @ViewBuilder private var tasks: some View {
      Picker(home.localizer("messages.tabs"), selection: $home.isEncoding) {
        Text(home.localizer("messages.tab.encode")).tag(true)
        Text(home.localizer("messages.tab.decode")).tag(false)
      }
      .pickerStyle(.segmented).padding(.horizontal).accessibilityIdentifier("home.messages")
      if home.isEncoding {
        EncodeScreen(flow: home.encode, camera: home.face)
      } else {
        DecodeScreen(flow: home.decode, camera: home.face)
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
