public import ArgumentParser
public import MienCore

/// Levels of assurance as values of options: `basic`, `standard`, `high`.
extension AssuranceLevel: ExpressibleByArgument {}
