// The vendor's own names, so that an app that was written for its SDK changes the import and the server's address.

public typealias YVLiveness = Liveness
public typealias YVLivenessUser = LivenessUser
public typealias YVTask = LivenessTask
