import MienCore
import MienRecordings

func seeds() -> [[UInt8]] {
  let frame = DepthFrame(
    width: 4, height: 3, samples: [UInt16](repeating: 3000, count: 12), micrometersPerStep: 100,
    intrinsics: PinholeIntrinsics(fx: 500, fy: 500, cx: 2, cy: 1.5),
    face: FaceBox(x: 0.25, y: 0.25, width: 0.5, height: 0.5), at: MonotonicInstant(nanoseconds: 1))
  guard let frame else { fatalError("the seed is a good frame") }
  return [DepthFrameCodec.write([frame]), DepthFrameCodec.write([frame, frame])]
}

func fuzz(_ bytes: [UInt8]) {
  do throws(RecordingError) {
    let frames = try DepthFrameCodec.read(ContiguousArray(bytes))
    promise(DepthFrameCodec.write(frames) == bytes, "frames are written as they were read")
  } catch {
    promise(error.byte >= 0 && error.byte <= bytes.count, "an error lies within the body")
  }
}
