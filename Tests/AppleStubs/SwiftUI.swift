public import CoreGraphics
@_exported import Foundation
@_exported import Observation
@_exported import UIKit

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError() }
}

/// Views that the framework itself draws.
@MainActor public protocol Primitive: View where Body == Never {}
extension Primitive {
  public var body: Never { fatalError() }
}

public struct EmptyView: Primitive {
  public init() {}
}
public struct TupleView<Content>: Primitive {}
public struct _ConditionalContent<First: View, Second: View>: Primitive {}
extension Optional: View where Wrapped: View {
  public var body: Never { fatalError() }
}

@resultBuilder public struct ViewBuilder {
  public static func buildBlock() -> EmptyView { fatalError() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<(repeat each Content)>
  {
    fatalError()
  }
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  public static func buildEither<First: View, Second: View>(first: First) -> _ConditionalContent<First, Second> {
    fatalError()
  }
  public static func buildEither<First: View, Second: View>(second: Second) -> _ConditionalContent<First, Second> {
    fatalError()
  }
}

// MARK: - Values that views hold

@propertyWrapper public struct State<Value> {
  public init(wrappedValue: Value) {}
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> { fatalError() }
}

@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
  public init(
    get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {}
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> { self }
  public subscript<Member>(dynamicMember path: WritableKeyPath<Value, Member>) -> Binding<Member> { fatalError() }
}

@propertyWrapper @dynamicMemberLookup public struct Bindable<Value> {
  public init(wrappedValue: Value) where Value: AnyObject, Value: Observable {}
  public var wrappedValue: Value {
    get { fatalError() }
    set {}
  }
  public var projectedValue: Bindable<Value> { fatalError() }
  public subscript<Member>(dynamicMember path: ReferenceWritableKeyPath<Value, Member>) -> Binding<Member>
  where Value: AnyObject {
    fatalError()
  }
}

public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Value { get }
}

public struct EnvironmentValues {
  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get { fatalError() }
    set {}
  }
  public var accessibilityReduceMotion: Bool { fatalError() }
  public var scenePhase: ScenePhase {
    get { fatalError() }
    set {}
  }
  public var openURL: OpenURLAction {
    get { fatalError() }
    set {}
  }
  public var horizontalSizeClass: UserInterfaceSizeClass? {
    get { fatalError() }
    set {}
  }
  public var dismiss: DismissAction { fatalError() }
  public var layoutDirection: LayoutDirection {
    get { fatalError() }
    set {}
  }
}

@propertyWrapper public struct Environment<Value> {
  public init(_ path: KeyPath<EnvironmentValues, Value>) {}
  public var wrappedValue: Value { fatalError() }
}

public enum UserInterfaceSizeClass: Sendable { case compact, regular }
public enum ScenePhase: Comparable, Sendable { case background, inactive, active }
public enum LayoutDirection: Hashable, Sendable { case leftToRight, rightToLeft }
@MainActor public struct OpenURLAction {
  public func callAsFunction(_ url: URL) {}
}
@MainActor public struct DismissAction {
  public func callAsFunction() {}
}

// MARK: - Apps

@MainActor @preconcurrency public protocol Scene {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
}
extension Never: Scene {}
@resultBuilder public struct SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}
public struct WindowGroup<Content: View>: Scene {
  public init(@ViewBuilder makeContent: @escaping () -> Content) {}
  public var body: Never { fatalError() }
}
@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
  @MainActor @preconcurrency init()
}
extension App {
  @MainActor @preconcurrency public static func main() {}
}
@MainActor @preconcurrency @propertyWrapper
public struct UIApplicationDelegateAdaptor<Delegate: NSObject & UIApplicationDelegate> {
  public init(_ type: Delegate.Type = Delegate.self) {}
  public var wrappedValue: Delegate { fatalError() }
}

// MARK: - Between UIKit and SwiftUI

@MainActor @preconcurrency public struct UIViewRepresentableContext<Representable: UIViewRepresentable> {}
@MainActor @preconcurrency public protocol UIViewRepresentable: View where Body == Never {
  associatedtype UIViewType: UIView
  typealias Context = UIViewRepresentableContext<Self>
  @MainActor @preconcurrency func makeUIView(context: Context) -> UIViewType
  @MainActor @preconcurrency func updateUIView(_ view: UIViewType, context: Context)
}
extension UIViewRepresentable {
  public var body: Never { fatalError() }
}
@MainActor open class UIHostingController<Content: View>: UIViewController {
  public init(rootView: Content) { fatalError() }
  public required init?(coder: NSCoder) { nil }
}

// MARK: - Shapes and colors

public protocol ShapeStyle: Sendable {}
public struct Color: ShapeStyle, Primitive, Sendable {
  public init(red: Double, green: Double, blue: Double) {}
  public init(hue: Double, saturation: Double, brightness: Double, opacity: Double = 1) {}
  public static var clear: Color { fatalError() }
  public static var yellow: Color { fatalError() }
  public static var green: Color { fatalError() }
  public static var secondary: Color { fatalError() }
  public func opacity(_ opacity: Double) -> Color { self }
}
public struct Animation: Hashable, Sendable {
  public static func linear(duration: Double) -> Animation { fatalError() }
}
extension ShapeStyle where Self == Color {
  public static var white: Color { fatalError() }
  public static var red: Color { fatalError() }
  public static var yellow: Color { fatalError() }
}
public struct HierarchicalShapeStyle: ShapeStyle {}
extension ShapeStyle where Self == HierarchicalShapeStyle {
  public static var secondary: HierarchicalShapeStyle { fatalError() }
}

public struct Path: Equatable, Sendable {
  public init(_ rect: CGRect) {}
}
public struct GraphicsContext {
  public struct Shading: Sendable {
    public static func color(_ color: Color) -> Shading { fatalError() }
  }
  public func fill(_ path: Path, with shading: Shading) {}
}
public struct Canvas: Primitive {
  public init(renderer: @escaping (inout GraphicsContext, CGSize) -> Void) {}
}
public protocol TimelineSchedule {}
public struct AnimationTimelineSchedule: TimelineSchedule, Sendable {}
extension TimelineSchedule where Self == AnimationTimelineSchedule {
  public static var animation: AnimationTimelineSchedule { fatalError() }
  public static func animation(minimumInterval: Double? = nil, paused: Bool = false) -> AnimationTimelineSchedule {
    fatalError()
  }
}
public struct TimelineViewDefaultContext {
  public var date: Date { fatalError() }
}
public struct TimelineView<Schedule: TimelineSchedule, Content: View>: Primitive {
  public init(_ schedule: Schedule, @ViewBuilder content: @escaping (TimelineViewDefaultContext) -> Content) {}
}

@MainActor public protocol Shape: Sendable, View where Body == Never {}
extension Shape {
  public var body: Never { fatalError() }
  public func stroke<Style: ShapeStyle>(_ style: Style, lineWidth: CGFloat = 1) -> some View { EmptyView() }
  public func fill<Style: ShapeStyle>(_ style: Style) -> some View { EmptyView() }
}
public struct Ellipse: Shape {
  nonisolated public init() {}
}
public struct Circle: Shape {
  nonisolated public init() {}
}
public struct RoundedRectangle: Shape {
  nonisolated public init(cornerRadius: CGFloat) {}
}

// MARK: - Views

public struct HorizontalAlignment: Equatable, Sendable {
  public static let leading = HorizontalAlignment()
  public static let center = HorizontalAlignment()
  public static let trailing = HorizontalAlignment()
}
public struct VerticalAlignment: Equatable, Sendable {
  public static let top = VerticalAlignment()
  public static let center = VerticalAlignment()
  public static let bottom = VerticalAlignment()
}
public struct Alignment: Equatable, Sendable {
  public static let leading = Alignment()
  public static let center = Alignment()
  public static let trailing = Alignment()
}
public enum Axis: Int8, Sendable {
  case horizontal, vertical
  public struct Set: OptionSet, Sendable {
    public let rawValue: Int8
    public init(rawValue: Int8) { self.rawValue = rawValue }
    public static let vertical = Set(rawValue: 2)
  }
}

public protocol Layout {}
extension Layout {
  public func callAsFunction<Content: View>(@ViewBuilder _ content: () -> Content) -> some View { EmptyView?.none }
}
@frozen public struct HStackLayout: Layout {
  public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil) {}
}
@frozen public struct VStackLayout: Layout {
  public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil) {}
}
@frozen public struct AnyLayout: Layout {
  public init<Wrapped: Layout>(_ layout: Wrapped) {}
}
public struct VStack<Content: View>: Primitive {
  public init(
    alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
  ) {}
}
public struct HStack<Content: View>: Primitive {
  public init(spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {}
}
public struct ZStack<Content: View>: Primitive {
  public init(@ViewBuilder content: () -> Content) {}
}
public struct ScrollView<Content: View>: Primitive {
  public init(_ axes: Axis.Set = .vertical, @ViewBuilder content: () -> Content) {}
}
public struct Form<Content: View>: Primitive {
  public init(@ViewBuilder content: () -> Content) {}
}
public struct Section<Content: View>: Primitive {
  public init<Title: StringProtocol>(_ title: Title, @ViewBuilder content: () -> Content) {}
}
public struct NavigationStack<Content: View>: Primitive {
  public init(@ViewBuilder root: () -> Content) {}
}
public struct NavigationLink<Destination: View>: Primitive {
  public init<Title: StringProtocol>(_ title: Title, @ViewBuilder destination: () -> Destination) {}
}
public struct TabView<SelectionValue: Hashable, Content: View>: Primitive {
  public init(selection: Binding<SelectionValue>?, @ViewBuilder content: () -> Content) {}
}
public struct Spacer: Primitive {
  public init() {}
}
public struct GeometryProxy {
  public var size: CGSize { fatalError() }
}
public struct GeometryReader<Content: View>: Primitive {
  public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) {}
}
public struct GridItem: Sendable {
  public enum Size: Sendable { case adaptive(minimum: CGFloat, maximum: CGFloat = .infinity) }
  public init(_ size: Size) {}
}
public struct LazyVGrid<Content: View>: Primitive {
  public init(columns: [GridItem], spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {}
}
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: Primitive {
  public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}
extension ForEach where Data.Element: Identifiable, ID == Data.Element.ID {
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}

public struct Font: Sendable {
  public static let title2 = Font()
  public static let headline = Font()
  public static let subheadline = Font()
  public static let footnote = Font()
}
public struct Text: Primitive {
  public init<Words: StringProtocol>(_ words: Words) {}
  public func font(_ font: Font?) -> Text { self }
}
public struct Label: Primitive {
  public init<Title: StringProtocol>(_ title: Title, systemImage: String) {}
}
public struct Image: Primitive {
  public init(uiImage: UIImage) {}
  public init(_ name: String, bundle: Bundle? = nil) {}
  public func resizable() -> Image { self }
}
public struct ProgressView: Primitive {
  public init() {}
  public init<Title: StringProtocol>(_ title: Title) {}
  public init<Value: BinaryFloatingPoint>(value: Value?, total: Value = 1) {}
}
public struct ButtonRole: Equatable, Sendable {
  public static let cancel = ButtonRole()
  public static let destructive = ButtonRole()
}
public struct Button<Label: View>: Primitive {
  public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
}
extension Button where Label == Text {
  public init<Title: StringProtocol>(_ title: Title, action: @escaping @MainActor () -> Void) {}
  public init<Title: StringProtocol>(_ title: Title, role: ButtonRole?, action: @escaping @MainActor () -> Void) {}
}
public struct AsyncImage<Content: View>: Primitive {
  public init<Loaded: View, Placeholder: View>(
    url: URL?, scale: CGFloat = 1, @ViewBuilder content: @escaping (Image) -> Loaded,
    @ViewBuilder placeholder: @escaping () -> Placeholder
  ) where Content == _ConditionalContent<Loaded, Placeholder> {}
}
public struct SecureField: Primitive {
  public init<Title: StringProtocol>(_ title: Title, text: Binding<String>) {}
}
public struct Link: Primitive {
  public init<Title: StringProtocol>(_ title: Title, destination: URL) {}
}
public struct Toggle: Primitive {
  public init<Title: StringProtocol>(_ title: Title, isOn: Binding<Bool>) {}
}
public struct Stepper: Primitive {
  public init<Title: StringProtocol, Value: Strideable>(
    _ title: Title, value: Binding<Value>, in range: ClosedRange<Value>, step: Value.Stride = 1
  ) {}
}
public struct Picker<Selection: Hashable, Content: View>: Primitive {
  public init<Title: StringProtocol>(_ title: Title, selection: Binding<Selection>, @ViewBuilder content: () -> Content)
  {}
}
public struct TextField: Primitive {
  public init<Title: StringProtocol>(_ title: Title, text: Binding<String>) {}
  public init<Title: StringProtocol>(_ title: Title, text: Binding<String>, axis: Axis) {}
}

// MARK: - Modifiers

public struct AccessibilityTraits: Sendable {
  public static let updatesFrequently = AccessibilityTraits()
}
public struct AccessibilityChildBehavior: Hashable {
  public static var combine: AccessibilityChildBehavior { fatalError() }
}
public struct TextInputAutocapitalization: Sendable {
  public static var never: TextInputAutocapitalization { fatalError() }
  public static var characters: TextInputAutocapitalization { fatalError() }
}
public enum Edge {
  public struct Set: OptionSet, Sendable {
    public let rawValue: Int8
    public init(rawValue: Int8) { self.rawValue = rawValue }
    public static let all = Set(rawValue: 15)
    public static let horizontal = Set(rawValue: 10)
  }
}
public struct BorderedProminentButtonStyle: Sendable {
  @MainActor @preconcurrency public static var borderedProminent: BorderedProminentButtonStyle { fatalError() }
}
public struct RoundedBorderTextFieldStyle: Sendable {
  public static var roundedBorder: RoundedBorderTextFieldStyle { fatalError() }
}
public struct SegmentedPickerStyle: Sendable {
  public static var segmented: SegmentedPickerStyle { fatalError() }
}
public struct EnabledTextSelectability {
  public static var enabled: EnabledTextSelectability { fatalError() }
}

extension View {
  public func tint(_ tint: Color?) -> some View { self }
  public func opacity(_ opacity: Double) -> some View { self }
  public func scaleEffect(x: CGFloat = 1, y: CGFloat = 1) -> some View { self }
  public func allowsHitTesting(_ enabled: Bool) -> some View { self }
  public func overlay<Content: View>(
    alignment: Alignment = .center, @ViewBuilder content: () -> Content
  ) -> some View { self }
  public func sheet<Item: Identifiable, Content: View>(
    item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> Content
  ) -> some View { self }
  public func navigationDestination<Destination: View>(
    isPresented: Binding<Bool>, @ViewBuilder destination: () -> Destination
  ) -> some View { self }
  public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View { self }
  public func textContentType(_ type: UITextContentType?) -> some View { self }
  public func padding(_ length: CGFloat) -> some View { self }
  public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View { self }
  public func frame(width: CGFloat? = nil, height: CGFloat? = nil) -> some View { self }
  public func frame(maxWidth: CGFloat?, alignment: Alignment = .center) -> some View { self }
  public func position(_ point: CGPoint) -> some View { self }
  public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some View { self }
  public func scaledToFit() -> some View { self }
  public func clipShape<Outline: Shape>(_ shape: Outline) -> some View { self }
  public func animation<Value: Equatable>(_ animation: Animation?, value: Value) -> some View { self }
  public func background<Back: View>(_ back: Back) -> some View { self }
  public func foregroundStyle<Style: ShapeStyle>(_ style: Style) -> some View { self }
  public func font(_ font: Font?) -> some View { self }
  public func disabled(_ isDisabled: Bool) -> some View { self }
  public func tag<Value: Hashable>(_ tag: Value) -> some View { self }
  public func environment<Value>(_ path: WritableKeyPath<EnvironmentValues, Value>, _ value: Value) -> some View {
    self
  }
  public func tabItem<Content: View>(@ViewBuilder _ label: () -> Content) -> some View { self }
  public func toolbar<Content: View>(@ViewBuilder content: () -> Content) -> some View { self }
  public func navigationTitle<Title: StringProtocol>(_ title: Title) -> some View { self }
  public func swipeActions<Content: View>(@ViewBuilder content: () -> Content) -> some View { self }
  public func buttonStyle(_ style: BorderedProminentButtonStyle) -> some View { self }
  public func textFieldStyle(_ style: RoundedBorderTextFieldStyle) -> some View { self }
  public func pickerStyle(_ style: SegmentedPickerStyle) -> some View { self }
  public func textSelection(_ selection: EnabledTextSelectability) -> some View { self }
  public func privacySensitive(_ isSensitive: Bool = true) -> some View { self }
  public func textInputAutocapitalization(_ how: TextInputAutocapitalization?) -> some View { self }
  public func autocorrectionDisabled(_ isDisabled: Bool = true) -> some View { self }
  public func keyboardType(_ type: UIKeyboardType) -> some View { self }
  public func onSubmit(_ action: @escaping () -> Void) -> some View { self }
  public func onAppear(perform action: (() -> Void)? = nil) -> some View { self }
  public func onDisappear(perform action: (() -> Void)? = nil) -> some View { self }
  public func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false, _ action: @escaping (Value, Value) -> Void
  ) -> some View { self }
  public func task(@_inheritActorContext _ action: @escaping @Sendable () async -> Void) -> some View { self }
  public func accessibilityIdentifier(_ identifier: String) -> some View { self }
  public func accessibilityLabel<Words: StringProtocol>(_ label: Words) -> some View { self }
  public func accessibilityValue<Words: StringProtocol>(_ value: Words) -> some View { self }
  public func accessibilityHidden(_ isHidden: Bool) -> some View { self }
  public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View { self }
  public func accessibilityElement(children: AccessibilityChildBehavior) -> some View { self }
}
