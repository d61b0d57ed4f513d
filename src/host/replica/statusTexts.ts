/** The state of replication, in lines. */

import { localize, plural } from "../../protocol/localize.ts";
import { explainReplica, type NamedPlace } from "../words/explainReplica.ts";
import { formatAge } from "../words/formatting.ts";
import type { ReplicaStatus } from "./replicaControl.ts";
import type { ReplicaPlace } from "./replicaSetup.ts";

export function namedPlace(place: ReplicaPlace): NamedPlace {
  if (place.kind === "folder") return { kind: "folder", name: place.path };
  const prefix = place.prefix === "" ? "" : `/${place.prefix}`;
  return { kind: "bucket", name: `${place.bucket}${prefix} (${new URL(place.endpoint).host})` };
}

/** "All 214 conversations are on the replica, checked 2 min ago", or "3 of 214 conversations wait". */
export function statusLine(
  { state, conversations, waiting, checkedAtMs, problem }: ReplicaStatus,
  nowMs: number,
): string {
  if (state === "off") return localize("Conversations are kept on this machine only");
  const checked = checkedAtMs === undefined ? localize("not checked yet") : formatAge(nowMs - checkedAtMs);
  if (waiting > 0 || checkedAtMs === undefined || problem !== undefined) {
    return plural(
      waiting,
      "1 conversation waits, of {1}; last complete check: {2}",
      "{0} conversations wait, of {1}; last complete check: {2}",
      conversations,
      checked,
    );
  }
  return plural(
    conversations,
    "The conversation is on the replica, checked {1}",
    "All {0} conversations are on the replica, checked {1}",
    checked,
  );
}

/** `undefined`: all is well. */
export function problemText({ problem }: ReplicaStatus, place: NamedPlace): string | undefined {
  return problem === undefined ? undefined : explainReplica(problem, place, "running");
}
