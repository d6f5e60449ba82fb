// swift-tools-version: 6.3
// The law of the house: every arrow and every flag. Documentation/Map.md explains the rooms; a test compares the two.
import PackageDescription

let house: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"), .strictMemorySafety(), .treatAllWarnings(as: .error),
]

/// The rooms that calculate for long are optimised in the build of `./test` too, which leaves everything else as it is written: a
/// compiler takes half as long for that.
let calculating: [SwiftSetting] =
  house + (Context.environment["MIEN_TEST_BUILD"] == "quick" ? [.unsafeFlags(["-O"])] : [])

/// Server-only dependencies hang on this trait, so that an app that uses the engine resolves none of them.
let onServer = TargetDependencyCondition.when(traits: ["ServerSide"])

/// Where scripts/install-parts puts the inference runtime; programs find its libraries there without an environment.
let parts = Context.environment["MIEN_PARTS"] ?? "\(Context.packageDirectory)/.mien"

/// Lets a program find the inference runtime's libraries.
let runtimePath: [LinkerSetting] = [.unsafeFlags(["-Xlinker", "-rpath", "-Xlinker", "\(parts)/openvino/libs"])]

func server(_ product: String, _ package: String) -> Target.Dependency {
  .product(name: product, package: package, condition: onServer)
}

let package = Package(
  name: "mien",
  platforms: [.macOS(.v14), .iOS(.v17)],
  products: [
    .library(
      name: "MienEngine",
      targets: [
        "MienModel", "MienImaging", "MienChallenges", "MienExpressions", "MienAvatars", "MienRecordings", "MienDepth",
        "MienAuthenticity",
      ]),
    .library(name: "MienTracking", targets: ["MienTracking", "MienCodecs"]),
    .library(name: "MienClient", targets: ["MienClient", "MienWire", "MienModel"]),
    .library(name: "MienFlows", targets: ["MienFlows"]),
    .library(name: "MienApple", targets: ["MienApple", "MienClient", "MienModel"]),
    .library(name: "MienServer", targets: ["MienServer"]),
    .executable(name: "mien", targets: ["mien"]),
  ],
  traits: [
    .trait(name: "ServerSide", description: "Server, stores and tools, with what they depend on."),
    .default(enabledTraits: ["ServerSide"]),
  ],
  dependencies: [
    .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    .package(url: "https://github.com/apple/swift-configuration.git", exact: "1.4.0", traits: []),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", exact: "1.7.3"),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
    .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
    .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
    .package(url: "https://github.com/apple/swift-asn1", exact: "1.7.4"),
  ],
  targets: [
    // Ground floor: values.
    .target(
      name: "MienModel", swiftSettings: calculating,
      // Rounding calls the C library's mathematics, which programs without Foundation do not link by themselves.
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    .target(name: "MienImaging", dependencies: ["MienModel"], swiftSettings: calculating),

    // First floor: the domain, pure functions and machines.
    .target(name: "MienChallenges", dependencies: ["MienModel"], swiftSettings: calculating),
    .target(name: "MienExpressions", dependencies: ["MienModel"], swiftSettings: calculating),
    .target(
      name: "MienAvatars", dependencies: ["MienModel", "MienImaging", "MienExpressions"], swiftSettings: calculating),
    .target(
      name: "MienVault",
      dependencies: [
        "MienModel", "MienExpressions", server("Crypto", "swift-crypto"), server("CryptoExtras", "swift-crypto"),
      ],
      swiftSettings: calculating),
    .target(name: "MienRecordings", dependencies: ["MienModel"], swiftSettings: calculating),
    .target(name: "MienAuthenticity", dependencies: ["MienModel", "MienImaging"], swiftSettings: calculating),
    .target(name: "MienEvaluation", swiftSettings: calculating),
    .target(name: "MienDepth", dependencies: ["MienModel", "MienImaging"], swiftSettings: calculating),
    .target(name: "MienWire", dependencies: ["MienModel"], swiftSettings: house),
    .target(name: "MienMultipart", swiftSettings: calculating),

    .target(name: "MienWorkers", swiftSettings: house),

    // Second floor: the service.
    .target(
      name: "MienService",
      dependencies: [
        "MienModel", "MienImaging", "MienChallenges", "MienExpressions", "MienAvatars", "MienVault", "MienRecordings",
        "MienAuthenticity", "MienWorkers", server("Crypto", "swift-crypto"),
        server("CryptoExtras", "swift-crypto"), server("Tracing", "swift-distributed-tracing"),
      ], swiftSettings: house),

    // Outside walls: one foreign thing each.
    .systemLibrary(
      name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(name: "COpenVINO", pkgConfig: "openvino-c"),
    .target(
      name: "MienCodecs", dependencies: ["MienModel", "MienImaging", "CTurboJPEG", "CPNG"], swiftSettings: calculating),
    .target(
      name: "MienScanFiles", dependencies: ["MienModel", "MienDepth", "MienCodecs", "CZlib"], swiftSettings: calculating
    ),
    .target(name: "MienInference", dependencies: ["MienModel", "COpenVINO"], swiftSettings: calculating),
    .target(
      name: "MienTracking",
      dependencies: ["MienModel", "MienImaging", "MienCodecs", "MienInference", "MienService"],
      swiftSettings: calculating),
    .target(
      name: "MienStoreSQLite",
      dependencies: [
        "MienModel", "MienService", "MienChallenges", "MienAvatars", "MienVault", "MienAuthenticity",
        server("GRDB", "GRDB.swift"),
      ], swiftSettings: house),
    .target(
      name: "MienStorePostgres",
      dependencies: [
        "MienModel", "MienService", "MienChallenges", "MienAvatars", "MienVault", "MienAuthenticity", "CPostgres",
      ], swiftSettings: house),
    .target(
      name: "MienAttestation",
      dependencies: [
        "MienModel", "MienService", server("Crypto", "swift-crypto"), server("X509", "swift-certificates"),
        server("SwiftASN1", "swift-asn1"),
      ], swiftSettings: house),
    .target(
      name: "MienFilms",
      dependencies: ["MienModel", "MienImaging", "MienService", server("Subprocess", "swift-subprocess")],
      swiftSettings: house),
    .target(
      name: "MienBlobs", dependencies: ["MienService", server("Crypto", "swift-crypto")], swiftSettings: house),
    .target(
      name: "MienBlobsS3",
      dependencies: [
        "MienModel", "MienService", server("AsyncHTTPClient", "async-http-client"), server("NIOCore", "swift-nio"),
        server("NIOHTTP1", "swift-nio"), server("NIOPosix", "swift-nio"), server("NIOSSL", "swift-nio-ssl"),
      ], swiftSettings: house),
    .target(
      name: "MienServer",
      dependencies: [
        "MienModel", "MienImaging", "MienService", "MienWire", "MienRecordings", "MienChallenges", "MienMultipart",
        "MienAuthenticity", "MienDepth",
        server("Hummingbird", "hummingbird"), server("HTTPTypes", "swift-http-types"), server("Logging", "swift-log"),
        server("AsyncHTTPClient", "async-http-client"), server("NIOCore", "swift-nio"),
        server("NIOHTTP1", "swift-nio"), server("NIOHTTPTypes", "swift-nio-extras"), server("NIOPosix", "swift-nio"),
        server("NIOSSL", "swift-nio-ssl"), server("Tracing", "swift-distributed-tracing"),
        server("HummingbirdTLS", "hummingbird"), server("HummingbirdCore", "hummingbird"),
        server("ServiceLifecycle", "swift-service-lifecycle"),
      ], swiftSettings: house),

    .target(name: "MienClient", dependencies: ["MienModel", "MienWire"], swiftSettings: house),
    .target(
      name: "MienFlows", dependencies: ["MienModel", "MienWire", "MienAvatars", "MienClient"], swiftSettings: house),

    .target(
      name: "MienApple",
      dependencies: [
        "MienModel", "MienImaging", "MienWire", "MienClient", "MienFlows", "MienDepth", "MienRecordings",
        "MienAuthenticity",
      ], swiftSettings: house),

    // The roof.
    .executableTarget(
      name: "mien",
      dependencies: [
        "MienModel", "MienImaging", "MienWorkers", "MienChallenges", "MienRecordings", "MienService", "MienCodecs",
        "MienInference",
        "MienTracking", "MienStoreSQLite", "MienStorePostgres", "MienFilms", "MienServer", "MienClient", "MienWire",
        "MienExpressions",
        "MienAvatars", "MienDepth", "MienScanFiles", "MienBlobs", "MienBlobsS3", "MienAuthenticity", "MienEvaluation",
        "MienAttestation",
        server("ArgumentParser", "swift-argument-parser"), server("Subprocess", "swift-subprocess"),
        server("Crypto", "swift-crypto"), server("Configuration", "swift-configuration"),
        server("Hummingbird", "hummingbird"), server("Logging", "swift-log"),
        server("ServiceLifecycle", "swift-service-lifecycle"), server("UnixSignals", "swift-service-lifecycle"),
      ], swiftSettings: house,
      linkerSettings: runtimePath),

    // Tests: support with its own contracts, and a suite for each room.
    .target(
      name: "MienTestSupport",
      dependencies: [
        "MienModel", "MienImaging", "MienChallenges", "MienExpressions", "MienAvatars", "MienVault", "MienService",
        "MienAuthenticity", server("Crypto", "swift-crypto"), server("X509", "swift-certificates"),
        server("SwiftASN1", "swift-asn1"),
      ],
      path: "Tests/MienTestSupport", swiftSettings: house),
    .testTarget(name: "MienModelTests", dependencies: ["MienModel"], swiftSettings: house),
    .testTarget(name: "MienImagingTests", dependencies: ["MienModel", "MienImaging"], swiftSettings: house),
    .testTarget(name: "MienChallengesTests", dependencies: ["MienModel", "MienChallenges"], swiftSettings: house),
    .testTarget(
      name: "MienExpressionsTests", dependencies: ["MienModel", "MienExpressions", "MienRecordings"],
      swiftSettings: house),
    .testTarget(
      name: "MienAvatarsTests", dependencies: ["MienImaging", "MienExpressions", "MienAvatars"], swiftSettings: house),
    .testTarget(
      name: "MienVaultTests", dependencies: ["MienModel", "MienExpressions", "MienVault"], swiftSettings: house),
    .testTarget(
      name: "MienAuthenticityTests", dependencies: ["MienModel", "MienImaging", "MienCodecs", "MienAuthenticity"],
      swiftSettings: house),
    .testTarget(name: "MienEvaluationTests", dependencies: ["MienEvaluation"], swiftSettings: house),
    .testTarget(name: "MienRecordingsTests", dependencies: ["MienModel", "MienRecordings"], swiftSettings: house),
    .testTarget(name: "MienDepthTests", dependencies: ["MienModel", "MienImaging", "MienDepth"], swiftSettings: house),
    .testTarget(
      name: "MienScanFilesTests", dependencies: ["MienModel", "MienDepth", "MienScanFiles"], swiftSettings: house),
    .testTarget(
      name: "MienCodecsTests", dependencies: ["MienModel", "MienImaging", "MienCodecs"], swiftSettings: house),
    .testTarget(
      name: "MienTrackingTests",
      dependencies: [
        "MienModel", "MienImaging", "MienCodecs", "MienInference", "MienService", "MienTracking", "MienTestSupport",
        "MienChallenges",
      ], exclude: ["Fixtures"], swiftSettings: house, linkerSettings: runtimePath),
    .testTarget(
      name: "MienServiceTests",
      dependencies: [
        "MienModel", "MienWorkers", "MienImaging", "MienChallenges", "MienExpressions", "MienAvatars", "MienVault",
        "MienService",
        "MienStoreSQLite", "MienTestSupport", "MienAuthenticity", "MienBlobs", "MienDepth", "MienScanFiles",
        server("Crypto", "swift-crypto"),
        server("Tracing", "swift-distributed-tracing"), server("InMemoryTracing", "swift-distributed-tracing"),
      ], swiftSettings: house),
    .testTarget(
      name: "MienStoreSQLiteTests",
      dependencies: [
        "MienModel", "MienAvatars", "MienVault", "MienService", "MienStoreSQLite", "MienTestSupport",
        server("GRDB", "GRDB.swift"),
      ],
      exclude: ["Fixtures"], swiftSettings: house),
    .testTarget(
      name: "MienStorePostgresTests",
      dependencies: [
        "MienModel", "MienAuthenticity", "MienAvatars", "MienVault", "MienService", "MienStorePostgres",
        "MienStoreSQLite", "MienTestSupport", server("GRDB", "GRDB.swift"),
      ], exclude: ["Fixtures"], swiftSettings: house),
    .testTarget(
      name: "MienClientTests",
      dependencies: [
        "MienModel", "MienDepth", "MienWire", "MienClient", "MienFlows", "MienApple", "MienService", "MienTestSupport",
        server("Crypto", "swift-crypto"),
      ],
      swiftSettings: house),
    .testTarget(
      name: "MienFlowsTests", dependencies: ["MienModel", "MienWire", "MienClient", "MienAvatars", "MienFlows"],
      swiftSettings: house),
    .testTarget(
      name: "MienAppleTests",
      dependencies: [
        "MienModel", "MienWire", "MienClient", "MienFlows", "MienDepth", "MienRecordings", "MienMultipart", "MienApple",
        server("Crypto", "swift-crypto"),
      ], swiftSettings: house),
    .testTarget(
      name: "MienServerTests",
      dependencies: [
        "MienModel", "MienService", "MienServer", "MienWire", "MienTestSupport", server("NIOCore", "swift-nio"),
        server("HTTPTypes", "swift-http-types"), server("Tracing", "swift-distributed-tracing"),
        server("NIOEmbedded", "swift-nio"), server("NIOHTTP1", "swift-nio"), server("NIOPosix", "swift-nio"),
        server("NIOSSL", "swift-nio-ssl"), server("Hummingbird", "hummingbird"),
        server("HummingbirdCore", "hummingbird"), server("Logging", "swift-log"),
      ], swiftSettings: house),
    .testTarget(
      name: "MienFilmsTests", dependencies: ["MienModel", "MienImaging", "MienCodecs", "MienFilms", "MienTestSupport"],
      swiftSettings: house),
    .testTarget(
      name: "MienAttestationTests",
      dependencies: [
        "MienModel", "MienService", "MienAttestation", "MienTestSupport", server("Crypto", "swift-crypto"),
        server("X509", "swift-certificates"), server("SwiftASN1", "swift-asn1"),
      ], swiftSettings: house),
    .testTarget(name: "MienMultipartTests", dependencies: ["MienMultipart"], swiftSettings: house),
    .testTarget(
      name: "MienBlobsTests", dependencies: ["MienService", "MienBlobs", "MienTestSupport"], swiftSettings: house),
    .testTarget(
      name: "MienBlobsS3Tests",
      dependencies: [
        "MienModel", "MienService", "MienBlobsS3", "MienTestSupport", server("NIOCore", "swift-nio"),
        server("NIOHTTP1", "swift-nio"),
      ], swiftSettings: house),
    .testTarget(name: "MienWireTests", dependencies: ["MienModel", "MienWire"], swiftSettings: house),
  ],
  swiftLanguageModes: [.v6]
)
