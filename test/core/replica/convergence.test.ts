import assert from "node:assert/strict";
import fc from "fast-check";
import { MACHINE_ACTS, sharedTrees } from "../../support/replica/machineActs.ts";
import { Machine, type PublishedSegment } from "../../support/replica/machine.ts";

const step = fc.record({
  machine: fc.nat(2),
  act: fc.constantFrom(...Object.keys(MACHINE_ACTS), "publish", "publish", "receive", "receive", "ask"),
  number: fc.nat(11),
});

describe("Copies of a conversation", () => {
  it("are equal by global ids once all machines have all segments, whatever was done where", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const machines = ["a", "b", "c"].map((name) => new Machine(name));
        const segments: PublishedSegment[] = [];
        const publish = (machine: Machine): void => {
          segments.push(...machine.publish());
        };
        for (const { machine: at, act, number } of steps) {
          const machine = machines[at];
          assert.ok(machine);
          if (act === "publish") publish(machine);
          else if (act === "receive") machine.receive(segments);
          else MACHINE_ACTS[act]?.(machine, number);
        }
        for (let round = 0; round < 4; round++) {
          for (const machine of machines) {
            machine.receive(segments);
            publish(machine);
          }
        }
        const [first, ...others] = sharedTrees(machines);
        for (const other of others) assert.deepEqual(other, first);
      }),
      { numRuns: 300 },
    );
  });
});
