#if canImport(ARKit) && canImport(UIKit)
  internal import Foundation
  internal import MienClient
  internal import MienViewModels
  internal import SwiftUI

  /// Frame around the face: green at a good distance, yellow otherwise.
  struct FaceBoxOverlay: View {
    let face: ScanFace?

    var body: some View {
      GeometryReader { space in
        if let face {
          RoundedRectangle(cornerRadius: 12)
            .stroke(face.isInRange == false ? Color.yellow : Color.green, lineWidth: 3)
            .frame(width: space.size.width * CGFloat(face.box.z), height: space.size.height * CGFloat(face.box.w))
            .position(
              CGPoint(
                x: space.size.width * CGFloat(face.box.x + face.box.z / 2),
                y: space.size.height * CGFloat(face.box.y + face.box.w / 2)))
        }
      }
      // Left stays left in right-to-left languages.
      .environment(\.layoutDirection, .leftToRight)
    }
  }

  /// Picture that moves so that the face stays in its middle; at once for people who prefer less motion.
  struct CenteredPicture<Content: View>: View {
    let centering: ScanFace.Centering
    @ViewBuilder let content: Content
    @Environment(\.accessibilityReduceMotion) private var isCalm

    var body: some View {
      GeometryReader { space in
        content
          .scaleEffect(x: CGFloat(centering.scale), y: CGFloat(centering.scale))
          .offset(
            x: space.size.width * CGFloat(centering.shift.x), y: space.size.height * CGFloat(centering.shift.y)
          )
          .animation(isCalm ? nil : .linear(duration: 0.4), value: centering)
      }
      // Left stays left in right-to-left languages.
      .environment(\.layoutDirection, .leftToRight)
    }
  }

  /// View of a scan in four steps: capture, review, upload, result.
  struct ScanScreen: View {
    let flow: ScanViewModel
    let scanner: ARKitScanner
    let folder: URL
    @State private var label = ""
    @State private var person = ""
    @State private var enlarged: CapturedPhoto?
    @State private var points: ScanPoints?
    @Environment(\.localizer) private var localizer
    @Environment(\.dismiss) private var dismiss

    var body: some View {
      ScrollView {
        VStack(spacing: 16) {
          if let instruction = flow.instruction {
            Text(localizer(instruction)).font(.title2).accessibilityIdentifier("scan.told")
          }
          if let note = flow.note { Text(localizer(note)).font(.footnote) }
          switch flow.state {
          case .idle: ProgressView()
          case .capturing, .photographing, .scanning: capture
          case .reviewing: review
          case .uploading: upload
          case .done:
            Button(localizer("scan.tab.new")) { Task { await flow.next() } }
              .buttonStyle(.borderedProminent).accessibilityIdentifier("scan.next")
          case .refused(let problem):
            NoticePanel(notices: ViewError(code: problem.code, recovery: .again).notices())
            Button(localizer("scan.back")) { Task { await flow.reconsider() } }.accessibilityIdentifier(
              "scan.reconsider")
          case .problem(let problem):
            ProblemPanel(problem: problem) {
              Task {
                await flow.proceed()
                // The recovery action was to leave.
                if flow.state == .idle { dismiss() }
              }
            }
          }
        }
        .padding()
      }
      .sheet(item: $enlarged) { photo in
        TakenPicture(file: folder.appendingPathComponent(photo.path)).padding()
      }
      .task {
        await flow.begin()
        if flow.state == .capturing { scanner.show() }
      }
      .task { await flow.watchFaces() }
      .onChange(of: flow.state) { _, state in
        // The points of the last scan, read beside the main thread.
        guard state == .reviewing, let depth = flow.depth else { return points = nil }
        let file = folder.appendingPathComponent(depth.path)
        Task {
          points = await Task.detached { ScanPoints(file) }.value
        }
      }
      .onDisappear {
        Task {
          if flow.state == .scanning { await flow.stop() }
          scanner.hide()
        }
      }
    }

    private var capture: some View {
      AdaptiveStack {
        CameraBox(height: 420) {
          CenteredPicture(centering: flow.face?.centering ?? .none) {
            ZStack {
              RoomPreview(session: scanner.session)
              FaceBoxOverlay(face: flow.face)
            }
          }
        }
        .accessibilityHidden(true)
        VStack(spacing: 16) { controls }.readableWidth()
      }
    }

    @ViewBuilder private var controls: some View {
      if let advice = flow.distanceAdvice {
        Label(localizer(advice), systemImage: "ruler").accessibilityIdentifier("scan.distance")
          .accessibilityAddTraits(.updatesFrequently)
      }
      photos
      if flow.state == .scanning {
        ProgressView(value: flow.fraction).accessibilityIdentifier("scan.fraction")
        if let guidance = flow.guidance {
          if let advice = guidance.advice {
            Label(localizer(advice), systemImage: guidance.isEnough ? "checkmark.circle" : "arrow.left.and.right")
              .font(.headline).accessibilityIdentifier("scan.advice")
              .accessibilityAddTraits(.updatesFrequently)
          }
          sides(guidance)
        }
        if let preview = flow.preview {
          DepthPreviewImage(preview: preview).frame(height: 120).accessibilityLabel(localizer("scan.depth.map"))
        }
        Button(localizer("check.stop")) { Task { await flow.stop() } }
          .buttonStyle(.borderedProminent).accessibilityIdentifier("scan.stop")
      } else {
        Button(localizer("scan.shutter")) { Task { await flow.photograph() } }
          .disabled(!flow.mayPhotograph).accessibilityIdentifier("scan.photograph")
        Button(localizer("scan.depth")) { Task { await flow.scan() } }
          .disabled(!flow.mayScan).accessibilityIdentifier("scan.begin")
        Button(localizer("scan.review")) { flow.review() }
          .buttonStyle(.borderedProminent).disabled(!flow.mayReview).accessibilityIdentifier("scan.review")
        if flow.photos.isEmpty { workList }
      }
    }

    /// People to scan one after another.
    @ViewBuilder private var workList: some View {
      Text(localizer("app.scan.list.title")).font(.headline)
      if let problem = flow.workList.problem { NoticePanel(notices: problem.notices()) }
      ForEach(flow.workList.entries) { entry in
        HStack {
          Button(entry.label) { flow.choose(entry) }
            .disabled(entry.scan != nil).accessibilityIdentifier("scan.list-\(entry.id)")
          Spacer()
          if entry.scan != nil {
            Label(localizer("app.scan.list.done"), systemImage: "checkmark.circle")
          } else if flow.label == entry.label {
            Label(localizer("app.scan.list.next"), systemImage: "arrow.right.circle")
          }
          Button(localizer("scan.depth.clear"), role: .destructive) { flow.workList.remove(entry) }
            .font(.footnote).accessibilityIdentifier("scan.list-remove-\(entry.id)")
        }
      }
      TextField(localizer("scan.label"), text: $person).textFieldStyle(.roundedBorder)
        .accessibilityIdentifier("scan.list-name")
      Button(localizer("app.scan.list.add")) {
        flow.workList.add(person)
        person = ""
      }
      .disabled(person.isEmpty).accessibilityIdentifier("scan.list-add")
    }

    /// Coverage of each side.
    private func sides(_ guidance: ScanGuidance) -> some View {
      VStack {
        side("scan.side.left", guidance.left)
        side("scan.side.right", guidance.right)
        side("scan.side.top", guidance.top)
      }
    }

    private func side(_ key: String, _ share: Double) -> some View {
      HStack {
        Text(localizer(key)).font(.footnote).frame(width: 120)
        ProgressView(value: share).accessibilityLabel(localizer(key))
      }
    }

    private var photos: some View {
      HStack {
        ForEach(Array(flow.photos.enumerated()), id: \.element.id) { place, photo in
          VStack {
            Button {
              enlarged = photo
            } label: {
              TakenPicture(file: folder.appendingPathComponent(photo.path)).frame(height: 120)
            }
            .accessibilityLabel(localizer("app.scan.enlarge", ["number": "\(place + 1)"]))
            .accessibilityIdentifier("scan.enlarge-\(place + 1)")
            Button(localizer("scan.retake")) { Task { await flow.retake(photo) } }
              .font(.footnote).accessibilityIdentifier("scan.retake-\(place + 1)")
          }
        }
      }
    }

    private var review: some View {
      AdaptiveStack {
        VStack(spacing: 16) { captured }
        VStack(spacing: 16) { decision }.readableWidth()
      }
    }

    /// Captured photos and depth.
    @ViewBuilder private var captured: some View {
      Text(localizer("scan.review.lead"))
      photos
      Text("\(localizer("app.scan.size")): \(flow.dataBytes.formatted(.byteCount(style: .file)))")
        .accessibilityIdentifier("scan.size")
      if let points {
        SurfacePreview(points: points).frame(height: 280).clipShape(RoundedRectangle(cornerRadius: 24))
          .accessibilityLabel(localizer("scan.preview"))
      }
      if let depth = flow.depth {
        Label("\(localizer("scan.item.frames")): \(depth.frames)", systemImage: "cube.transparent")
        Button(localizer("scan.retake")) { Task { await flow.rescan() } }.accessibilityIdentifier("scan.rescan")
      } else {
        Text(localizer("scan.warn.depth"))
      }
    }

    @ViewBuilder private var decision: some View {
      TextField(localizer("scan.label"), text: $label).textFieldStyle(.roundedBorder).accessibilityIdentifier(
        "scan.label")
      Button(localizer("scan.upload")) {
        flow.label = label.isEmpty ? nil : label
        Task { await flow.upload() }
      }
      .buttonStyle(.borderedProminent).accessibilityIdentifier("scan.upload")
      .onAppear { label = flow.label ?? "" }
      Button(localizer("scan.drop"), role: .destructive) { Task { await flow.abandon() } }
        .accessibilityIdentifier("scan.drop")
    }

    @ViewBuilder private var upload: some View {
      ProgressView(value: flow.progress?.fraction ?? 0)
      if flow.progress?.phase == .paused || flow.progress?.phase == .waiting {
        Button(localizer("scan.go-on")) { Task { await flow.resume() } }.accessibilityIdentifier("scan.resume")
      } else {
        Button(localizer("scan.pause")) { Task { await flow.pause() } }.accessibilityIdentifier("scan.pause")
      }
    }
  }
#endif
