public import CoreVideo

public struct CMTime: Sendable {
  public var seconds: Double { fatalError() }
}

public class CMSampleBuffer {}

public func CMSampleBufferGetImageBuffer(_ buffer: CMSampleBuffer) -> CVImageBuffer? { fatalError() }
public func CMSampleBufferGetPresentationTimeStamp(_ buffer: CMSampleBuffer) -> CMTime { fatalError() }
