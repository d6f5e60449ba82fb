#if canImport(ARKit) && canImport(UIKit)
  internal import Foundation
  internal import SwiftUI

  /// Confetti that falls once, or a burst from the middle. Nothing where the user prefers reduced motion.
  struct Celebration: View {
    enum Kind { case confetti, burst }

    let kind: Kind
    @State private var began: Date?
    @Environment(\.accessibilityReduceMotion) private var isCalm

    private static let seconds = 2.5
    private static let pieces = 60

    var body: some View {
      if !isCalm {
        TimelineView(.animation) { time in
          let age = began.map { time.date.timeIntervalSince($0) } ?? 0
          Canvas { context, size in
            guard age < Self.seconds else { return }
            for piece in 0..<Self.pieces { draw(piece, age, in: size, &context) }
          }
          // The clock is that of the animation.
          .onChange(of: time.date, initial: true) { _, date in began = began ?? date }
        }
        .allowsHitTesting(false).accessibilityHidden(true)
      }
    }

    private func draw(_ piece: Int, _ age: Double, in size: CGSize, _ context: inout GraphicsContext) {
      // Fixed pseudo-random numbers: the same piece has the same path in every frame.
      let spread = (Double(piece) * 0.618_034).truncatingRemainder(dividingBy: 1)
      let speed = 0.6 + (Double(piece) * 0.414_214).truncatingRemainder(dividingBy: 1)
      let share = age / Self.seconds
      let place: CGPoint
      switch kind {
      case .confetti:
        place = CGPoint(
          x: size.width * spread + 20 * sin(age * 4 + Double(piece)), y: size.height * share * speed * 1.4 - 20)
      case .burst:
        let angle = spread * 2 * Double.pi
        let reach = min(size.width, size.height) * 0.5 * speed * share.squareRoot()
        place = CGPoint(x: size.width / 2 + reach * cos(angle), y: size.height / 2 + reach * sin(angle))
      }
      let color = Color(hue: spread, saturation: 0.7, brightness: 0.9).opacity(1 - share)
      context.fill(Path(CGRect(x: place.x, y: place.y, width: 8, height: 5)), with: .color(color))
    }
  }

  /// Placeholder of a picture that is being made, with a light that passes over it; still where motion is reduced.
  struct Shimmer: View {
    @Environment(\.accessibilityReduceMotion) private var isCalm

    var body: some View {
      TimelineView(.animation(paused: isCalm)) { time in
        let wave = sin(time.date.timeIntervalSinceReferenceDate * 3)
        RoundedRectangle(cornerRadius: 24).fill(.secondary).opacity(isCalm ? 0.2 : 0.2 + 0.1 * wave)
      }
      .frame(width: 256, height: 256).accessibilityHidden(true)
    }
  }
#endif
