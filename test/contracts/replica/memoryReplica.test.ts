import { MEMORY_FAULTS, memoryPlace } from "../../support/replica/memoryPlace.ts";
import { logReplicaContract } from "./logReplicaContract.ts";

logReplicaContract("in memory", () => memoryPlace(true), MEMORY_FAULTS);
logReplicaContract("in memory, where a second put overwrites", () => memoryPlace(false), MEMORY_FAULTS);
