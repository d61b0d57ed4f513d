import type { Cancelled } from "../../../core/errors.ts";
import { showWarning } from "../../editor/boxes/messages.ts";
import { explainReplica, type ReplicaPhase, type ReplicaProblem } from "../../words/explainReplica.ts";
import type { ReplicaPlace } from "../replicaSetup.ts";
import { namedPlace } from "../statusTexts.ts";

/** Says nothing of what the user cancelled. */
export function warnOf(problem: ReplicaProblem | Cancelled, place: ReplicaPlace, phase: ReplicaPhase): void {
  if (problem.code !== "CANCELLED") void showWarning(explainReplica(problem, namedPlace(place), phase));
}
