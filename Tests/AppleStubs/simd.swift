public typealias simd_float2 = SIMD2<Float>
public typealias simd_float3 = SIMD3<Float>
public typealias simd_float4 = SIMD4<Float>

public struct simd_float3x3: Sendable {
  public var columns: (simd_float3, simd_float3, simd_float3)
}

public struct simd_float4x4: Sendable {
  public var columns: (simd_float4, simd_float4, simd_float4, simd_float4)
  public static func * (left: simd_float4x4, right: simd_float4) -> simd_float4 { fatalError() }
}
