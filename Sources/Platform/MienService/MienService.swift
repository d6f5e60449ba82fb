// Re-exports the modules that this one was split into. Import those instead; this one goes.
@_exported public import MienAccess
@_exported public import MienCaptures
@_exported public import MienChecks
@_exported public import MienLiveSessions
@_exported public import MienMessageService
@_exported public import MienPlatform
@_exported public import MienScanService
@_exported public import MienSecurity
@_exported public import MienWebhooks
