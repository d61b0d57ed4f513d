/** The contract of every `LogReplica`, with mocha. */

import type { LastingFault, TestedPlace } from "../../support/replica/replicaFaults.ts";
import { faultyReplicaCases, lastingFaultCase } from "./faultyReplicaCases.ts";
import { replicaCases } from "./logReplicaCases.ts";

export function logReplicaContract<Place extends TestedPlace>(
  name: string,
  makePlace: () => Place | Promise<Place>,
  lasting: readonly LastingFault<Place>[],
): void {
  describe(`LogReplica: ${name}`, () => {
    let place: Place;
    beforeEach(async () => {
      place = await makePlace();
    });
    afterEach(() => place.remove());
    for (const { title, run } of replicaCases) it(title, () => run(place));
    for (const { title, run } of faultyReplicaCases) it(title, () => run(place, place.faults));
    for (const fault of lasting) it(`says ${fault.reason}: ${fault.title}`, () => lastingFaultCase(place, fault));
  });
}
