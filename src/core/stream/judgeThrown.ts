/** What a request threw, as one of Forge's failures; the same for every library and service. */

import type { ForgeError } from "../errors.ts";
import { CANCELLED } from "./failures.ts";
import { httpFailure, type RequestFacts, type SaidError } from "./httpFailure.ts";
import { networkFailure, type RequestPhase } from "./networkFailure.ts";

/** Judges `thrown` by what the adapter has read out of it: `said` is `undefined` where a connection failed. */
export function judgeThrown(
  thrown: unknown,
  said: SaidError | "cancelled" | undefined,
  { phase, ...facts }: RequestFacts & { readonly phase: RequestPhase },
): ForgeError {
  if (said === "cancelled") return CANCELLED;
  if (said === undefined) return networkFailure(facts.provider, thrown, phase, facts.secrets);
  return httpFailure({ ...facts, ...said });
}
