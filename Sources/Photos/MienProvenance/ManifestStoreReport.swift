internal import MienAuthenticity

/// The library's report on a manifest store (its JSON): only the members that are shown.
struct ManifestStoreReport: Decodable {
  struct Manifest: Decodable {
    struct Signature: Decodable {
      let alg: String?
      let issuer: String?
      let commonName: String?
      let serial: String?
      let time: String?

      enum CodingKeys: String, CodingKey {
        case alg, issuer, time
        case commonName = "common_name"
        case serial = "cert_serial_number"
      }
    }

    struct Ingredient: Decodable {
      let title: String?
      let format: String?
      let relationship: String?
      let manifest: String?
      let results: Results?

      enum CodingKeys: String, CodingKey {
        case title, format, relationship
        case manifest = "active_manifest"
        case results = "validation_results"
      }
    }

    /// Statement; only actions are read.
    struct Assertion: Decodable {
      let label: String
      let actions: [Action]

      enum CodingKeys: String, CodingKey { case label, data }
      private struct Actions: Decodable { let actions: [Action] }

      init(from decoder: any Decoder) throws {
        let box = try decoder.container(keyedBy: CodingKeys.self)
        label = try box.decode(String.self, forKey: .label)
        actions =
          label.hasPrefix("c2pa.actions") ? (try? box.decode(Actions.self, forKey: .data).actions) ?? [] : []
      }
    }

    struct Action: Decodable {
      let action: String
      let when: String?
      let software: Software?
      let sourceType: String?
      let description: String?

      enum CodingKeys: String, CodingKey {
        case action, when, description
        case software = "softwareAgent"
        case sourceType = "digitalSourceType"
      }
    }

    /// Program: an object, or in older manifests a text.
    struct Software: Decodable {
      let name: String
      let version: String?

      enum CodingKeys: String, CodingKey { case name, version }

      init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
          (name, version) = (text, nil)
        } else {
          let box = try decoder.container(keyedBy: CodingKeys.self)
          name = try box.decode(String.self, forKey: .name)
          version = try box.decodeIfPresent(String.self, forKey: .version)
        }
      }
    }

    let title: String?
    /// Program that wrote the claim, in older manifests.
    let generator: String?
    let generators: [Software]?
    let ingredients: [Ingredient]?
    let assertions: [Assertion]?
    let signature: Signature?

    enum CodingKeys: String, CodingKey {
      case title, ingredients, assertions
      case generator = "claim_generator"
      case generators = "claim_generator_info"
      case signature = "signature_info"
    }
  }

  struct Status: Decodable {
    let code: String
    let url: String?
    let explanation: String?
  }

  struct Statuses: Decodable {
    let success: [Status]?
    let informational: [Status]?
    let failure: [Status]?

    func all(_ scope: ContentCredential.ValidationStatus.Scope) -> [ContentCredential.ValidationStatus] {
      func list(_ statuses: [Status]?, _ kind: ContentCredential.ValidationStatus.Kind)
        -> [ContentCredential.ValidationStatus]
      {
        (statuses ?? []).map {
          ContentCredential.ValidationStatus(
            code: $0.code.bounded, kind: kind, scope: scope, part: $0.url.map(\.bounded),
            explanation: $0.explanation.map(\.bounded))
        }
      }
      return list(failure, .failure) + list(informational, .informational) + list(success, .success)
    }
  }

  struct Results: Decodable {
    struct Delta: Decodable {
      let deltas: Statuses

      enum CodingKeys: String, CodingKey { case deltas = "validationDeltas" }
    }

    let active: Statuses?
    let deltas: [Delta]?

    enum CodingKeys: String, CodingKey {
      case active = "activeManifest"
      case deltas = "ingredientDeltas"
    }
  }

  let active: String?
  let manifests: [String: Manifest]
  let results: Results?
  let state: String?

  enum CodingKeys: String, CodingKey {
    case manifests
    case active = "active_manifest"
    case results = "validation_results"
    case state = "validation_state"
  }

  /// Returns the credential; `nil` if it states more than the limits allow.
  func credential(limits: ProvenanceLimits, library: String) -> ContentCredential? {
    let manifest = active.flatMap { manifests[$0] }
    let validation =
      (results?.active?.all(.active) ?? []) + (results?.deltas ?? []).flatMap { $0.deltas.all(.ingredient) }
    let actions = (manifest?.assertions ?? []).flatMap(\.actions)
    let ingredients = manifest?.ingredients ?? []
    guard manifests.count <= limits.entries, validation.count <= limits.statuses, actions.count <= limits.entries,
      ingredients.count <= limits.entries
    else { return nil }
    let failures = validation.filter { $0.kind == .failure }
    var generators = manifest?.generators?.map(\.credential) ?? []
    if generators.isEmpty, let text = manifest?.generator {
      generators = [ContentCredential.Software(name: text.bounded)]
    }
    return ContentCredential(
      trust: ProvenanceCodes.trust(
        isTrusted: state == "Trusted", isValid: state == "Valid",
        failures: failures.filter { $0.scope == .active }.map(\.code)),
      revocation: ProvenanceCodes.revocation(validation.filter { $0.scope == .active }.map(\.code)),
      signer: manifest?.signature?.credential, signedAt: manifest?.signature?.time.map(\.bounded),
      title: manifest?.title.map(\.bounded), generators: generators, actions: actions.map(\.credential),
      ingredients: ingredients.map { ingredient in
        let failed = ingredient.results?.active?.failure ?? []
        return ContentCredential.Ingredient(
          title: ingredient.title.map(\.bounded), format: ingredient.format.map(\.bounded),
          relationship: ingredient.relationship.map(\.bounded),
          signer: ingredient.manifest.flatMap { manifests[$0]?.signature?.credential },
          changed: ProvenanceCodes.changes(failed.map { (code: $0.code, part: $0.url.map(\.bounded)) }))
      },
      changed: ProvenanceCodes.changes(failures.map { (code: $0.code, part: $0.part) }), validation: validation,
      manifests: manifests.count, library: library)
  }
}

extension ManifestStoreReport.Manifest.Signature {
  fileprivate var credential: ContentCredential.Signer {
    ContentCredential.Signer(
      issuer: issuer.map(\.bounded), commonName: commonName.map(\.bounded), serial: serial.map(\.bounded),
      algorithm: alg.map(\.bounded))
  }
}

extension ManifestStoreReport.Manifest.Software {
  fileprivate var credential: ContentCredential.Software {
    ContentCredential.Software(name: name.bounded, version: version.map(\.bounded))
  }
}

extension ManifestStoreReport.Manifest.Action {
  fileprivate var credential: ContentCredential.Action {
    ContentCredential.Action(
      name: action.bounded, when: when.map(\.bounded), software: software?.credential,
      sourceType: sourceType.map { ($0.split(separator: "/").last.map(String.init) ?? $0).bounded },
      description: description.map(\.bounded))
  }
}

extension String {
  /// The text, truncated to 400 Unicode scalars with an ellipsis if it is longer.
  var bounded: String {
    let start = unicodeScalars.prefix(400)
    return start.endIndex == endIndex ? self : String(String.UnicodeScalarView(start.dropLast())) + "…"
  }
}
