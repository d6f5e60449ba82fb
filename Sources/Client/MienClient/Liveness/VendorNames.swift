// Type names of the vendor's SDK, so that existing apps only have to change the import and the server's address.

public typealias YVLiveness = Liveness
public typealias YVLivenessUser = LivenessUser
public typealias YVTask = LivenessTask
