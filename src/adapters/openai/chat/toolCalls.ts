/**
 * Assembles the tool calls of one answer from pieces that servers number, name and split in many ways: index, id and
 * name may each be missing, repeated, changed, or the same for several calls; arguments come as what is new, as the
 * whole so far, or as an object. What belongs together is decided by the id, then the index, then the order, and by
 * whether the arguments of a call are whole. Events are only ever added to, so what may still be replaced is held back.
 */

import type { ToolCallId } from "../../../core/ids.ts";
import { tryParseJson, member, stringField } from "../../../core/json.ts";
import { CallIds } from "../../http/callIds.ts";
import type { StreamEvent } from "../../../core/stream/streamEvent.ts";
import { CallArguments, isWholeObject } from "./callArguments.ts";

interface Piece {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly json: string;
}

interface OpenCall {
  readonly callId: ToolCallId;
  /** Id from the server; empty until it sends one. */
  given: string;
  name: string;
  readonly input: CallArguments;
  isEmitted: boolean;
}

export class ToolCallAssembler {
  /** Latest call of each index, or of each position in a chunk. */
  readonly #open = new Map<number, OpenCall>();
  readonly #calls: OpenCall[] = [];
  readonly #callIds = new CallIds();
  /** Call of the last piece. */
  #last: OpenCall | undefined;

  /** In order. */
  get ids(): readonly ToolCallId[] {
    return this.#calls.map(({ callId }) => callId);
  }

  /** Whether each call has a name and complete JSON as its input. */
  get areComplete(): boolean {
    return this.#calls.every(({ name, input }) => name !== "" && tryParseJson(input.settled) !== undefined);
  }

  /** `position`: index of the piece in its chunk, for servers that do not number calls. */
  add(
    given: unknown,
    position: number,
  ): { readonly callId: ToolCallId | undefined; readonly events: readonly StreamEvent[] } {
    const piece = readPiece(given);
    const call = this.#callOf(piece, position);
    if (call === "none") return { callId: undefined, events: [] };
    const earlier = call === undefined ? this.#emitEarlier(piece.index ?? position) : [];
    const target = call ?? this.#begin(piece.index ?? position, piece.id);
    if (target.given === "") target.given = piece.id;
    target.name = joinedName(target, piece.name);
    target.input.add(piece.json);
    this.#last = target;
    return { callId: target.callId, events: [...earlier, ...emitPiece(target)] };
  }

  /** Emits what was held back. */
  end(): readonly StreamEvent[] {
    return this.#calls.flatMap((call) => [...emitStart(call, true), ...argumentEvents(call, call.input.takeRest())]);
  }

  /** The call that a piece belongs to; `undefined`: a new one; `none`: the piece says nothing. */
  #callOf(piece: Piece, position: number): OpenCall | "none" | undefined {
    const { index, id, name, json } = piece;
    const open = this.#open.get(index ?? position);
    const named = id === "" || open?.given === id ? undefined : this.#calls.findLast(({ given }) => given === id);
    if (named !== undefined && (name === "" || name === named.name) && !startsAnotherCall(named, piece)) return named;
    if (open === undefined) {
      const unfinished = this.#unfinished();
      const isAnonymous = id === "" && name === "";
      // Some servers go on under the next index.
      const isNothing = json === "" || (json.trim() === "" && unfinished?.input.isEmpty !== false);
      if (isAnonymous) return isNothing ? "none" : unfinished;
      return name === "" && json.trim() !== "" && !json.trimStart().startsWith("{") ? unfinished : undefined;
    }
    const hasMoved = index === undefined && id === "" && name === "" && open.input.isWhole && json.trim() !== "";
    if (hasMoved) return this.#unfinished() ?? open;
    return startsAnotherCall(open, piece) ? undefined : open;
  }

  /** The last call whose arguments are not whole. */
  #unfinished(): OpenCall | undefined {
    if (this.#last?.input.isWhole === false) return this.#last;
    return this.#calls.findLast(({ input }) => !input.isWhole);
  }

  /** Before another call: the starts, which keeps them in order, and all of a whole call whose index it takes. */
  #emitEarlier(at: number): readonly StreamEvent[] {
    const replaced = this.#open.get(at);
    return this.#calls.flatMap((call) => {
      const isOver = call === replaced && call.name !== "" && call.input.isWhole;
      return [...emitStart(call), ...(isOver ? argumentEvents(call, call.input.takeRest()) : [])];
    });
  }

  #begin(at: number, given: string): OpenCall {
    const callId = this.#callIds.next(given);
    const call = { callId, given, name: "", input: new CallArguments(), isEmitted: false };
    this.#open.set(at, call);
    this.#calls.push(call);
    return call;
  }
}

/** Whether a piece starts another call in the place of `open`: some servers repeat the index or send no ids. */
function startsAnotherCall(open: OpenCall, { index, id, name, json }: Piece): boolean {
  const { input } = open;
  const isOtherName = name !== "" && open.name !== "" && name !== open.name;
  if (id !== "" && open.given !== "" && id !== open.given) {
    if (name === "") return input.isWhole;
    // Some servers change the id with each piece, and repeat the name.
    return isOtherName || open.name === "" || input.isWhole || json.trim() === "" || BEGINS_OBJECT.test(json);
  }
  // An id that comes late.
  if (name === "" || open.name === "") return false;
  // A name in pieces: before any arguments, under the same index.
  if (isOtherName) return !(input.isEmpty && (id !== "" || index !== undefined)) && (id === "" || input.isWhole);
  if (!input.isWhole || json.trim() === "") return false;
  if (input.isRepeatedBy(json)) return id === "" && !input.repeats;
  return isWholeObject(json) && (id === "" || !input.isPlaceholder);
}

const BEGINS_OBJECT = /^\s*\{/;

function readPiece(given: unknown): Piece {
  const called = member(given, "function") ?? given;
  return {
    index: numberOf(member(given, "index")),
    id: idOf(member(given, "id")),
    name: stringField(called, "name"),
    json: argumentsIn(called),
  };
}

function numberOf(index: unknown): number | undefined {
  if (typeof index === "number") return index;
  return typeof index === "string" && /^\d{1,9}$/.test(index.trim()) ? Number(index) : undefined;
}

function idOf(id: unknown): string {
  return typeof id === "number" ? String(id) : typeof id === "string" ? id : "";
}

/** Some servers send the arguments as an object instead of text. */
function argumentsIn(called: unknown): string {
  const given = member(called, "arguments");
  if (typeof given === "string") return given;
  return typeof given === "object" && given !== null ? JSON.stringify(given) : "";
}

/** A name in pieces, or as the whole so far. */
function joinedName(call: OpenCall, name: string): string {
  if (name === "" || name === call.name) return call.name;
  return call.isEmitted ? call.name : name.startsWith(call.name) ? name : call.name + name;
}

/** The start is held back until the arguments begin, since names may come after the id, and in pieces. */
function emitPiece(call: OpenCall): readonly StreamEvent[] {
  if (call.name === "" || call.input.isEmpty) return [];
  return [...emitStart(call), ...argumentEvents(call, call.input.take())];
}

function emitStart(call: OpenCall, isAtEnd = false): readonly StreamEvent[] {
  if (call.isEmitted || (call.name === "" && !isAtEnd)) return [];
  call.isEmitted = true;
  return [{ kind: "toolCallStart", callId: call.callId, name: call.name }];
}

function argumentEvents({ callId }: OpenCall, json: string): readonly StreamEvent[] {
  return json === "" ? [] : [{ kind: "toolCallArgs", callId, json }];
}
