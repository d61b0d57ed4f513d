import { replicaFailed, type ReplicaFailure } from "../../../src/core/replica/logReplica.ts";
import { MemoryPlace, MemoryReplica } from "../../support/replica/memoryReplica.ts";
import { Gate, type LastingFault } from "../../support/replica/replicaFaults.ts";
import { logReplicaContract, type TestedPlace } from "./logReplicaContract.ts";

const REASONS: readonly ReplicaFailure[] = ["unreachable", "busy", "denied", "expired", "full"];

const lasting: readonly LastingFault<MemoryTestPlace>[] = REASONS.map((reason) => ({
  title: "every call",
  reason,
  begin: ({ place }) => {
    place.failure = replicaFailed(reason, `it is ${reason}`);
    return () => {
      place.failure = undefined;
    };
  },
}));

interface MemoryTestPlace extends TestedPlace {
  readonly place: MemoryPlace;
}

function memoryPlace(refusesSecond: boolean): MemoryTestPlace {
  const place = new MemoryPlace({ refusesSecond });
  return {
    place,
    open: () => new MemoryReplica(place),
    refusesSecond,
    remove: () => undefined,
    faults: {
      fault: (fault) => place.putFaults.push(fault),
      hold: () => {
        const gate = new Gate();
        place.putFaults.push(gate);
        return gate;
      },
      lag: () => {
        place.listed = place.list();
        return () => {
          place.listed = undefined;
        };
      },
    },
  };
}

logReplicaContract("in memory", () => memoryPlace(true), lasting);
logReplicaContract("in memory, where a second put overwrites", () => memoryPlace(false), lasting);
