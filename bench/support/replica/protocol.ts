/** The exhaustive search of the protocol's model, as far as a number of states allows. */

import type { ModelLimits } from "../../../test/support/replica/protocolModel.ts";
import { searchProtocol } from "../../../test/support/replica/protocolSearch.ts";

/** Two to three gigabytes. */
const MOST_STATES = 3_000_000;
/** Of one search more steps than of the one before, with fewer kills and lagging lists among them. */
const SEARCHES: readonly ModelLimits[] = [{ steps: 3 }, { steps: 4, faults: 1 }, { steps: 6, faults: 0 }];

/** Of states that `npm test` searches, too; with `full` of those with more steps. */
export function protocolFigures(full: boolean): Readonly<Record<string, number>> {
  const figures: Record<string, number> = {};
  let [allStates, allFaults, mostSteps] = [0, 0, 0];
  for (const limits of full ? SEARCHES : [{ steps: 2 }]) {
    const { states, faults, isComplete } = searchProtocol(limits, MOST_STATES);
    const { steps, faults: allowed } = limits;
    const among = allowed === undefined ? "any number of faults" : `${String(allowed)} faults`;
    const ended = isComplete ? "all" : "not all";
    console.log(`protocol, ${String(steps)} steps each, ${among}: ${String(states)} states, ${ended}`);
    for (const fault of faults) console.log(fault);
    allStates += states;
    allFaults += faults.length;
    if (isComplete) mostSteps = Math.max(mostSteps, steps);
    figures[`protocolStates${String(steps)}Steps`] = states;
  }
  return { protocolSteps: mostSteps, protocolStates: allStates, protocolFaults: allFaults, ...figures };
}
