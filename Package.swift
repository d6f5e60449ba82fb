// swift-tools-version: 6.3
// Target graph and build settings. Documentation/Architecture.md describes the modules; a test compares the two.
import PackageDescription

let base: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"), .strictMemorySafety(),
  // Only where `./test` runs: with Apple's SDKs, a deprecation would end the build of an app.
  .treatAllWarnings(as: .error, .when(platforms: [.linux])),
]

/// Settings of the compute-intensive modules: they are optimized even in the build of `./test`, which compiles
/// everything else without optimization because that takes the compiler half as long.
let optimized: [SwiftSetting] =
  base + (Context.environment["MIEN_TEST_BUILD"] == "quick" ? [.unsafeFlags(["-O"])] : [])

/// Condition on the `ServerSide` trait for server-only dependencies, so that an app that uses the engine resolves none
/// of them.
let onServer = TargetDependencyCondition.when(traits: ["ServerSide"])

/// Elementary functions, the engine's only external dependency.
let realModule = Target.Dependency.product(name: "RealModule", package: "swift-numerics")

/// Folder into which scripts/install-parts installs the inference runtime; executables find its libraries there without
/// environment variables.
let parts = Context.environment["MIEN_PARTS"] ?? "\(Context.packageDirectory)/.mien"

/// Run-time search path of the inference runtime's libraries.
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
        "MienCore", "MienImaging", "MienArchive", "MienLiveness", "MienExpressions", "MienAvatars", "MienRecordings",
        "MienScanFormat",
        "MienReconstruction",
        "MienAuthenticity",
      ]),
    .library(name: "MienTracking", targets: ["MienTracking", "MienCodecs"]),
    .library(name: "MienClient", targets: ["MienClient", "MienAPI", "MienCore"]),
    .library(name: "MienViewModels", targets: ["MienViewModels"]),
    .library(name: "MienApple", targets: ["MienApple", "MienClient", "MienCore"]),
    .library(name: "MienServer", targets: ["MienServer"]),
    .executable(name: "mien", targets: ["mien"]),
  ],
  traits: [
    .trait(name: "ServerSide", description: "Server, stores and tools, with what they depend on."),
    .default(enabledTraits: ["ServerSide"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-numerics", exact: "1.1.1"),
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
    // Core layer: values.
    .target(
      name: "MienCore", path: "Sources/Core/MienCore", swiftSettings: optimized,
      // Rounding calls the C math library, which programs without Foundation do not link automatically.
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    .target(
      name: "MienImaging", dependencies: ["MienCore", realModule], path: "Sources/Core/MienImaging",
      swiftSettings: optimized),

    .target(
      name: "MienArchive", dependencies: ["MienCore"], path: "Sources/Core/MienArchive", swiftSettings: optimized),

    // Domain layer: pure functions and state machines.
    .target(
      name: "MienLiveness", dependencies: ["MienCore", realModule], path: "Sources/Liveness/MienLiveness",
      swiftSettings: optimized),
    .target(
      name: "MienFaceMatch", dependencies: ["MienCore", "MienImaging"], path: "Sources/Faces/MienFaceMatch",
      swiftSettings: optimized),
    .target(
      name: "MienExpressions", dependencies: ["MienCore"], path: "Sources/Messages/MienExpressions",
      swiftSettings: optimized),
    .target(
      name: "MienAvatars", dependencies: ["MienCore", "MienImaging", "MienExpressions"],
      path: "Sources/Messages/MienAvatars", swiftSettings: optimized),
    .target(
      name: "MienVault",
      dependencies: [
        "MienCore", "MienExpressions", server("Crypto", "swift-crypto"), server("CryptoExtras", "swift-crypto"),
      ],
      path: "Sources/Messages/MienVault", swiftSettings: optimized),
    .target(
      name: "MienRecordings", dependencies: ["MienCore", realModule], path: "Sources/Recordings/MienRecordings",
      swiftSettings: optimized),
    .target(
      name: "MienAuthenticity", dependencies: ["MienCore", "MienImaging", realModule],
      path: "Sources/Photos/MienAuthenticity",
      swiftSettings: optimized),
    .target(
      name: "MienEvaluation", dependencies: ["MienCore", realModule], path: "Sources/Photos/MienEvaluation",
      swiftSettings: optimized
    ),
    .target(
      name: "MienScanFormat", dependencies: ["MienCore", "MienArchive"], path: "Sources/Scans/MienScanFormat",
      swiftSettings: optimized
    ),
    .target(
      name: "MienReconstruction",
      dependencies: ["MienCore", "MienArchive", "MienImaging", "MienScanFormat", realModule],
      path: "Sources/Scans/MienReconstruction", swiftSettings: optimized),
    .target(name: "MienAPI", dependencies: ["MienCore"], path: "Sources/Server/MienAPI", swiftSettings: base),
    .target(name: "MienMultipart", path: "Sources/Server/MienMultipart", swiftSettings: optimized),

    .target(name: "MienWorkers", path: "Sources/Core/MienWorkers", swiftSettings: base),
    .target(name: "MienFiles", path: "Sources/Platform/MienFiles", swiftSettings: base),

    // Platform layer and use cases.
    .target(
      name: "MienPlatform",
      dependencies: [
        "MienCore", "MienWorkers", server("Crypto", "swift-crypto"), server("Tracing", "swift-distributed-tracing"),
      ],
      path: "Sources/Platform/MienPlatform", swiftSettings: base),
    .target(
      name: "MienSecurity",
      dependencies: ["MienCore", "MienPlatform", server("Crypto", "swift-crypto")],
      path: "Sources/Platform/MienSecurity", swiftSettings: base),
    .target(
      name: "MienAccess",
      dependencies: [
        "MienCore", "MienPlatform", "MienSecurity", server("Crypto", "swift-crypto"),
        server("CryptoExtras", "swift-crypto"),
      ],
      path: "Sources/Platform/MienAccess", swiftSettings: base),
    .target(
      name: "MienWebhooks",
      dependencies: ["MienCore", "MienPlatform", "MienSecurity", server("Crypto", "swift-crypto")],
      path: "Sources/Platform/MienWebhooks", swiftSettings: base),
    .target(
      name: "MienLiveSessions",
      dependencies: [
        "MienCore", "MienImaging", "MienWorkers", "MienLiveness", "MienPlatform", server("Crypto", "swift-crypto"),
      ], path: "Sources/Liveness/MienLiveSessions", swiftSettings: base),
    .target(
      name: "MienChecks",
      dependencies: [
        "MienCore", "MienImaging", "MienFaceMatch", "MienWorkers", "MienLiveness", "MienLiveSessions", "MienPlatform",
        "MienSecurity", "MienWebhooks", realModule, server("Crypto", "swift-crypto"),
      ],
      path: "Sources/Liveness/MienChecks", swiftSettings: base),
    .target(
      name: "MienCaptures",
      dependencies: [
        "MienCore", "MienImaging", "MienWorkers", "MienAuthenticity", "MienPlatform", server("Crypto", "swift-crypto"),
      ],
      path: "Sources/Photos/MienCaptures", swiftSettings: base),
    .target(
      name: "MienScanService",
      dependencies: ["MienCore", "MienPlatform", server("Crypto", "swift-crypto")],
      path: "Sources/Scans/MienScanService", swiftSettings: base),
    .target(
      name: "MienMessageService",
      dependencies: [
        "MienCore", "MienWorkers", "MienLiveness", "MienExpressions", "MienAvatars", "MienVault", "MienPlatform",
        "MienSecurity", "MienLiveSessions", server("Crypto", "swift-crypto"),
      ],
      path: "Sources/Messages/MienMessageService", swiftSettings: base),

    // Adapters: each wraps one external library or system.
    .systemLibrary(
      name: "CTurboJPEG", path: "Sources/System/CTurboJPEG", pkgConfig: "libturbojpeg",
      providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(name: "CPNG", path: "Sources/System/CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .systemLibrary(
      name: "CHEIF", path: "Sources/System/CHEIF", pkgConfig: "libheif", providers: [.apt(["libheif-dev"])]),
    .systemLibrary(
      name: "CWebP", path: "Sources/System/CWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"])]),
    .systemLibrary(
      name: "COpenEXR", path: "Sources/System/COpenEXR", providers: [.apt(["libopenexr-dev"])]),
    .systemLibrary(name: "CZlib", path: "Sources/System/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "CPostgres", path: "Sources/System/CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(name: "COpenVINO", path: "Sources/System/COpenVINO", pkgConfig: "openvino-c"),
    .target(
      name: "MienCodecs",
      dependencies: ["MienCore", "MienImaging", "CTurboJPEG", "CPNG", "CHEIF", "CWebP", "COpenEXR", realModule],
      path: "Sources/Faces/MienCodecs", swiftSettings: optimized),
    .target(
      name: "MienCompression", dependencies: ["CZlib"], path: "Sources/Adapters/MienCompression",
      swiftSettings: optimized),
    .target(
      name: "MienScanFiles",
      dependencies: [
        "MienCore", "MienArchive", "MienScanFormat", "MienReconstruction", "MienCodecs", "MienCompression",
      ],
      path: "Sources/Scans/MienScanFiles", swiftSettings: optimized
    ),
    .target(
      name: "MienProvenance", dependencies: ["MienCore", "MienAuthenticity"], path: "Sources/Photos/MienProvenance",
      swiftSettings: optimized),
    .target(
      name: "MienInference", dependencies: ["MienCore", "COpenVINO"], path: "Sources/Faces/MienInference",
      swiftSettings: optimized),
    .target(
      name: "MienTracking",
      dependencies: [
        "MienCore", "MienImaging", "MienFaceMatch", "MienWorkers", "MienCodecs", "MienInference", "MienPlatform",
        "MienAuthenticity",
      ],
      path: "Sources/Faces/MienTracking", swiftSettings: optimized),
    .target(
      name: "MienStore",
      dependencies: [
        "MienCore", "MienWorkers", "MienPlatform", "MienSecurity", "MienAccess", "MienWebhooks", "MienLiveSessions",
        "MienChecks",
        "MienCaptures",
        "MienScanService", "MienMessageService", "MienLiveness", "MienAvatars", "MienVault", "MienAuthenticity",
        "CPostgres",
        server("GRDB", "GRDB.swift"),
      ], path: "Sources/Adapters/MienStore",
      resources: [
        .embedInCode("Migrations/postgres_0001_initial.sql"), .embedInCode("Migrations/sqlite_0001_initial.sql"),
      ], swiftSettings: base),
    .target(
      name: "MienAttestation",
      dependencies: [
        "MienCore", "MienPlatform", "MienCaptures", server("Crypto", "swift-crypto"),
        server("X509", "swift-certificates"),
        server("SwiftASN1", "swift-asn1"),
      ], path: "Sources/Adapters/MienAttestation", swiftSettings: base),
    .target(
      name: "MienVideo",
      dependencies: [
        "MienCore", "MienImaging", "MienPlatform", "MienSecurity", "MienChecks",
        server("Subprocess", "swift-subprocess"),
      ],
      path: "Sources/Adapters/MienVideo", swiftSettings: base),
    .target(
      name: "MienBlobs", dependencies: ["MienPlatform", server("Crypto", "swift-crypto")],
      path: "Sources/Adapters/MienBlobs", swiftSettings: base),
    .target(
      name: "MienBlobsS3",
      dependencies: [
        "MienCore", "MienPlatform", "MienSecurity", server("AsyncHTTPClient", "async-http-client"),
        server("NIOCore", "swift-nio"),
        server("NIOHTTP1", "swift-nio"), server("NIOPosix", "swift-nio"), server("NIOSSL", "swift-nio-ssl"),
      ], path: "Sources/Adapters/MienBlobsS3", swiftSettings: base),
    .target(
      name: "MienPages",
      dependencies: [
        "MienCompression", server("Crypto", "swift-crypto"), server("Hummingbird", "hummingbird"),
        server("HTTPTypes", "swift-http-types"), server("Logging", "swift-log"), server("NIOCore", "swift-nio"),
        server("NIOPosix", "swift-nio"),
      ], path: "Sources/Server/MienPages", swiftSettings: base),
    .target(
      name: "MienServer",
      dependencies: [
        "MienPages", "MienCore", "MienArchive", "MienImaging", "MienFaceMatch", "MienPlatform", "MienSecurity",
        "MienAccess",
        "MienWebhooks", "MienChecks",
        "MienCaptures", "MienScanService", "MienMessageService", "MienAPI", "MienRecordings", "MienLiveness",
        "MienMultipart",
        "MienAuthenticity", "MienScanFormat",
        server("Hummingbird", "hummingbird"), server("HTTPTypes", "swift-http-types"), server("Logging", "swift-log"),
        server("AsyncHTTPClient", "async-http-client"), server("NIOCore", "swift-nio"),
        server("NIOHTTP1", "swift-nio"), server("NIOHTTPTypes", "swift-nio-extras"), server("NIOPosix", "swift-nio"),
        server("NIOSSL", "swift-nio-ssl"), server("Tracing", "swift-distributed-tracing"),
        server("HummingbirdTLS", "hummingbird"), server("HummingbirdCore", "hummingbird"),
        server("ServiceLifecycle", "swift-service-lifecycle"),
      ], path: "Sources/Server/MienServer", swiftSettings: base),

    .target(
      name: "MienClient", dependencies: ["MienCore", "MienAPI", server("Crypto", "swift-crypto")],
      path: "Sources/Client/MienClient", swiftSettings: base),
    .target(
      name: "MienViewModels", dependencies: ["MienCore", "MienAPI", "MienAvatars", "MienClient"],
      path: "Sources/Client/MienViewModels", swiftSettings: base),

    .target(
      name: "MienApple",
      dependencies: [
        "MienCore", "MienImaging", "MienAPI", "MienClient", "MienViewModels", "MienScanFormat", "MienReconstruction",
        "MienRecordings",
        "MienAuthenticity",
      ], path: "Sources/Client/MienApple",
      // The files of the pages, so that app and pages have one source of words.
      resources: [.copy("../../../Web/assets/texts")], swiftSettings: base),

    // Server without command line: processing of scans, and everything around the HTTP interface.
    .target(
      name: "MienScanPipeline",
      dependencies: [
        "MienCore", "MienImaging", "MienWorkers", "MienFiles", "MienPlatform", "MienScanService",
        "MienCodecs", "MienScanFormat", "MienReconstruction",
        "MienScanFiles", "MienVideo",
      ], path: "Sources/Scans/MienScanPipeline", swiftSettings: base),
    .target(
      name: "MienRuntime",
      dependencies: [
        "MienCore", "MienImaging", "MienFiles", "MienRecordings", "MienAuthenticity", "MienAvatars", "MienPlatform",
        "MienSecurity", "MienAccess", "MienWebhooks", "MienLiveSessions", "MienChecks", "MienCaptures",
        "MienScanService",
        "MienMessageService",
        "MienCodecs", "MienProvenance", "MienTracking", "MienStore", "MienBlobs", "MienBlobsS3", "MienVideo",
        "MienAttestation", "MienScanPipeline", "MienServer",
        server("Crypto", "swift-crypto"), server("Configuration", "swift-configuration"),
        server("Logging", "swift-log"), server("ServiceLifecycle", "swift-service-lifecycle"),
        server("UnixSignals", "swift-service-lifecycle"), server("Subprocess", "swift-subprocess"),
      ], path: "Sources/Server/MienRuntime", swiftSettings: base),

    // Executable.
    .target(
      name: "MienFileAnalysis",
      dependencies: [
        "MienCore", "MienImaging", "MienFaceMatch", "MienLiveness", "MienExpressions", "MienAvatars", "MienRecordings",
        "MienFiles", "MienAPI", "MienClient", "MienPlatform", "MienChecks", "MienCodecs", "MienVideo",
        "MienAuthenticity", "MienEvaluation",
        "MienRuntime", server("Subprocess", "swift-subprocess"), server("Crypto", "swift-crypto"),
      ], path: "Sources/CLI/MienFileAnalysis", swiftSettings: base),
    .executableTarget(
      name: "mien",
      dependencies: [
        "MienCore", "MienImaging", "MienFaceMatch", "MienLiveness", "MienRecordings", "MienFiles", "MienPlatform",
        "MienAccess", "MienChecks", "MienCaptures", "MienScanService", "MienMessageService", "MienCodecs",
        "MienProvenance",
        "MienTracking", "MienVideo", "MienServer", "MienRuntime", "MienFileAnalysis", "MienClient", "MienAPI",
        "MienExpressions",
        "MienAvatars", "MienScanFormat", "MienReconstruction", "MienScanFiles", "MienScanPipeline", "MienAuthenticity",
        "MienEvaluation",
        server("ArgumentParser", "swift-argument-parser"),
      ], path: "Sources/CLI/mien", swiftSettings: base,
      linkerSettings: runtimePath),

    // Tests: test support with its own contracts, and one suite per module.
    .target(
      name: "MienTestGenerators", path: "Tests/Contracts/MienTestGenerators", swiftSettings: base),
    .target(
      name: "MienTestSupport",
      dependencies: [
        "MienTestGenerators",
        "MienCore", "MienImaging", "MienLiveness", "MienExpressions", "MienAvatars", "MienVault", "MienPlatform",
        "MienSecurity", "MienAccess", "MienWebhooks", "MienChecks", "MienCaptures", "MienScanService",
        "MienMessageService",
        "MienAuthenticity", server("Crypto", "swift-crypto"), server("X509", "swift-certificates"),
        server("SwiftASN1", "swift-asn1"),
      ],
      path: "Tests/Contracts/MienTestSupport", swiftSettings: base),
    .testTarget(
      name: "MienCoreTests", dependencies: ["MienCore"], path: "Tests/Unit/MienCoreTests", swiftSettings: base),
    .testTarget(
      name: "MienImagingTests", dependencies: ["MienCore", "MienImaging", "MienTestGenerators"],
      path: "Tests/Unit/MienImagingTests",
      swiftSettings: base),
    .testTarget(
      name: "MienFaceMatchTests", dependencies: ["MienCore", "MienImaging", "MienFaceMatch"],
      path: "Tests/Unit/MienFaceMatchTests", swiftSettings: base),
    .testTarget(
      name: "MienLivenessTests", dependencies: ["MienCore", "MienLiveness", realModule],
      path: "Tests/Unit/MienLivenessTests", swiftSettings: base),
    .testTarget(
      name: "MienExpressionsTests",
      dependencies: ["MienCore", "MienExpressions", "MienRecordings", "MienTestGenerators"],
      path: "Tests/Unit/MienExpressionsTests", swiftSettings: base),
    .testTarget(
      name: "MienAvatarsTests", dependencies: ["MienImaging", "MienExpressions", "MienAvatars", "MienTestGenerators"],
      path: "Tests/Unit/MienAvatarsTests", swiftSettings: base),
    .testTarget(
      name: "MienVaultTests", dependencies: ["MienCore", "MienExpressions", "MienVault", "MienTestGenerators"],
      path: "Tests/Unit/MienVaultTests", swiftSettings: base),
    .testTarget(
      name: "MienAuthenticityTests",
      dependencies: ["MienCore", "MienImaging", "MienCodecs", "MienAuthenticity", realModule],
      path: "Tests/Unit/MienAuthenticityTests", swiftSettings: base),
    .testTarget(
      name: "MienProvenanceTests", dependencies: ["MienCore", "MienAuthenticity", "MienProvenance"],
      path: "Tests/Unit/MienProvenanceTests", swiftSettings: base),
    .testTarget(
      name: "MienEvaluationTests", dependencies: ["MienCore", "MienEvaluation"], path: "Tests/Unit/MienEvaluationTests",
      swiftSettings: base),
    .testTarget(
      name: "MienFileAnalysisTests", dependencies: ["MienCore", "MienFileAnalysis", "MienFiles"],
      path: "Tests/Unit/MienFileAnalysisTests", swiftSettings: base, linkerSettings: runtimePath),
    .testTarget(
      name: "MienRecordingsTests", dependencies: ["MienCore", "MienRecordings", "MienTestGenerators"],
      path: "Tests/Unit/MienRecordingsTests",
      swiftSettings: base),
    .testTarget(
      name: "MienDepthTests",
      dependencies: [
        "MienCore", "MienArchive", "MienImaging", "MienScanFormat", "MienReconstruction", realModule,
        "MienTestGenerators",
      ],
      path: "Tests/Unit/MienDepthTests",
      swiftSettings: base),
    .testTarget(
      name: "MienScanFilesTests",
      dependencies: ["MienCore", "MienArchive", "MienScanFormat", "MienReconstruction", "MienScanFiles"],
      path: "Tests/Unit/MienScanFilesTests", swiftSettings: base),
    .testTarget(
      name: "MienCodecsTests", dependencies: ["MienCore", "MienImaging", "MienCodecs"],
      path: "Tests/Unit/MienCodecsTests", swiftSettings: base),
    .testTarget(
      name: "MienTrackingTests",
      dependencies: [
        "MienCore", "MienImaging", "MienCodecs", "MienInference", "MienPlatform", "MienTracking", "MienTestSupport",
        "MienTestGenerators", "MienLiveness", "MienAuthenticity",
      ], path: "Tests/Unit/MienTrackingTests", exclude: ["Fixtures"], swiftSettings: base, linkerSettings: runtimePath),
    .testTarget(
      name: "MienPlatformTests",
      dependencies: [
        "MienTestGenerators",
        "MienCore", "MienWorkers", "MienPlatform", "MienSecurity", "MienWebhooks", "MienChecks", "MienScanService",
        "MienStore", "MienBlobs", "MienTestSupport", server("Tracing", "swift-distributed-tracing"),
        server("InMemoryTracing", "swift-distributed-tracing"),
      ],
      path: "Tests/Unit/MienPlatformTests", swiftSettings: base),
    .testTarget(
      name: "MienSecurityTests",
      dependencies: [
        "MienTestGenerators",
        "MienCore", "MienPlatform", "MienSecurity", "MienChecks", "MienStore", "MienTestSupport",
        server("Crypto", "swift-crypto"),
      ],
      path: "Tests/Unit/MienSecurityTests", swiftSettings: base),
    .testTarget(
      name: "MienAccessTests",
      dependencies: [
        "MienTestGenerators", "MienCore", "MienPlatform", "MienSecurity", "MienAccess", "MienStore", "MienTestSupport",
      ],
      path: "Tests/Unit/MienAccessTests", swiftSettings: base),
    .testTarget(
      name: "MienWebhooksTests",
      dependencies: [
        "MienTestGenerators",
        "MienCore", "MienPlatform", "MienSecurity", "MienWebhooks", "MienChecks", "MienStore", "MienTestSupport",
        server("Crypto", "swift-crypto"),
      ],
      path: "Tests/Unit/MienWebhooksTests", swiftSettings: base),
    .testTarget(
      name: "MienChecksTests",
      dependencies: [
        "MienTestGenerators",
        "MienCore", "MienFaceMatch", "MienLiveness", "MienPlatform", "MienSecurity", "MienLiveSessions", "MienChecks",
        "MienStore", "MienTestSupport",
      ],
      path: "Tests/Unit/MienChecksTests", swiftSettings: base),
    .testTarget(
      name: "MienMessageServiceTests",
      dependencies: [
        "MienTestGenerators",
        "MienCore", "MienImaging", "MienExpressions", "MienAvatars", "MienVault", "MienPlatform", "MienSecurity",
        "MienLiveSessions", "MienMessageService", "MienStore", "MienTestSupport",
      ],
      path: "Tests/Unit/MienMessageServiceTests", swiftSettings: base),
    .testTarget(
      name: "MienCapturesTests",
      dependencies: [
        "MienTestGenerators",
        "MienCore", "MienImaging", "MienAuthenticity", "MienPlatform", "MienCaptures", "MienStore", "MienBlobs",
        "MienTestSupport", server("Crypto", "swift-crypto"), server("Tracing", "swift-distributed-tracing"),
        server("InMemoryTracing", "swift-distributed-tracing"),
      ],
      path: "Tests/Unit/MienCapturesTests", swiftSettings: base),
    .testTarget(
      name: "MienScanServiceTests",
      dependencies: [
        "MienTestGenerators",
        "MienCore", "MienImaging", "MienScanFormat", "MienScanFiles", "MienPlatform", "MienSecurity", "MienCaptures",
        "MienScanService", "MienStore", "MienBlobs", "MienTestSupport",
      ],
      path: "Tests/Unit/MienScanServiceTests", swiftSettings: base),
    .testTarget(
      name: "MienStoreTests",
      dependencies: [
        "MienTestGenerators",
        "MienCore", "MienAuthenticity", "MienAvatars", "MienVault", "MienPlatform", "MienSecurity",
        "MienMessageService", "MienAccess", "MienWebhooks", "MienChecks", "MienCaptures", "MienScanService",
        "MienStore", "MienTestSupport",
        server("GRDB", "GRDB.swift"),
      ], path: "Tests/Contracts/MienStoreTests", swiftSettings: base),
    .testTarget(
      name: "MienClientTests",
      dependencies: [
        "MienCore", "MienScanFormat", "MienAPI", "MienClient", "MienViewModels", "MienApple", "MienPlatform",
        "MienTestSupport",
        server("Crypto", "swift-crypto"),
      ],
      path: "Tests/Unit/MienClientTests", swiftSettings: base),
    .testTarget(
      name: "MienViewModelsTests",
      dependencies: ["MienCore", "MienAPI", "MienClient", "MienAvatars", "MienViewModels"],
      path: "Tests/Unit/MienViewModelsTests", swiftSettings: base),
    .testTarget(
      name: "MienAppleTests",
      dependencies: [
        "MienCore", "MienAPI", "MienClient", "MienViewModels", "MienScanFormat", "MienReconstruction", "MienRecordings",
        "MienMultipart",
        "MienApple",
        server("Crypto", "swift-crypto"),
      ], path: "Tests/Unit/MienAppleTests", swiftSettings: base),
    .testTarget(
      name: "MienServerTests",
      dependencies: [
        "MienTestGenerators",
        "MienCore", "MienPlatform", "MienAccess", "MienWebhooks", "MienPages", "MienCompression", "MienServer",
        "MienAPI",
        "MienTestSupport",
        server("NIOCore", "swift-nio"),
        server("HTTPTypes", "swift-http-types"), server("Tracing", "swift-distributed-tracing"),
        server("NIOEmbedded", "swift-nio"), server("NIOHTTP1", "swift-nio"), server("NIOPosix", "swift-nio"),
        server("NIOSSL", "swift-nio-ssl"), server("Hummingbird", "hummingbird"),
        server("HummingbirdCore", "hummingbird"), server("Logging", "swift-log"),
      ], path: "Tests/Server/MienServerTests", swiftSettings: base),
    .testTarget(
      name: "MienRuntimeTests",
      dependencies: [
        "MienFiles", "MienPlatform", "MienSecurity", "MienAccess", "MienAuthenticity", "MienChecks", "MienServer",
        "MienRuntime", server("HTTPTypes", "swift-http-types"), server("Logging", "swift-log"),
        server("AsyncHTTPClient", "async-http-client"),
        server("NIOCore", "swift-nio"), server("NIOHTTP1", "swift-nio"),
      ], path: "Tests/Server/MienRuntimeTests", swiftSettings: base, linkerSettings: runtimePath),
    .testTarget(
      name: "MienVideoTests",
      dependencies: [
        "MienTestGenerators", "MienCore", "MienImaging", "MienCodecs", "MienVideo", "MienTestSupport",
      ],
      path: "Tests/Unit/MienVideoTests", swiftSettings: base),
    .testTarget(
      name: "MienAttestationTests",
      dependencies: [
        "MienTestGenerators",
        "MienCore", "MienPlatform", "MienCaptures", "MienAttestation", "MienTestSupport",
        server("Crypto", "swift-crypto"),
        server("X509", "swift-certificates"), server("SwiftASN1", "swift-asn1"),
      ], path: "Tests/Unit/MienAttestationTests", swiftSettings: base),
    .testTarget(
      name: "MienMultipartTests", dependencies: ["MienMultipart", "MienTestGenerators"],
      path: "Tests/Unit/MienMultipartTests",
      swiftSettings: base),
    .testTarget(
      name: "MienBlobsTests",
      dependencies: [
        "MienTestGenerators", "MienPlatform", "MienSecurity", "MienBlobs", "MienTestSupport",
      ],
      path: "Tests/Unit/MienBlobsTests", swiftSettings: base),
    .testTarget(
      name: "MienBlobsS3Tests",
      dependencies: [
        "MienTestGenerators",
        "MienCore", "MienPlatform", "MienSecurity", "MienBlobsS3", "MienTestSupport", server("NIOCore", "swift-nio"),
        server("NIOHTTP1", "swift-nio"),
      ], path: "Tests/Unit/MienBlobsS3Tests", swiftSettings: base),
    .testTarget(
      name: "MienAPITests", dependencies: ["MienCore", "MienAPI"], path: "Tests/Unit/MienAPITests", swiftSettings: base),
  ],
  swiftLanguageModes: [.v6]
)
