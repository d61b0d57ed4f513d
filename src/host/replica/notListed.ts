import { replicaFailed, type ReplicaFailed } from "../../core/replica/logReplica.ts";
import { localize } from "../../protocol/localize.ts";

export function notListed(): ReplicaFailed {
  return replicaFailed("unexpected", localize("What was put there is not in its list."));
}
