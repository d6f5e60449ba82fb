public import MienCodecs
public import MienImaging
import MienInference
public import MienModel

/// Sees one face in pictures: one worker's requests and buffers, used by one thread at a time.
public struct FaceEngine: ~Copyable {
  private let geometry: HeadGeometry
  private let settings: TrackingSettings
  private var decoder: PictureDecoder
  private var detector: FaceDetector
  private var mesh: FaceMesh
  private var blendshapes: BlendshapeEstimator
  private var frame = Frame()

  /// - Throws: ``TrackingFailure`` when a decoder or a model cannot be used.
  public init(
    _ models: FaceModels, settings: TrackingSettings = TrackingSettings(), limits: PictureLimits = PictureLimits()
  ) throws(TrackingFailure) {
    // All parts first: what can throw must not leave an engine that is half made.
    let decoder = try attempt { () throws(PictureError) in try PictureDecoder(limits: limits) }
    let detector = try attempt { () throws(InferenceError) in try FaceDetector(models.detector) }
    let mesh = try attempt { () throws(InferenceError) in try FaceMesh(models.mesh) }
    let blendshapes = try attempt { () throws(InferenceError) in try BlendshapeEstimator(models.blendshapes) }
    geometry = models.geometry
    self.settings = settings
    self.decoder = decoder
    self.detector = detector
    self.mesh = mesh
    self.blendshapes = blendshapes
  }

  /// Decodes a picture and looks for the face that `track` follows, or for one when it follows none.
  ///
  /// - Parameter mostPixels: of the picture, where that is less than the engine's own limit; larger ones are refused by their header.
  /// - Throws: ``TrackingFailure``; `track` stays as it was then.
  public mutating func observe(
    _ picture: EncodedFrame, mostPixels: Int = .max, after track: inout FaceTrack
  ) throws(TrackingFailure) -> FaceObservation {
    decoder.mostPixels = mostPixels
    do throws(PictureError) { try decoder.decode(picture.bytes, into: &frame) } catch { throw .picture(error) }
    var next = track
    do throws(InferenceError) {
      let observation = try look(at: picture.at, &next)
      track = next
      return observation
    } catch {
      throw .inference(error)
    }
  }

  /// Looks at pixels instead of an encoded picture; otherwise like ``observe(_:after:)``.
  public mutating func observe(
    _ frame: Frame, at: Instant, after track: inout FaceTrack
  ) throws(TrackingFailure) -> FaceObservation {
    self.frame = frame
    var next = track
    do throws(InferenceError) {
      let observation = try look(at: at, &next)
      track = next
      return observation
    } catch {
      throw .inference(error)
    }
  }

  private mutating func look(at: Instant, _ track: inout FaceTrack) throws(InferenceError) -> FaceObservation {
    let size = SIMD2(frame.width, frame.height)
    if track.frameSize != size {  // the square is in pixels of the last frame
      track.square = nil
      track.frameSize = size
    }
    guard let seen = try find(&track) else {
      track.square = nil
      track.faceCount = 0
      track.smoother = nil
      return FaceObservation(
        at: at, frameWidth: size.x, frameHeight: size.y, brightness: brightness(of: nil), faceCount: 0, face: nil)
    }
    var face = try describe(seen)
    let brightness = brightness(of: face.box)
    let sharpness = sharpness(of: face.box)
    // Before smoothing, which follows the face a little late: these belong to the pixels.
    let tones = frame.tones(at: face.landmarks)
    if case .oneEuro(let strengths) = settings.smoothing {
      if track.smoother == nil { track.smoother = FaceSmoother(face, at: at) }
      track.smoother?.smooth(&face, at: at, strengths)
    }
    return FaceObservation(
      at: at, frameWidth: size.x, frameHeight: size.y, brightness: brightness, sharpness: sharpness,
      faceCount: track.faceCount, face: face, tones: tones, fingerprint: frame.fingerprint)
  }

  /// The face to follow with its mesh, or nil when no face is seen. Brings the track's square and count up to date.
  private mutating func find(_ track: inout FaceTrack) throws(InferenceError) -> Seen? {
    track.framesSinceDetection += 1
    let interval =
      track.faceCount > 1 ? settings.framesBetweenDetectionsOfSeveral : settings.framesBetweenDetections
    var detections: [Detection]?
    if track.square == nil || track.framesSinceDetection >= interval {
      detections = try detector.faces(in: frame, settings)
    }
    var seen: Seen?
    if let square = track.square, agrees(detections, with: square) { seen = try look(square) }
    if seen == nil {
      // Nothing is followed, or it was lost in this very frame: the detector says where to start again.
      if detections == nil { detections = try detector.faces(in: frame, settings) }
      let found = detections ?? []
      for detection in order(found, near: track.square).prefix(settings.mostFacesLookedAt) where seen == nil {
        if let square = detection.square { seen = try look(square) }
      }
      track.smoother = nil
    }
    guard let seen else { return nil }
    if let detections {
      track.faceCount = 1 + (try others(detections, than: seen))
      track.framesSinceDetection = 0
    }
    track.square = seen.next
    return seen
  }

  /// False when the detector sees faces, but none where the followed one is thought to be.
  private func agrees(_ detections: [Detection]?, with square: RotatedSquare) -> Bool {
    guard let detections, !detections.isEmpty else { return true }
    return detections.contains { detection in
      let way = detection.centre - square.centre
      return (way * way).sum().squareRoot() < max(square.side / 1.5, detection.side) / 2
    }
  }

  /// The nearest to the followed face first, or the largest first when none is followed.
  private func order(_ detections: [Detection], near square: RotatedSquare?) -> [Detection] {
    guard let square else { return detections.sorted { $0.area > $1.area } }
    func distance(_ detection: Detection) -> Float {
      let way = detection.centre - square.centre
      return (way * way).sum()
    }
    return detections.sorted { distance($0) < distance($1) }
  }

  /// How many of the detector's answers are faces other than the one that is followed, asking the mesh model too.
  private mutating func others(_ detections: [Detection], than seen: Seen) throws(InferenceError) -> Int {
    var count = 0
    let elsewhere = detections.filter { detection in
      let way = detection.centre - seen.centre
      return (way * way).sum().squareRoot() > max(seen.side, detection.side) / 2
    }
    for detection in elsewhere.prefix(settings.mostFacesLookedAt) {
      if let square = detection.square, try mesh.presence(at: square, in: frame) >= settings.presence { count += 1 }
    }
    return count
  }

  private mutating func look(_ square: RotatedSquare) throws(InferenceError) -> Seen? {
    let answer = try mesh.look(at: square, in: frame)
    guard answer.presence >= settings.presence else { return nil }
    return Seen(answer)
  }

  /// Everything that is told of a face.
  private mutating func describe(_ seen: Seen) throws(InferenceError) -> ObservedFace {
    let (width, height) = (Float(frame.width), Float(frame.height))
    let points = seen.answer.points.map { SIMD3($0.x / width, $0.y / height, $0.z / width) }
    var coefficients = try blendshapes.estimate(seen.answer.points)
    coefficients[.tongueOut] = settings.tongue.tongueOut(
      score: seen.answer.tongue, jawOpen: coefficients[.jawOpen], points: seen.answer.points)
    guard let landmarks = Landmarks(points), let presence = Score(Double(seen.answer.presence)),
      let pose = geometry.pose(points, width: frame.width, height: frame.height)
    else {
      throw InferenceError(.inferenceFailed, name: CanonicalFace.fileName, reason: "the landmarks make no face")
    }
    let box = FaceBox(
      x: seen.first.x / width, y: seen.first.y / height, width: (seen.last.x - seen.first.x) / width,
      height: (seen.last.y - seen.first.y) / height)
    return ObservedFace(box: box, presence: presence, pose: pose, blendshapes: coefficients, landmarks: landmarks)
  }

  private func sharpness(of box: FaceBox) -> Float? {
    let (width, height) = (Float(frame.width), Float(frame.height))
    return frame.sharpness(
      x: box.x * width..<(box.x + box.width) * width, y: box.y * height..<(box.y + box.height) * height)
  }

  /// Mean luma of a face's box, or of the whole picture.
  private func brightness(of box: FaceBox?) -> Float {
    let (width, height) = (Float(frame.width), Float(frame.height))
    let part = box.flatMap { box in
      frame.meanLuma(
        x: box.x * width..<(box.x + box.width) * width, y: box.y * height..<(box.y + box.height) * height)
    }
    // A decoded picture has pixels, so there is a mean.
    guard let mean = part ?? frame.meanLuma else { preconditionFailure("a decoded picture holds no pixels") }
    return mean
  }
}

/// A face that the mesh model is sure of, and where to look for it next.
private struct Seen {
  let answer: FaceMesh.Answer
  /// Corners of the box around all points, in pixels.
  let first: SIMD2<Float>
  let last: SIMD2<Float>
  let next: RotatedSquare

  /// nil when the points make no face.
  init?(_ answer: FaceMesh.Answer) {
    self.answer = answer
    var (first, last) = (SIMD2(repeating: Float.infinity), SIMD2(repeating: -Float.infinity))
    for point in answer.points {
      first = pointwiseMin(first, SIMD2(point.x, point.y))
      last = pointwiseMax(last, SIMD2(point.x, point.y))
    }
    self.first = first
    self.last = last
    // The outer corners of the eyes, the subject's right one first.
    let eyes = answer.points[263] - answer.points[33]
    guard let next = RotatedSquare.aroundFace(first: first, last: last, eyes: SIMD2(eyes.x, eyes.y)) else { return nil }
    self.next = next
  }

  var centre: SIMD2<Float> { (first + last) / 2 }
  var side: Float { (last - first).max() }
}

private func attempt<Value: ~Copyable>(_ body: () throws(PictureError) -> Value) throws(TrackingFailure) -> Value {
  do throws(PictureError) { return try body() } catch { throw .picture(error) }
}

private func attempt<Value: ~Copyable>(_ body: () throws(InferenceError) -> Value) throws(TrackingFailure) -> Value {
  do throws(InferenceError) { return try body() } catch { throw .inference(error) }
}
