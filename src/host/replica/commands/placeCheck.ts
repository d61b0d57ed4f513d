/** Finds out, before anything is sent, that a place is empty or a replica, and what it can do. */

import type { CancelSignal } from "../../../core/cancellation.ts";
import type { Clock } from "../../../core/clock.ts";
import type { Cancelled, StorageFailed } from "../../../core/errors.ts";
import type { LogReplica, ReplicaFailed } from "../../../core/replica/logReplica.ts";
import { isProbeName, parseName, probeName } from "../../../core/replica/objectNames.ts";
import { type PlaceRefused, stateOf } from "../../../core/replica/replicaRoot.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import type { OpenedPlace } from "../openReplicaPlace.ts";
import { notListed } from "../notListed.ts";
import type { PlaceAbilities } from "../replicaSetup.ts";

export type PlaceFailure = PlaceRefused | ReplicaFailed | StorageFailed | Cancelled;

export interface CheckedPlace extends PlaceAbilities {
  readonly state: "empty" | "replica";
}

const MOST_NAMES = 3;
/** Lists of some stores lag. */
const LISTS = 5;
const BETWEEN_LISTS_MS = 1_000;
const FIRST = new TextEncoder().encode("forge-probe-1");
const SECOND = new TextEncoder().encode("forge-probe-2");

/** `random` names what is put for the test and removed afterwards. */
export async function checkPlace(
  place: OpenedPlace,
  random: string,
  clock: Clock,
  cancel: CancelSignal,
): Promise<Result<CheckedPlace, PlaceFailure>> {
  const { objects } = place;
  const state = await stateOf({ place: objects, cancel });
  if (!state.ok) return state;
  if (state.value === "newer") return err({ code: "PLACE_NEWER" });
  if (state.value !== "replica") {
    const names = await foreignNames(place, cancel);
    if (!names.ok) return names;
    if (names.value.length > 0) return err({ code: "PLACE_NOT_EMPTY", names: names.value });
  }
  const abilities = await abilitiesOf(objects, random, clock, cancel);
  return abilities.ok ? ok({ state: state.value === "replica" ? "replica" : "empty", ...abilities.value }) : abilities;
}

async function foreignNames(
  place: OpenedPlace,
  cancel: CancelSignal,
): Promise<Result<readonly string[], PlaceFailure>> {
  const others = await place.foreignNames(cancel);
  if (!others.ok) return others;
  const names = new Set(others.value);
  const listed = await place.objects.list(
    "",
    (page) => {
      for (const { name } of page) if (parseName(name) === undefined && !isProbeName(name)) names.add(name);
    },
    cancel,
  );
  return listed.ok ? ok([...names].sort().slice(0, MOST_NAMES)) : listed;
}

async function abilitiesOf(
  objects: LogReplica,
  random: string,
  clock: Clock,
  cancel: CancelSignal,
): Promise<Result<PlaceAbilities, PlaceFailure>> {
  const [key, segment] = [probeName(random, "key"), probeName(random, "segment")];
  const put = await objects.put(key, FIRST, cancel);
  if (!put.ok) return put;
  const other = await objects.put(segment, FIRST, cancel);
  const refuses = other.ok ? await refusesSecond(objects, key, cancel) : other;
  const listed = refuses.ok ? await listsProbe(objects, key, clock, cancel) : refuses;
  const all = await objects.delete(segment, cancel);
  const deleted = await objects.delete(key, cancel);
  if (!refuses.ok) return refuses;
  if (!listed.ok) return listed;
  if (!deleted.ok) return deleted;
  const isDenied = !all.ok && all.error.code === "REPLICA_FAILED" && all.error.reason === "denied";
  return all.ok || isDenied ? ok({ refusesSecond: refuses.value, deletesAll: all.ok }) : all;
}

async function refusesSecond(
  objects: LogReplica,
  name: string,
  cancel: CancelSignal,
): Promise<Result<boolean, PlaceFailure>> {
  const before = await objects.get(name, cancel);
  if (!before.ok) return before;
  if (!isSame(before.value, FIRST)) return err({ code: "PLACE_UNFIT" });
  const put = await objects.put(name, SECOND, cancel);
  if (!put.ok) return put;
  const after = await objects.get(name, cancel);
  if (!after.ok) return after;
  if (isSame(after.value, FIRST)) return ok(true);
  return isSame(after.value, SECOND) ? ok(false) : err({ code: "PLACE_UNFIT" });
}

async function listsProbe(
  objects: LogReplica,
  name: string,
  clock: Clock,
  cancel: CancelSignal,
): Promise<Result<void, PlaceFailure>> {
  for (let attempt = 1; attempt <= LISTS && !cancel.aborted; attempt++) {
    const found = new Set<string>();
    const listed = await objects.list(
      name,
      (page) => {
        for (const object of page) if (object.length === FIRST.length) found.add(object.name);
      },
      cancel,
    );
    if (!listed.ok) return listed;
    if (found.has(name)) return ok(undefined);
    await new Promise<void>((resolve) => void clock.after(BETWEEN_LISTS_MS, resolve));
  }
  return err(notListed());
}

function isSame(bytes: Uint8Array | undefined, expected: Uint8Array): boolean {
  return bytes?.length === expected.length && bytes.every((byte, at) => byte === expected[at]);
}
