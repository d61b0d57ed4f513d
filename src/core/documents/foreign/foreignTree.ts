/**
 * Joins the messages of a foreign conversation to answers, each with its tool results, and finds the parent of each.
 * Pieces of an answer and results of parallel calls are stored as forks of the tree, but are no branches.
 */

import type { ToolCallId } from "../../ids.ts";
import type { Message, MessageState } from "../../message.ts";
import type { Compaction, ForeignConversation, ForeignUsage, HeldMessage, HeldPart } from "./foreignConversation.ts";

/** A message, or an answer with its calls. */
export interface ForeignAnswer {
  readonly role: Message["role"];
  readonly parts: readonly HeldPart[];
  /** Results of the calls, and the files in them: the message after it. */
  readonly results?: readonly HeldPart[];
  /** Index of an earlier answer; `undefined`: it begins the conversation. */
  readonly parent: number | undefined;
  readonly isLive: boolean;
  readonly isAside: boolean;
  readonly createdAtMs: number;
  readonly state: MessageState;
  readonly model: string;
  readonly usage?: ForeignUsage;
  readonly durationMs?: number;
  /** It is a summary of these. */
  readonly compacts?: CompactedAnswers;
}

/** Earlier answers, by index: those of the branch behind `after`, up to `last`. */
export interface CompactedAnswers {
  /** `null`: from the beginning. Absent: from the first one of the same agent. */
  readonly after?: number | null;
  readonly last: number;
}

export class ForeignTree {
  readonly #messages: readonly HeldMessage[];
  readonly #drafts: readonly Draft[];
  /** Draft before each draft, by index. */
  readonly #parents: readonly (number | undefined)[];
  /** Drafts, each after its parent. */
  readonly #order: readonly number[];
  /** The last draft of the live branch. */
  readonly #current: number | undefined;
  readonly #resolve: Resolve;

  constructor({ messages, links = new Map(), current }: Pick<ForeignConversation, "messages" | "links" | "current">) {
    const { drafts, draftOf } = joined(messages);
    this.#messages = messages;
    this.#drafts = drafts;
    this.#resolve = resolverOf(draftOf, links);
    this.#parents = parentsOf(drafts, this.#resolve, links);
    this.#order = parentsFirst(this.#parents);
    this.#current = (current === undefined ? undefined : draftOf.get(current)) ?? lastInFront(drafts);
  }

  /** Time of the last answer that has one; 0 when none has. */
  get endMs(): number {
    const last = this.#order.findLast((index) => at(this.#drafts, index).first.createdAtMs !== 0);
    return last === undefined ? 0 : at(this.#drafts, last).first.createdAtMs;
  }

  /** In an order in which parents precede their children. */
  *answers(): Generator<ForeignAnswer> {
    const results = resultsOf(this.#messages);
    const placeOf = new Int32Array(this.#drafts.length);
    for (const [place, index] of this.#order.entries()) placeOf[index] = place;
    const live = livePath(this.#current, this.#parents);
    for (const [place, index] of this.#order.entries()) {
      const { parts, first, usage } = at(this.#drafts, index);
      const calls = first.role === "assistant" ? parts.filter(isCall) : [];
      const answers = calls.map(({ callId }) => results.take(callId));
      const placed = placeOf[this.#parents[index] ?? -1];
      const parent = placed !== undefined && placed < place ? placed : undefined;
      const compacts = first.compacts && this.#compacted(first.compacts, parent, placeOf);
      yield {
        role: first.role,
        parts,
        ...(calls.length === 0
          ? {}
          : { results: [...answers.map(({ part }) => part), ...answers.flatMap(({ files }) => files)] }),
        parent,
        isLive: live.has(index),
        isAside: first.isAside === true,
        createdAtMs: first.createdAtMs,
        state: first.state,
        model: first.model,
        ...(usage === undefined ? {} : { usage }),
        ...(first.durationMs === undefined ? {} : { durationMs: first.durationMs }),
        ...(compacts === undefined ? {} : { compacts }),
      };
    }
  }

  /** `undefined` when they are not in the file. */
  #compacted(compacts: Compaction, parent: number | undefined, placeOf: Int32Array): CompactedAnswers | undefined {
    const [first, end] = [compacts.after, compacts.last].map((key) => (key == null ? key : this.#resolve(key)));
    const after = typeof first === "number" ? placeOf[first] : first;
    const last = typeof end === "number" ? placeOf[end] : end;
    const isKnown = (compacts.after === undefined) === (after === undefined);
    const whole = compacts.last === undefined ? parent : last;
    if (!isKnown || whole === undefined || whole === null) return undefined;
    return { ...(after === undefined ? {} : { after }), last: whole };
  }
}

type CallOrResult = HeldPart & { readonly callId: ToolCallId };

function isCall(part: HeldPart): part is CallOrResult {
  return part.kind === "toolCall" && part.callId !== undefined;
}

function isResult(part: HeldPart): part is CallOrResult {
  return part.kind === "toolResult" && part.callId !== undefined;
}

interface Draft {
  /** With the model and time of the first piece that has them. */
  first: HeldMessage;
  readonly parts: HeldPart[];
  usage: ForeignUsage | undefined;
}

interface Joined {
  readonly drafts: readonly Draft[];
  /** Draft of each node that is a message, or a piece or a result of one. */
  readonly draftOf: ReadonlyMap<string, number>;
}

/** Most messages between two pieces of one answer. */
const NEAR = 64;

function joined(messages: readonly HeldMessage[]): Joined {
  const drafts: Draft[] = [];
  const draftOf = new Map<string, number>();
  const answers = new Map<string, { draft: number; message: number }>();
  const calls = new CallIndex(messages);
  for (const [index, message] of messages.entries()) {
    const answerId = `${message.isAside === true ? "aside " : ""}${message.id}`;
    const answer = message.id === "" ? undefined : answers.get(answerId);
    const isPiece = answer !== undefined && index - answer.message <= NEAR && message.role === "assistant";
    const results = message.parts.filter(isResult);
    const parts = results.length === 0 ? message.parts : withoutResults(message.parts, calls);
    let draft = isPiece ? answer.draft : drafts.length;
    if (isPiece) {
      const before = at(drafts, draft);
      before.parts.push(...calls.added(parts, draft));
      before.usage = message.usage ?? before.usage;
      const { model, createdAtMs } = before.first;
      before.first = {
        ...before.first,
        model: model || message.model,
        createdAtMs: createdAtMs || message.createdAtMs,
      };
      answer.message = index;
    } else if (parts.length > 0) {
      drafts.push({ first: message, parts: [...calls.added(parts, draft)], usage: message.usage });
      if (message.id !== "") answers.set(answerId, { draft, message: index });
    } else {
      const caller = results.map(({ callId }) => calls.draftOf(callId)).find((each) => each !== undefined);
      draft = caller ?? Math.max(0, drafts.length - 1);
    }
    if (message.node !== undefined) draftOf.set(message.node.key, draft);
  }
  return { drafts, draftOf };
}

/** The call of a result may have been in a line that is lost. */
function withoutResults(parts: readonly HeldPart[], calls: CallIndex): readonly HeldPart[] {
  return parts.flatMap((part): readonly HeldPart[] => {
    if (!isResult(part)) return [part];
    return calls.isKnown(part.callId) ? [] : [{ ...part, kind: "attachment" }];
  });
}

/** The drafts that calls belong to. */
class CallIndex {
  readonly #known = new Set<string>();
  /** The last draft of each call. */
  readonly #drafts = new Map<string, number>();
  /** Calls with a draft before their last one. */
  readonly #earlier = new Set<string>();

  constructor(messages: readonly HeldMessage[]) {
    for (const { parts } of messages) for (const part of parts) if (isCall(part)) this.#known.add(part.callId);
  }

  /** True if the call is anywhere in the file. */
  isKnown(callId: string): boolean {
    return this.#known.has(callId);
  }

  draftOf(callId: string): number | undefined {
    return this.#drafts.get(callId);
  }

  /** Notes the calls of a draft. A call that is stored twice is one call: the second is left out. */
  added(parts: readonly HeldPart[], draft: number): readonly HeldPart[] {
    return parts.some(isCall) ? parts.filter((part) => !isCall(part) || this.#isNew(part.callId, draft)) : parts;
  }

  #isNew(callId: string, draft: number): boolean {
    const last = this.#drafts.get(callId);
    if (last === draft) return false;
    if (last !== undefined) this.#earlier.add(`${last} ${callId}`);
    this.#drafts.set(callId, draft);
    return !this.#earlier.has(`${draft} ${callId}`);
  }
}

/** The nearest message at or above a node; `null` above the first one, `undefined` when the chain is broken. */
type Resolve = (key: string) => number | null | undefined;

function resolverOf(draftOf: ReadonlyMap<string, number>, links: ReadonlyMap<string, string | null>): Resolve {
  const resolved = new Map<string, number | null | undefined>();
  return (from) => {
    const path: string[] = [];
    const seen = new Set<string>();
    let found: number | null | undefined;
    for (let key: string | null | undefined = from; ; key = links.get(key)) {
      if (key === null) found = null;
      if (key === null || key === undefined || seen.has(key)) break;
      const known = draftOf.get(key);
      if (known !== undefined) found = known;
      else if (resolved.has(key)) found = resolved.get(key);
      if (known !== undefined || resolved.has(key)) break;
      path.push(key);
      seen.add(key);
    }
    for (const key of path) resolved.set(key, found);
    return found;
  };
}

/** Parent of each draft by index. */
function parentsOf(
  drafts: readonly Draft[],
  resolve: Resolve,
  links: ReadonlyMap<string, string | null>,
): readonly (number | undefined)[] {
  let before: number | undefined;
  const withChildren = new Set(links.values());
  const insertedAfter = new Map<number, number>();
  const parents = drafts.map(({ first: { node, isAside, isInserted } }, index) => {
    const place = node?.follows;
    let parent = place === undefined ? before : place === null ? null : resolve(place);
    if (parent === undefined || parent === index) parent = before ?? null;
    if (parent === null && isAside === true) parent = before ?? null;
    let follows = parent ?? undefined;
    // What was inserted beside a branch is on the way of what follows.
    for (let next = follows; next !== undefined; next = insertedAfter.get(next)) {
      if (next !== index) follows = next;
    }
    if (isAside !== true) {
      const isLeaf = node === undefined || !withChildren.has(node.key);
      if (isInserted === true && isLeaf && follows !== undefined) insertedAfter.set(follows, index);
      before = index;
    }
    return follows;
  });
  return parents;
}

/** Indices, each after its parent; of a circle, the first line comes first and has none. */
function parentsFirst(parents: readonly (number | undefined)[]): readonly number[] {
  const order: number[] = [];
  const state = new Uint8Array(parents.length);
  for (let start = 0; start < parents.length; start++) {
    const path: number[] = [];
    let next: number | undefined = start;
    for (; next !== undefined && state[next] === 0; next = parents[next]) {
      state[next] = 1;
      path.push(next);
    }
    const circle = next === undefined ? [] : path.splice(path.includes(next) ? path.indexOf(next) : path.length);
    for (const index of [...circle.slice(0, 1), ...circle.slice(1).reverse()]) order.push(index);
    for (const index of path.reverse()) order.push(index);
  }
  return order;
}

function lastInFront(drafts: readonly Draft[]): number | undefined {
  const last = drafts.findLastIndex(({ first }) => first.isAside !== true);
  return last < 0 ? undefined : last;
}

/** The way from a message back to the first. */
function livePath(from: number | undefined, parents: readonly (number | undefined)[]): ReadonlySet<number> {
  const live = new Set<number>();
  for (let next = from; next !== undefined && !live.has(next);) {
    live.add(next);
    next = parents[next];
  }
  return live;
}

interface Results {
  /** The next result of a call; one without a place when there is none. */
  readonly take: (callId: ToolCallId) => { readonly part: HeldPart; readonly files: readonly HeldPart[] };
}

function resultsOf(messages: readonly HeldMessage[]): Results {
  const results = new Map<string, HeldPart[]>();
  const files = new Map<string, HeldPart[]>();
  for (const { parts, resultFiles = [] } of messages) {
    for (const part of parts) if (isResult(part)) add(results, part.callId, part);
    for (const { callId, part } of resultFiles) add(files, callId, part);
  }
  return {
    take: (callId) => {
      const known = results.get(callId) ?? [];
      const part = known.length > 1 ? known.shift() : known[0];
      const attached = files.get(callId) ?? [];
      files.delete(callId);
      return { part: part ?? { kind: "toolResult", callId }, files: attached };
    },
  };
}

function add<Value>(to: Map<string, Value[]>, key: string, value: Value): void {
  const known = to.get(key);
  if (known === undefined) to.set(key, [value]);
  else known.push(value);
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new RangeError(`no item ${index}`);
  return item;
}
