// swift-tools-version: 6.3
// Programs that measure. A package of their own, so that no app and no test builds them. See README.md.
import PackageDescription

let base: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let parts = Context.environment["MIEN_PARTS"] ?? "\(Context.packageDirectory)/../.mien"

let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "mien", path: ".."),
    .package(url: "https://github.com/apple/swift-numerics", exact: "1.1.1"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
  ],
  targets: [
    .target(name: "CAllocationCount", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .executableTarget(
      name: "HeadTurnBenchmark", dependencies: [.product(name: "MienEngine", package: "mien"), "CAllocationCount"],
      swiftSettings: base, linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    .executableTarget(
      name: "LightSimulation",
      dependencies: [
        .product(name: "MienEngine", package: "mien"), .product(name: "RealModule", package: "swift-numerics"),
      ], swiftSettings: base, linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    .executableTarget(
      name: "ExpressionBenchmark", dependencies: [.product(name: "MienEngine", package: "mien"), "CAllocationCount"],
      swiftSettings: base),
    .executableTarget(
      name: "AvatarBenchmark",
      dependencies: [.product(name: "MienEngine", package: "mien"), .product(name: "MienTracking", package: "mien")],
      swiftSettings: base,
      linkerSettings: [.unsafeFlags(["-Xlinker", "-rpath", "-Xlinker", "\(parts)/openvino/libs"])]),
    .executableTarget(
      name: "ObservationBenchmark", dependencies: [.product(name: "MienEngine", package: "mien"), "CAllocationCount"],
      swiftSettings: base),
    .executableTarget(
      name: "FusionBenchmark",
      dependencies: [
        .product(name: "MienEngine", package: "mien"), .product(name: "RealModule", package: "swift-numerics"),
      ], swiftSettings: base,
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    .executableTarget(
      name: "ScanCodecBenchmark", dependencies: [.product(name: "MienEngine", package: "mien")], swiftSettings: base,
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    .executableTarget(
      name: "LoadGenerator", dependencies: [.product(name: "MienClient", package: "mien")], swiftSettings: base),
    .executableTarget(
      name: "BareServer",
      dependencies: [
        .product(name: "Hummingbird", package: "hummingbird"), .product(name: "NIOCore", package: "swift-nio"),
      ], swiftSettings: base),
    .executableTarget(
      name: "TrackingBenchmark",
      dependencies: [.product(name: "MienEngine", package: "mien"), .product(name: "MienTracking", package: "mien")],
      swiftSettings: base,
      linkerSettings: [.unsafeFlags(["-Xlinker", "-rpath", "-Xlinker", "\(parts)/openvino/libs"])]),
    .target(name: "CJPEGPeer", linkerSettings: [.linkedLibrary("turbojpeg")]),
    .executableTarget(
      name: "PhotoBenchmark",
      dependencies: [
        .product(name: "MienEngine", package: "mien"), .product(name: "MienTracking", package: "mien"), "CJPEGPeer",
      ], swiftSettings: base,
      linkerSettings: [.unsafeFlags(["-Xlinker", "-rpath", "-Xlinker", "\(parts)/openvino/libs"])]),
    // The simulated subject and attacker are those of the tests, through links.
    .executableTarget(
      name: "AttackTable",
      dependencies: [
        .product(name: "MienEngine", package: "mien"), .product(name: "RealModule", package: "swift-numerics"),
      ], swiftSettings: base,
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    .executableTarget(
      name: "LivenessTable", dependencies: [.product(name: "MienEngine", package: "mien")], swiftSettings: base,
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    .executableTarget(
      name: "PassiveTable",
      dependencies: [
        .product(name: "MienEngine", package: "mien"), .product(name: "MienTracking", package: "mien"),
        "CAllocationCount",
      ],
      swiftSettings: base,
      linkerSettings: [.unsafeFlags(["-Xlinker", "-rpath", "-Xlinker", "\(parts)/openvino/libs"])]),
  ],
  swiftLanguageModes: [.v6]
)
