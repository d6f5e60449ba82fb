// swift-tools-version: 6.3
// Package between the app's project and Mien: it turns the trait `ServerSide` off, which a project file cannot, so that Xcode resolves
// none of the server's packages. scripts/typecheck-apple.py resolves it.
import PackageDescription

let package = Package(
  name: "MienKit",
  platforms: [.macOS(.v14), .iOS(.v17)],
  products: [.library(name: "MienKit", targets: ["MienKit"])],
  dependencies: [.package(name: "mien", path: "../../..", traits: [])],
  targets: [.target(name: "MienKit", dependencies: [.product(name: "MienApple", package: "mien")])])
