/// Content of the active manifest of a file (C2PA 2.x, Content Credentials): what was signed, by whom, and what
/// validation found.
///
/// All texts come from the file and are claims of its signer; only the signer's name in a ``Trust/trusted`` credential
/// was confirmed, by an issuer that the operator trusts.
public struct ContentCredential: Codable, Hashable, Sendable {
  /// Validity of the active manifest and of its signer.
  public enum Trust: String, Codable, Hashable, Sendable, CaseIterable {
    /// Intact, and signed by a certificate that an anchor of the operator's trust list issued.
    case trusted
    /// Intact, but no anchor of the trust list issued the signer's certificate: anyone could have made it.
    case untrusted
    /// Unchanged, but signed outside the certificate's validity, or with one that has expired and no time stamp.
    case expired
    /// Changed since it was signed, or not signed as C2PA requires.
    case invalid
  }

  /// The certificate that signed the manifest.
  public struct Signer: Codable, Hashable, Sendable {
    /// Organization in the certificate's subject.
    public var issuer: String?
    public var commonName: String?
    /// Serial number of the certificate, decimal.
    public var serial: String?
    public var algorithm: String?

    public init(issuer: String? = nil, commonName: String? = nil, serial: String? = nil, algorithm: String? = nil) {
      self.issuer = issuer
      self.commonName = commonName
      self.serial = serial
      self.algorithm = algorithm
    }

    enum CodingKeys: String, CodingKey {
      case issuer, serial, algorithm
      case commonName = "common_name"
    }
  }

  /// Program that wrote a manifest or performed an action.
  public struct Software: Codable, Hashable, Sendable {
    public var name: String
    public var version: String?

    public init(name: String, version: String? = nil) {
      self.name = name
      self.version = version
    }
  }

  /// Step in the history of the file, for example `c2pa.created` or `c2pa.cropped`.
  public struct Action: Codable, Hashable, Sendable {
    public var name: String
    /// Time as stated, RFC 3339 if the signer followed the specification.
    public var when: String?
    public var software: Software?
    /// IPTC digital source type: `digitalCapture`, `trainedAlgorithmicMedia`, …
    public var sourceType: String?
    public var description: String?

    public init(
      name: String, when: String? = nil, software: Software? = nil, sourceType: String? = nil,
      description: String? = nil
    ) {
      self.name = name
      self.when = when
      self.software = software
      self.sourceType = sourceType
      self.description = description
    }

    enum CodingKeys: String, CodingKey {
      case name, when, software, description
      case sourceType = "source_type"
    }
  }

  /// File that was used to make this one.
  public struct Ingredient: Codable, Hashable, Sendable {
    public var title: String?
    public var format: String?
    /// `parentOf`, `componentOf` or `inputTo`.
    public var relationship: String?
    /// Signer of the ingredient's own manifest; `nil` if it had none.
    public var signer: Signer?
    /// Parts of the ingredient that had been changed already when it was used.
    public var changed: [Change]

    public init(
      title: String? = nil, format: String? = nil, relationship: String? = nil, signer: Signer? = nil,
      changed: [Change] = []
    ) {
      self.title = title
      self.format = format
      self.relationship = relationship
      self.signer = signer
      self.changed = changed
    }
  }

  /// Part of a file or of its manifest that has changed since it was signed.
  public enum Change: Hashable, Sendable {
    /// The bytes of the image.
    case content
    /// A signed statement (C2PA assertion), by its label, such as `c2pa.actions.v2` or `c2pa.thumbnail.claim`.
    case statement(String)
    /// The claim that lists the statements, or its signature.
    case claim
    /// An ingredient, or the statement about it.
    case ingredient
  }

  /// Revocation status of the signer's certificate.
  public enum Revocation: String, Codable, Hashable, Sendable, CaseIterable {
    /// The file contains no OCSP response, and none is fetched: a verification uses no network.
    case notChecked = "not-checked"
    /// An OCSP response in the file states that the certificate was not revoked.
    case notRevoked = "not-revoked"
    /// An OCSP response in the file states that the certificate was revoked.
    case revoked
  }

  /// Outcome of one step of the validation, as the library reported it.
  public struct ValidationStatus: Codable, Hashable, Sendable {
    public enum Kind: String, Codable, Hashable, Sendable { case success, informational, failure }
    public enum Scope: String, Codable, Hashable, Sendable { case active, ingredient }

    /// Status code of the C2PA specification, such as `assertion.dataHash.mismatch`.
    public let code: String
    public let kind: Kind
    public let scope: Scope
    /// Address of the part of the manifest store (JUMBF URI).
    public let part: String?
    public let explanation: String?

    public init(code: String, kind: Kind, scope: Scope, part: String?, explanation: String?) {
      self.code = code
      self.kind = kind
      self.scope = scope
      self.part = part
      self.explanation = explanation
    }
  }

  public var trust: Trust
  /// Revocation status of the signer's certificate, as far as the file itself shows it.
  public var revocation: Revocation
  public var signer: Signer?
  /// Time of the signature according to a time stamp authority, RFC 3339; `nil` without a time stamp.
  public var signedAt: String?
  public var title: String?
  /// Programs that wrote the claim.
  public var generators: [Software]
  public var actions: [Action]
  public var ingredients: [Ingredient]
  /// Parts of this file that have changed since they were signed.
  public var changed: [Change]
  /// Every status of the validation.
  public var validation: [ValidationStatus]
  /// Number of manifests in the store.
  public var manifests: Int
  /// Version of the library that validated.
  public var library: String

  public init(
    trust: Trust, revocation: Revocation = .notChecked, signer: Signer? = nil, signedAt: String? = nil,
    title: String? = nil, generators: [Software] = [],
    actions: [Action] = [], ingredients: [Ingredient] = [], changed: [Change] = [],
    validation: [ValidationStatus] = [], manifests: Int = 1, library: String = ""
  ) {
    self.trust = trust
    self.revocation = revocation
    self.signer = signer
    self.signedAt = signedAt
    self.title = title
    self.generators = generators
    self.actions = actions
    self.ingredients = ingredients
    self.changed = changed
    self.validation = validation
    self.manifests = manifests
    self.library = library
  }

  /// IPTC digital source types of the actions, each once.
  public var sourceTypes: [String] {
    actions.compactMap(\.sourceType).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  enum CodingKeys: String, CodingKey {
    case trust, revocation, signer, title, generators, actions, ingredients, changed, validation, manifests, library
    case signedAt = "signed_at"
  }
}

extension ContentCredential.Change: Codable {
  private enum CodingKeys: String, CodingKey { case part, statement }
  private enum Part: String, Codable { case content, statement, claim, ingredient }

  public init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: CodingKeys.self)
    switch try box.decode(Part.self, forKey: .part) {
    case .content: self = .content
    case .statement: self = .statement(try box.decode(String.self, forKey: .statement))
    case .claim: self = .claim
    case .ingredient: self = .ingredient
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var box = encoder.container(keyedBy: CodingKeys.self)
    let part: Part =
      switch self {
      case .content: .content
      case .statement: .statement
      case .claim: .claim
      case .ingredient: .ingredient
      }
    try box.encode(part, forKey: .part)
    if case .statement(let label) = self { try box.encode(label, forKey: .statement) }
  }
}
