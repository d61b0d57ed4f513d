/** A replica in memory, with faults. */

import { replicaFailed, type ReplicaFailure } from "../../../src/core/replica/logReplica.ts";
import { MemoryPlace, MemoryReplica } from "./memoryReplica.ts";
import { Gate, type LastingFault, type TestedPlace } from "./replicaFaults.ts";

const REASONS: readonly ReplicaFailure[] = ["unreachable", "busy", "denied", "expired", "full"];

export const MEMORY_FAULTS: readonly LastingFault<MemoryTestPlace>[] = REASONS.map((reason) => ({
  title: "every call",
  reason,
  begin: ({ place }) => {
    place.failure = replicaFailed(reason, `it is ${reason}`);
    return () => {
      place.failure = undefined;
    };
  },
}));

export interface MemoryTestPlace extends TestedPlace {
  readonly place: MemoryPlace;
}

export function memoryPlace(refusesSecond: boolean): MemoryTestPlace {
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
