public import ArgumentParser
public import MienClient
public import MienDepth
public import MienScanFiles

// Words of the engine that stand on the command line as they are.
extension RawDepthFile.Samples: ExpressibleByArgument {}
extension MeshFormat: ExpressibleByArgument {}
extension ScanExportFormat: ExpressibleByArgument {}
extension ScanWriter.Coding: ExpressibleByArgument {}
extension ScanUpload.Kind: ExpressibleByArgument {}
