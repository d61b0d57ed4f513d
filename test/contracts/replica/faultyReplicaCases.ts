/** The contract of every `LogReplica` on a place with faults. */

import assert from "node:assert/strict";
import type { LogReplica } from "../../../src/core/replica/logReplica.ts";
import {
  NEVER_CANCELLED,
  type FaultyPlace,
  type LastingFault,
  type PutFault,
  type ReplicaPlace,
} from "../../support/replica/replicaFaults.ts";
import { bytesOf, CREATED, DONE, EXISTS, got, listed, put } from "./logReplicaCases.ts";

export interface FaultyReplicaCase {
  readonly title: string;
  readonly run: (place: ReplicaPlace, faults: FaultyPlace) => Promise<void>;
}

const BYTES = bytesOf(7, 30_000);

/** Each part of it was written, from its start. */
function assertBeginning(found: Uint8Array | undefined): void {
  if (found !== undefined) assert.deepEqual(found, BYTES.slice(0, found.length));
}

async function assertWhole(replica: LogReplica, name: string): Promise<void> {
  assert.deepEqual(await got(replica, name), BYTES);
  assert.deepEqual(await listed(replica, name), [{ name, length: BYTES.length }]);
}

const afterFault = (fault: PutFault, title: string): FaultyReplicaCase => ({
  title,
  run: async ({ open, refusesSecond }, faults) => {
    const [writer, reader] = [open(), open()];
    faults.fault(fault);
    const first = await put(writer, "a/b", BYTES);
    if (fault === "dropped" || fault === "half") assert.equal(first.ok, false);
    if (!first.ok) assert.ok(first.error.code === "REPLICA_FAILED" && first.error.reason === "unreachable");
    const found = await got(reader, "a/b");
    if (first.ok) assert.deepEqual(found, BYTES);
    else assertBeginning(found);
    assert.deepEqual(await listed(reader, "a/"), found === undefined ? [] : [{ name: "a/b", length: found.length }]);
    assert.deepEqual(await put(writer, "a/b", BYTES), found !== undefined && refusesSecond ? EXISTS : CREATED);
    await assertWhole(reader, "a/b");
  },
});

export const faultyReplicaCases: readonly FaultyReplicaCase[] = [
  afterFault("dropped", "puts again what never got there"),
  afterFault("answerLost", "puts again what was there without its knowing"),
  afterFault("doubled", "has one object of a put that got there twice"),
  afterFault("half", "completes a put that was cut, which others see as shorter at most"),
  {
    title: "has both of two puts that get there in another order",
    run: async ({ open }: ReplicaPlace, faults: FaultyPlace): Promise<void> => {
      const replica = open();
      const held = faults.hold();
      const first = put(replica, "order/1", BYTES);
      await held.isHeld;
      assert.deepEqual(await put(replica, "order/2", BYTES), CREATED);
      assert.deepEqual(await listed(replica, "order/"), [{ name: "order/2", length: BYTES.length }]);
      held.release();
      assert.deepEqual(await first, CREATED);
      await assertWhole(replica, "order/1");
    },
  },
  {
    title: "ends a put that is on its way when it is cancelled; it may come later, even after a delete",
    run: async ({ open }: ReplicaPlace, faults: FaultyPlace): Promise<void> => {
      const replica = open();
      const held = faults.hold();
      const cancel = new AbortController();
      const first = replica.put("late", BYTES, cancel.signal);
      await held.isHeld;
      cancel.abort();
      assert.deepEqual(await first, { ok: false, error: { code: "CANCELLED" } });
      assert.deepEqual(await replica.delete("late", NEVER_CANCELLED), DONE);
      held.release();
      const again = await put(replica, "late", BYTES);
      assert.ok(again.ok, JSON.stringify(again));
      await assertWhole(replica, "late");
    },
  },
  {
    title: "reads what a listing does not have yet, and lists what was there",
    run: async ({ open }: ReplicaPlace, faults: FaultyPlace): Promise<void> => {
      const replica = open();
      await put(replica, "lag/1", BYTES);
      await put(replica, "lag/2", BYTES);
      const catchUp = faults.lag();
      assert.deepEqual(await put(replica, "lag/3", BYTES), CREATED);
      assert.deepEqual(await replica.delete("lag/1", NEVER_CANCELLED), DONE);
      const names = (await listed(replica, "lag/")).map(({ name }) => name);
      assert.ok(names.includes("lag/2") && !names.includes("lag/3"), names.join(" "));
      assert.deepEqual(await got(replica, "lag/3"), BYTES);
      assert.equal(await got(replica, "lag/1"), undefined);
      catchUp();
      assert.deepEqual(
        (await listed(replica, "lag/")).map(({ name }) => name),
        ["lag/2", "lag/3"],
      );
    },
  },
];

/** Of each lasting fault: it is named, changes nothing, and is over when it ends. */
export async function lastingFaultCase<Place extends ReplicaPlace>(
  place: Place,
  { begin, reason }: LastingFault<Place>,
): Promise<void> {
  const { open, refusesSecond } = place;
  const replica = open();
  await put(replica, "before", BYTES);
  const end = begin(place);
  const failed = await put(replica, "while/it/lasts", BYTES);
  assert.ok(!failed.ok && failed.error.code === "REPLICA_FAILED", JSON.stringify(failed));
  assert.deepEqual([failed.error.reason, failed.error.detail.length > 0], [reason, true], failed.error.detail);
  const found = await replica.get("before", NEVER_CANCELLED);
  // Nothing is said to be absent.
  if (found.ok) assert.deepEqual(found.value, BYTES);
  const names: string[] = [];
  const seen = await replica.list("", (page) => names.push(...page.map(({ name }) => name)), NEVER_CANCELLED);
  if (seen.ok) assert.ok(names.includes("before"));
  end();
  const begun = await got(replica, "while/it/lasts");
  assertBeginning(begun);
  const again = await put(replica, "while/it/lasts", BYTES);
  assert.deepEqual(again, begun !== undefined && refusesSecond ? EXISTS : CREATED);
  await assertWhole(replica, "while/it/lasts");
  await assertWhole(replica, "before");
}
