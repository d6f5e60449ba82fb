public import SwiftUI

public struct PHPickerFilter: Sendable {
  public static let images = PHPickerFilter()
}

public struct PhotosPickerItem: Equatable, Hashable, Sendable {
  public struct EncodingDisambiguationPolicy: Sendable {
    public static let current = EncodingDisambiguationPolicy()
  }
  public func loadTransferable<Value: Sendable>(type: Value.Type) async throws -> Value? { fatalError() }
}

public struct PhotosPicker<Content: View>: Primitive {
  public init(
    selection: Binding<PhotosPickerItem?>, matching filter: PHPickerFilter? = nil,
    preferredItemEncoding: PhotosPickerItem.EncodingDisambiguationPolicy, @ViewBuilder label: () -> Content
  ) {}
}
