import assert from "node:assert/strict";
import { type ReplicaFailure, replicaFailed, type LogReplica } from "../../../src/core/replica/logReplica.ts";
import { err, ok } from "../../../src/core/result.ts";
import { checkPlace, type CheckedPlace, type PlaceFailure } from "../../../src/host/replica/commands/placeCheck.ts";
import { ImpatientClock } from "../../support/clocks.ts";
import { MemoryPlace, MemoryReplica } from "../../support/replica/memoryReplica.ts";
import { NEVER_CANCELLED } from "../../support/replica/replicaFaults.ts";

const RANDOM = "0123456789abcdef";
const [KEY, SEGMENT] = [`probe/${RANDOM}.key`, `probe/${RANDOM}.segment`];

describe("Whether a place can hold a replica", () => {
  let place: MemoryPlace;
  let clock: ImpatientClock;
  beforeEach(() => {
    place = new MemoryPlace();
    clock = new ImpatientClock(0, 25_000);
  });

  async function check(
    change: (objects: LogReplica) => Partial<LogReplica> = () => ({}),
  ): Promise<CheckedPlace | PlaceFailure> {
    const real = new MemoryReplica(place);
    const objects: LogReplica = {
      put: (name, bytes, cancel) => real.put(name, bytes, cancel),
      get: (name, cancel) => real.get(name, cancel),
      list: (prefix, page, cancel) => real.list(prefix, page, cancel),
      delete: (name, cancel) => real.delete(name, cancel),
    };
    const opened = { objects: { ...objects, ...change(real) }, foreignNames: () => Promise.resolve(ok([])) };
    const checked = await checkPlace(opened, RANDOM, clock, NEVER_CANCELLED);
    return checked.ok ? checked.value : checked.error;
  }

  it("is found out in an empty one, which is empty afterwards", async () => {
    assert.deepEqual(await check(), { state: "empty", refusesSecond: true, deletesAll: true });
    assert.deepEqual([...place.objects], []);
  });

  it("is found out beside what an earlier test left", async () => {
    place.put("probe/ffffffffffffffff.segment", Uint8Array.of(1));
    assert.deepEqual(await check(), { state: "empty", refusesSecond: true, deletesAll: true });
  });

  it("is told of one that replaces the first by the second", async () => {
    place = new MemoryPlace({ refusesSecond: false });
    assert.deepEqual(await check(), { state: "empty", refusesSecond: false, deletesAll: true });
    assert.deepEqual([...place.objects], []);
  });

  it("is not found out in one with objects of others", async () => {
    for (const name of ["d", "b", "c", "a"]) place.put(name, Uint8Array.of(1));
    assert.deepEqual(await check(), { code: "PLACE_NOT_EMPTY", names: ["a", "b", "c"] });
    assert.equal(place.objects.size, 4);
  });

  it("is not found out in one of a newer Forge", async () => {
    place.put("root/of.later", Uint8Array.of(1));
    assert.deepEqual(await check(), { code: "PLACE_NEWER" });
  });

  it("is told of rights to delete keys alone, which leave one object", async () => {
    const denied = replicaFailed("denied", "");
    const checked = await check((real) => ({
      delete: (name, cancel) => (name.endsWith(".key") ? real.delete(name, cancel) : Promise.resolve(err(denied))),
    }));
    assert.deepEqual(checked, { state: "empty", refusesSecond: true, deletesAll: false });
    assert.deepEqual([...place.objects.keys()], [SEGMENT]);
  });

  it("needs what was put to be listed, at last", async () => {
    let lists = 0;
    const checked = await check((real) => ({
      list: (prefix, page, cancel) =>
        prefix !== "" && ++lists < 4 ? Promise.resolve(ok(undefined)) : real.list(prefix, page, cancel),
    }));
    assert.deepEqual(checked, { state: "empty", refusesSecond: true, deletesAll: true });
    assert.deepEqual(clock.pauses, [1_000, 1_000, 1_000]);
    const never = await check((real) => ({
      list: (prefix, page, cancel) =>
        prefix === "" ? real.list(prefix, page, cancel) : Promise.resolve(ok(undefined)),
    }));
    assert.deepEqual(never, replicaFailed("unexpected", "What was put there is not in its list."));
    assert.deepEqual([...place.objects], []);
  });

  for (const [title, bytes] of [
    ["nothing", undefined],
    ["something else", new Uint8Array(13)],
    ["a part", new Uint8Array(2)],
  ] as const)
    it(`is refused by one that returns ${title}`, async () => {
      assert.deepEqual(await check(() => ({ get: () => Promise.resolve(ok(bytes)) })), { code: "PLACE_UNFIT" });
      assert.deepEqual([...place.objects], []);
    });

  const failing: readonly (readonly [call: keyof LogReplica, left: readonly string[]])[] = [
    ["list", []],
    ["put", []],
    ["get", []],
    ["delete", [KEY, SEGMENT]],
  ];
  for (const [call, left] of failing)
    for (const reason of ["unreachable", "denied"] satisfies ReplicaFailure[])
      it(`is not told by one whose ${call} fails: ${reason}`, async () => {
        const failure = replicaFailed(reason, call);
        assert.deepEqual(await check(() => ({ [call]: () => Promise.resolve(err(failure)) })), failure);
        assert.deepEqual([...place.objects.keys()].sort(), left);
      });
});
