public import SwiftUI

public struct PHPickerFilter: Sendable {
  public static let images = PHPickerFilter()
}

public struct PhotosPickerItem: Equatable, Hashable {
  public struct EncodingDisambiguationPolicy: Equatable, Hashable {
    public static var automatic: EncodingDisambiguationPolicy { fatalError() }
    public static var current: EncodingDisambiguationPolicy { fatalError() }
  }
  @discardableResult public func loadTransferable<Value>(
    type: Value.Type, completionHandler: @escaping (Result<Value?, any Error>) -> Void
  ) -> Progress { fatalError() }
}

public struct PhotosPicker<Content: View>: Primitive {
  public init(
    selection: Binding<PhotosPickerItem?>, matching filter: PHPickerFilter? = nil,
    preferredItemEncoding: PhotosPickerItem.EncodingDisambiguationPolicy = .automatic, @ViewBuilder label: () -> Content
  ) {}
}
