/**
 * Joins the messages of a foreign conversation to answers, each with its tool results, and finds the parent of each.
 * Pieces of an answer and results of parallel calls are stored as forks of the tree, but are no branches.
 */

import { toolCallId } from "../../ids.ts";
import type { Message, MessageState, Part, ToolResultPart } from "../../message.ts";
import type { ForeignConversation, ForeignMessage, ForeignUsage, ResultFile } from "./foreignConversation.ts";

/** One message, or an answer with its calls and the message of their results. */
export interface ForeignAnswer {
  readonly messages: readonly [Message] | readonly [Message, Message];
  /** Index of an earlier answer; `undefined`: it begins the conversation. */
  readonly parent: number | undefined;
  readonly isLive: boolean;
  readonly isAside: boolean;
  readonly createdAtMs: number;
  readonly state: MessageState;
  readonly model: string;
  readonly usage?: ForeignUsage;
  readonly durationMs?: number;
}

/** In an order in which parents precede their children. */
export function answersOf(conversation: ForeignConversation): readonly ForeignAnswer[] {
  const { drafts, draftOf } = joined(conversation.messages);
  const parents = parentsOf(drafts, draftOf, conversation.links ?? new Map());
  const order = parentsFirst(parents);
  const results = resultsOf(conversation.messages);
  const placeOf = new Map(order.map((draft, place) => [draft, place]));
  const live = livePath(drafts, parents);
  return order.map((index, place): ForeignAnswer => {
    const { parts, first, usage } = at(drafts, index);
    const { role } = first.message;
    const calls = role === "assistant" ? parts.filter((part) => part.kind === "toolCall") : [];
    const answers = calls.map(({ callId }) => results.take(callId));
    const said: Message = { role, parts };
    const answer: Message = { role: "user", parts: answers.flatMap(({ part, files }) => [part, ...files]) };
    const ordered = answer.parts.filter(isResult);
    const parent = placeOf.get(parents[index] ?? -1);
    return {
      messages:
        calls.length === 0
          ? [said]
          : [said, { role: "user", parts: [...ordered, ...answer.parts.filter((part) => !isResult(part))] }],
      parent: parent !== undefined && parent < place ? parent : undefined,
      isLive: live.has(index),
      isAside: first.isAside === true,
      createdAtMs: first.createdAtMs,
      state: first.state,
      model: first.model,
      ...(usage === undefined ? {} : { usage }),
      ...(first.durationMs === undefined ? {} : { durationMs: first.durationMs }),
    };
  });
}

function isResult(part: Part): boolean {
  return part.kind === "toolResult";
}

interface Draft {
  readonly first: ForeignMessage;
  readonly parts: Part[];
  usage: ForeignUsage | undefined;
}

interface Joined {
  readonly drafts: readonly Draft[];
  /** Draft of each node that is a message, or a piece or a result of one. */
  readonly draftOf: ReadonlyMap<string, number>;
}

/** Most messages between two pieces of one answer. */
const NEAR = 64;

function joined(messages: readonly ForeignMessage[]): Joined {
  const drafts: Draft[] = [];
  const draftOf = new Map<string, number>();
  const answers = new Map<string, { draft: number; message: number }>();
  const callers = new Map<string, number>();
  const calls = new Set<string>(messages.flatMap(({ message }) => callIdsIn(message)));
  for (const [index, message] of messages.entries()) {
    const answerId = `${message.isAside === true ? "aside " : ""}${message.id}`;
    const answer = message.id === "" ? undefined : answers.get(answerId);
    const isPiece = answer !== undefined && index - answer.message <= NEAR && message.message.role === "assistant";
    const results = message.message.parts.filter((part): part is ToolResultPart => part.kind === "toolResult");
    const parts = message.message.parts.flatMap((part): readonly Part[] => {
      if (part.kind !== "toolResult") return [part];
      // The call of a result may have been in a line that is lost.
      return calls.has(part.callId) ? [] : [{ kind: "attachment", label: "tool result", text: part.text }];
    });
    let draft = isPiece ? answer.draft : drafts.length;
    if (isPiece) {
      const before = at(drafts, draft);
      addParts(before.parts, parts);
      before.usage = message.usage ?? before.usage;
      answer.message = index;
    } else if (parts.length > 0) {
      const made: Draft = { first: message, parts: [], usage: message.usage };
      addParts(made.parts, parts);
      drafts.push(made);
      if (message.id !== "") answers.set(answerId, { draft, message: index });
    } else {
      const caller = results.map(({ callId }) => callers.get(callId)).find((each) => each !== undefined);
      draft = caller ?? Math.max(0, drafts.length - 1);
    }
    for (const callId of callIdsIn(message.message)) callers.set(callId, draft);
    if (message.node !== undefined) draftOf.set(message.node.key, draft);
  }
  return { drafts, draftOf };
}

function callIdsIn({ parts }: Message): readonly string[] {
  return parts.flatMap((part) => (part.kind === "toolCall" ? [part.callId] : []));
}

/** A call that is stored twice is one call. */
function addParts(to: Part[], parts: readonly Part[]): void {
  const known = new Set(to.flatMap((part) => (part.kind === "toolCall" ? [part.callId] : [])));
  for (const part of parts) {
    if (part.kind === "toolCall" && known.has(part.callId)) continue;
    if (part.kind === "toolCall") known.add(part.callId);
    to.push(part);
  }
}

/** Parent of each draft by index. */
function parentsOf(
  drafts: readonly Draft[],
  draftOf: ReadonlyMap<string, number>,
  links: ReadonlyMap<string, string | null>,
): readonly (number | undefined)[] {
  const resolved = new Map<string, number | null | undefined>();
  /** The nearest message above a node; `null` above the first one, `undefined` when the chain is broken. */
  const resolve = (from: string): number | null | undefined => {
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
    order.push(...circle.slice(0, 1), ...circle.slice(1).reverse());
    for (const index of path.reverse()) order.push(index);
  }
  return order;
}

/** The way from the last message back to the first. */
function livePath(drafts: readonly Draft[], parents: readonly (number | undefined)[]): ReadonlySet<number> {
  const live = new Set<number>();
  const last = drafts.findLastIndex(({ first }) => first.isAside !== true);
  for (let next: number | undefined = last < 0 ? undefined : last; next !== undefined && !live.has(next);) {
    live.add(next);
    next = parents[next];
  }
  return live;
}

interface Results {
  /** The next result of a call; interrupted when there is none. */
  readonly take: (callId: ToolResultPart["callId"]) => {
    readonly part: ToolResultPart;
    readonly files: readonly Part[];
  };
}

function resultsOf(messages: readonly ForeignMessage[]): Results {
  const results = new Map<string, ToolResultPart[]>();
  const files = new Map<string, ResultFile["part"][]>();
  for (const { message, resultFiles = [] } of messages) {
    for (const part of message.parts) if (part.kind === "toolResult") add(results, part.callId, part);
    for (const { callId, part } of resultFiles) add(files, callId, part);
  }
  return {
    take: (callId) => {
      const known = results.get(callId) ?? [];
      const part = known.length > 1 ? known.shift() : known[0];
      const attached = files.get(callId) ?? [];
      files.delete(callId);
      return {
        part: part ?? { kind: "toolResult", callId: toolCallId(callId), outcome: "interrupted", text: "" },
        files: attached,
      };
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
