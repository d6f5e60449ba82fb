public import Foundation

public struct SHA256Digest: Sequence {
  public func makeIterator() -> Array<UInt8>.Iterator { fatalError() }
}

public struct SHA256 {
  public static func hash<Bytes: DataProtocol>(data: Bytes) -> SHA256Digest { fatalError() }
}

public enum P256 {
  public enum Signing {
    public struct PublicKey {
      public var rawRepresentation: Data { fatalError() }
    }
    public struct ECDSASignature {
      public var rawRepresentation: Data { fatalError() }
    }
  }
}

public enum SecureEnclave {
  public static var isAvailable: Bool { fatalError() }
  public enum P256 {
    public enum Signing {
      public struct PrivateKey {
        public init() throws {}
        public init(dataRepresentation: Data) throws {}
        public var dataRepresentation: Data { fatalError() }
        public var publicKey: CryptoKit.P256.Signing.PublicKey { fatalError() }
        public func signature<Bytes: DataProtocol>(
          for data: Bytes
        ) throws -> CryptoKit.P256.Signing.ECDSASignature { fatalError() }
      }
    }
  }
}
