internal import MienClient

/// The unfinished scan on disk, which survives the app.
extension ScanViewModel {
  func clear() async {
    let paths = photos.map(\.path) + (depth.map { [$0.path] } ?? [])
    (photos, depth, progress, note, job, goesWithoutDepth) = ([], nil, nil, nil, nil, false)
    (frames, fraction, subject, label, entry, dataBytes) = (0, 0, nil, nil, nil, 0)
    try? memory.save("scan", ScanDraft?.none)
    await capture.discard(paths)
  }

  func keep() {
    guard !isRestoring else { return }
    var draft = ScanDraft()
    draft.photos = photos.map(ScanDraft.Photo.init)
    draft.depth = depth
    draft.isScanning = state == .scanning
    draft.subject = subject
    draft.label = label
    draft.job = job
    draft.entry = entry
    // A failed save only matters if the app is terminated.
    try? memory.save("scan", draft == ScanDraft() ? ScanDraft?.none : draft)
  }

  func restore() async {
    guard photos.isEmpty, depth == nil, job == nil, let draft: ScanDraft = memory.read("scan") else { return }
    isRestoring = true
    photos = Array(draft.photos.prefix(Self.photographs).map(\.taken))
    (depth, subject, label, entry) = (draft.depth, draft.subject, draft.label, draft.entry)
    isRestoring = false
    if draft.isScanning, depth == nil, let rescued = await capture.rescued() { take(rescued, isCut: true) }
    if let id = draft.job {
      guard let known = try? await queue.jobs().first(where: { $0.id == id }) else { return }
      job = id
      state = known.state == .done ? .done(known.scan ?? "") : .uploading
      if state == .uploading { await follow(id) }
    } else if !photos.isEmpty {
      note = note ?? LocalizedText("app.scan.resumed")
    }
  }
}
