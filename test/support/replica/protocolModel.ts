/**
 * The protocol with contents left out: two machines, a store, and every order of their steps. What the machines decide is
 * decided by the product's own `ReplicaLedger` and `GlobalIds`.
 */

import type { SegmentRecord } from "../../../src/core/history/records.ts";
import type { GlobalId, ObjectHash } from "../../../src/core/history/segmentInfo.ts";
import type { ConversationId } from "../../../src/core/ids.ts";
import { GlobalIds } from "../../../src/core/replica/globalIds.ts";
import { nameOf, parseName, type KeyName, type ObjectName } from "../../../src/core/replica/objectNames.ts";
import {
  listedObjects,
  ReplicaLedger,
  type KnownObject,
  type ListedObjects,
  type ReplicaPlan,
} from "../../../src/core/replica/replicaLedger.ts";

const CONVERSATION = "00000000-0000-4000-8000-000000000001" as ConversationId;
const LENGTH = 9;

/** A segment has one message, or erases one. */
interface ModelSegment {
  readonly record: SegmentRecord;
}
/** Content of an object: its segments, and those of which it has the text. */
interface ModelObject {
  readonly segments: readonly ModelSegment[];
  readonly texts: readonly ObjectHash[];
  readonly replaces: readonly ObjectHash[];
  readonly without: readonly ObjectHash[];
}
interface Made {
  readonly name: string;
  readonly object: ModelObject;
  readonly key: string;
}

interface ModelMachine {
  /** Durable. */
  readonly segments: readonly SegmentRecord[];
  readonly outbox: readonly Made[];
  /** Names that are to be deleted. */
  readonly removing: readonly string[];
  /** A cache: may be lost. */
  readonly known: readonly KnownObject[];
  readonly made: number;
  /** Steps that it may take yet. */
  readonly steps: number;
}
export interface ModelState {
  readonly machines: readonly [ModelMachine, ModelMachine];
  /** By name. An object that was put in part has no content yet. */
  readonly store: Readonly<Record<string, ModelObject | "key" | "partial">>;
  /** Segments that were durable in the store once. */
  readonly published: readonly ObjectHash[];
  /** Kills and lists that lag, as far as there may be more. */
  readonly faults: number;
}

export interface ModelLimits {
  /** Steps of each machine: its person writes or erases, it forgets what it can, or it works until a kill. */
  readonly steps: number;
  /** Kills and lists that lag, of both machines together; absent: any number. */
  readonly faults?: number;
}

export function startState({ steps, faults = Infinity }: ModelLimits): ModelState {
  const machine: ModelMachine = { segments: [], outbox: [], removing: [], known: [], made: 0, steps };
  return { machines: [machine, machine], store: {}, published: [], faults };
}

/** All states that one step of a machine leads to. */
export function* nextStates(state: ModelState): Generator<ModelState, void> {
  for (const at of [0, 1] as const) {
    const machine = state.machines[at];
    if (machine.steps === 0) continue;
    const stepped = { ...machine, steps: machine.steps - 1 };
    yield withMachine(state, at, written(stepped, at, undefined));
    const ids = idsOf(machine);
    const message = machine.segments.find(
      ({ segment, erases }) => erases === undefined && !ids.isErased({ segment: segment.hash, index: 0 }),
    );
    if (message !== undefined)
      yield withMachine(state, at, written(stepped, at, { segment: message.segment.hash, index: 0 }));
    if (machine.known.length > 0) yield withMachine(state, at, { ...stepped, known: [] });
    yield* working(withMachine(state, at, stepped), at, undefined);
    const newest = Object.keys(state.store).at(-1);
    const lagging = faulty(withMachine(state, at, stepped));
    if (newest !== undefined && lagging !== undefined) yield* working(lagging, at, newest);
  }
}

/** After one fault more; `undefined` if there may be none. */
function faulty(state: ModelState): ModelState | undefined {
  if (state.faults === Infinity) return state;
  return state.faults === 0 ? undefined : { ...state, faults: state.faults - 1 };
}

/** The machine works to its end, or is killed at any place. Its list may lack an object all the time. */
function* working(start: ModelState, at: 0 | 1, unlisted: string | undefined): Generator<ModelState, void> {
  let state = start;
  for (let count = 0; count < 40; count++) {
    const [put, cut] = [...putStates(state, at)];
    const inPart = cut === undefined || put === undefined ? undefined : faulty(put);
    if (inPart !== undefined) yield inPart; // an object is there in part
    const next =
      cut ??
      put ??
      planStates(
        state,
        at,
        Object.keys(state.store).filter((name) => name !== unlisted),
      ).next().value;
    if (next === undefined) break;
    state = next;
    const killed = faulty(state);
    if (killed !== undefined) yield killed;
  }
  if (state !== start && state.faults !== Infinity) yield state;
}

/** Equal for states that are equal. Shorter than JSON: it is made for each state. */
export function keyOfState({ machines, store, published, faults }: ModelState): string {
  const names = Object.entries(store).map(([name, object]) => [name.slice(PLACE), short(object)]);
  return [
    ...machines.map(({ segments, outbox, removing, known, made, steps }) =>
      [
        segments.map(shortRecord),
        outbox.map(({ name, object }) => [name.slice(PLACE), short(object)]),
        removing.map((name) => name.slice(PLACE)),
        known.map(({ hash, segments: its, replaces, without }) => [hash, its, replaces, without].flat().map(digits)),
        made,
        steps,
      ].join("|"),
    ),
    names.join(","),
    published.map(digits).join(),
    faults,
  ].join("/");
}

/** Before it, all names are the same. */
const PLACE = `c/${CONVERSATION}/`.length;

function short(object: ModelObject | "key" | "partial"): string {
  if (typeof object === "string") return object;
  const { segments, texts, replaces, without } = object;
  const lists = [
    segments.map(({ record }) => shortRecord(record)),
    texts.map(digits),
    replaces.map(digits),
    without.map(digits),
  ];
  return lists.map((list) => list.join("+")).join(";");
}

function shortRecord({ segment, erases = [] }: SegmentRecord): string {
  return `${digits(segment.hash)}<${segment.after.map(digits).join("+")}-${erases.map((id) => digits(id.segment)).join("+")}`;
}

/** The digits that tell hashes of the model apart. */
function digits(hash: string): string {
  return hash.slice(0, 3);
}

/** Segments that were durable once and can be read no more. */
export function lostIn({ store, published }: ModelState): readonly ObjectHash[] {
  const readable = new Set(
    readableObjects(store).flatMap(({ segments }) => segments.map(({ record }) => record.segment.hash)),
  );
  return published.filter((hash) => !readable.has(hash));
}

/** Faults that are left once both machines have done all that there is to do, without faults. */
export function faultsWhenQuiet(start: ModelState): readonly string[] {
  let state = start;
  for (let round = 0; round < 200; round++) {
    const before = state;
    for (const at of [0, 1] as const) {
      state = putStates(state, at, false).next().value ?? state;
      state = planStates(state, at, Object.keys(state.store)).next().value ?? state;
    }
    if (state === before) return faultsOf(state);
  }
  return ["there is always more to do"];
}

function faultsOf(state: ModelState): readonly string[] {
  const [one, other] = state.machines.map(({ segments }) =>
    segments
      .map(({ segment }) => segment.hash)
      .sort()
      .join(" "),
  );
  const erased = new Set(state.machines.flatMap((machine) => erasedIn(machine)));
  const texts = readableObjects(state.store).flatMap(({ texts: left }) => left.filter((hash) => erased.has(hash)));
  return [
    ...(one === other ? [] : [`one machine has ${String(one)}, the other ${String(other)}`]),
    ...texts.map((hash) => `erased and readable: ${hash}`),
    ...state.machines.flatMap(({ outbox }) => outbox.map(({ name }) => `still to be put: ${name}`)),
  ];
}

function readableObjects(store: ModelState["store"]): readonly ModelObject[] {
  const { whole, keys } = listOf(store, Object.keys(store));
  return [...whole.values()].flatMap(({ name, hash }) => {
    const object = store[name];
    return keys.has(hash) && typeof object === "object" ? [object] : [];
  });
}

function withMachine({ machines, ...state }: ModelState, at: 0 | 1, machine: ModelMachine): ModelState {
  return { ...state, machines: at === 0 ? [machine, machines[1]] : [machines[0], machine] };
}

/** Folded once for each list of segments. */
const foldedIds = new WeakMap<readonly SegmentRecord[], GlobalIds>();

function idsOf({ segments }: ModelMachine): GlobalIds {
  const folded = foldedIds.get(segments);
  if (folded !== undefined) return folded;
  const ids = new GlobalIds();
  for (const record of segments) ids.learn(record);
  foldedIds.set(segments, ids);
  return ids;
}

const parsedNames = new Map<string, ObjectName | undefined>();

function parsed(name: string): ObjectName | undefined {
  if (!parsedNames.has(name)) parsedNames.set(name, parseName(name));
  return parsedNames.get(name);
}

function erasedIn({ segments }: ModelMachine): readonly ObjectHash[] {
  return segments.flatMap(({ erases = [] }) => erases.map(({ segment }) => segment));
}

function hashOf(at: 0 | 1, made: number): ObjectHash {
  return `${String(at)}${made.toString(16).padStart(2, "0")}`.padEnd(32, "0");
}

function written(machine: ModelMachine, at: 0 | 1, erases: GlobalId | undefined): ModelMachine {
  const ids = idsOf(machine);
  const [hash, writer] = [hashOf(at, machine.made), String(at).repeat(16)];
  const epoch = 1 + Math.max(0, ...ids.segments.map((each) => each.epoch));
  const sequence = ids.segments.filter((each) => each.writer === writer).length;
  const record: SegmentRecord = {
    kind: "segment",
    segment: { hash, writer, sequence, epoch, after: ids.heads, count: 1, machine: writer },
    runs: [],
    ...(erases === undefined ? {} : { erases: [erases] }),
  };
  const object = { segments: [{ record }], texts: erases === undefined ? [hash] : [], replaces: [], without: [] };
  const named = { conversation: CONVERSATION, epoch, writer, sequence, length: LENGTH, hash };
  const own: Made = { name: nameOf({ kind: "segment", ...named }), object, key: keyOf(hash) };
  return {
    ...machine,
    segments: [...machine.segments, record],
    outbox: [...machine.outbox, own],
    made: machine.made + 1,
  };
}

function keyOf(object: ObjectHash): string {
  return nameOf({ kind: "key", conversation: CONVERSATION, object, key: "0".repeat(16), length: LENGTH, hash: object });
}

function listOf(store: ModelState["store"], names: readonly string[]): ListedObjects {
  return listedObjects(
    names.flatMap((name) => {
      const read = parsed(name);
      return read === undefined ? [] : [{ name: read, length: store[name] === "partial" ? 1 : LENGTH }];
    }),
  );
}

/** A key, then part of its object, then the rest. */
function putOnce(
  store: ModelState["store"],
  { name, object, key }: Made,
  partly: boolean,
): ModelState["store"] | undefined {
  if (!(key in store)) return { ...store, [key]: "key" };
  if (partly && !(name in store)) return { ...store, [name]: "partial" };
  if (store[name] === undefined || store[name] === "partial") return { ...store, [name]: object };
  return undefined;
}

function* putStates(state: ModelState, at: 0 | 1, isCut = true): Generator<ModelState, void> {
  const machine = state.machines[at];
  const [head, ...others] = machine.outbox;
  if (head === undefined) return;
  const ids = idsOf(machine);
  const own = parsed(head.name);
  if (own?.kind === "segment" && new ReplicaLedger().isOutdated(own.hash, ids)) {
    const made = packOf(machine, at, [[own.hash, head.object]]);
    const removing = [...machine.removing, head.key, head.name]; // they may have been put in part
    yield withMachine(state, at, { ...machine, outbox: [made, ...others], removing, made: machine.made + 1 });
    return;
  }
  const listed = listOf(state.store, Object.keys(state.store));
  const isReplaced = own !== undefined && ledgerOf(machine).isReplaced(own.hash, listed);
  if (isReplaced) {
    // Its key may have been put before, and nobody else would know of it.
    yield withMachine(state, at, { ...machine, outbox: others, removing: [...machine.removing, head.key, head.name] });
    return;
  }
  for (const partly of isCut ? [true, false] : [false]) {
    const store = putOnce(state.store, head, partly);
    if (store !== undefined) yield { ...state, store };
    else {
      const hashes = head.object.segments.map(({ record }) => record.segment.hash);
      const published = [...new Set([...state.published, ...hashes])].sort();
      yield { ...withMachine(state, at, { ...noted(machine, head.name, head.object), outbox: others }), published };
      return;
    }
  }
}

function packOf(
  machine: ModelMachine,
  at: 0 | 1,
  objects: readonly (readonly [hash: ObjectHash, object: ModelObject])[],
): Made {
  const ids = idsOf(machine);
  const erased = new Set(erasedIn(machine));
  const hash = hashOf(at, machine.made);
  const segments = new Map(
    objects.flatMap(([, object]) => object.segments.map((each) => [each.record.segment.hash, each])),
  );
  const object: ModelObject = {
    segments: [...segments.values()].sort((one, other) => one.record.segment.epoch - other.record.segment.epoch),
    texts: [...new Set(objects.flatMap(([, { texts }]) => texts))].filter((text) => !erased.has(text)).sort(),
    replaces: objects.map(([replaced]) => replaced).sort(),
    without: [...ids.erasing.keys()].sort(),
  };
  const name = nameOf({ kind: "pack", conversation: CONVERSATION, length: LENGTH, hash });
  return { name, object, key: keyOf(hash) };
}

/** The first step of the plan that can be taken. */
function* planStates(state: ModelState, at: 0 | 1, names: readonly string[]): Generator<ModelState, void> {
  const machine = state.machines[at];
  const listed = listOf(state.store, names);
  const ids = idsOf(machine);
  const ledger = ledgerOf(machine);
  const [removed, ...later] = machine.removing;
  if (removed !== undefined) {
    const store = Object.fromEntries(Object.entries(state.store).filter(([name]) => name !== removed));
    yield withMachine({ ...state, store }, at, { ...machine, removing: later });
    return;
  }
  const plan: ReplicaPlan = ledger.plan(listed, ids);
  for (const { name } of plan.fetch) {
    const object = state.store[name];
    if (typeof object !== "object") continue;
    const added = placed(machine, object);
    if (added === undefined) continue;
    yield withMachine(state, at, noted(added, name, object));
    return;
  }
  if (machine.outbox.length > 0) return;
  const packed = plan.scrub.length > 0 ? plan.scrub : plan.merge;
  if (packed.length > 0) {
    const objects = packed.flatMap((hash) => {
      const object = state.store[listed.whole.get(hash)?.name ?? ""];
      return typeof object === "object" && listed.keys.has(hash) ? [[hash, object] as const] : [];
    });
    if (objects.length > 0) {
      yield withMachine(state, at, {
        ...machine,
        outbox: [packOf(machine, at, objects)],
        made: machine.made + 1,
      });
      return;
    }
  }
  if (plan.remove.length > 0)
    yield withMachine(state, at, { ...machine, removing: plan.remove.map(({ name }) => name) });
}

/** With the segments of an object; `undefined` if one that they come after is not here. */
function placed(machine: ModelMachine, { segments }: ModelObject): ModelMachine | undefined {
  const here = [...machine.segments];
  for (const { record } of segments) {
    const has = (hash: ObjectHash): boolean => here.some(({ segment }) => segment.hash === hash);
    if (has(record.segment.hash)) continue;
    if (!record.segment.after.every(has)) return undefined;
    here.push(record);
  }
  return { ...machine, segments: here };
}

/** Objects that wait to be put are known as well. */
function ledgerOf({ known, outbox }: ModelMachine): ReplicaLedger {
  const ledger = new ReplicaLedger(known, 2);
  for (const { name, object } of outbox) ledger.note(knownOf(name, object, false));
  return ledger;
}

function knownOf(name: string, { segments, replaces, without }: ModelObject, isRead: boolean): KnownObject {
  const { hash } = parsed(name) as Exclude<ObjectName, KeyName>;
  const hashes = segments.map(({ record }) => record.segment.hash);
  return { hash, length: LENGTH, segments: hashes, replaces, without, isRead };
}

function noted(machine: ModelMachine, name: string, object: ModelObject): ModelMachine {
  const ledger = new ReplicaLedger(machine.known);
  ledger.note(knownOf(name, object, true));
  return { ...machine, known: ledger.known.toSorted((one, other) => (one.hash < other.hash ? -1 : 1)) };
}
