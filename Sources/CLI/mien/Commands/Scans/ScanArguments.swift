public import ArgumentParser
public import MienClient
public import MienScanFormat
public import MienReconstruction
public import MienScanFiles

// Engine types whose raw values are used as command-line arguments.
extension RawDepthFile.Samples: ExpressibleByArgument {}
extension MeshFormat: ExpressibleByArgument {}
extension ScanExportFormat: ExpressibleByArgument {}
extension ScanWriter.Coding: ExpressibleByArgument {}
extension ScanUpload.Kind: ExpressibleByArgument {}
