/** Assembles the tool calls of one answer from pieces that servers number, name and split in many ways. */

import type { ToolCallId } from "../../../core/ids.ts";
import { tryParseJson, member, stringField } from "../../../core/json.ts";
import { CallIds } from "../../http/callIds.ts";
import type { StreamEvent } from "../../../core/stream/streamEvent.ts";

interface OpenCall {
  readonly callId: ToolCallId;
  /** Id from the server. */
  readonly given: string;
  name: string;
  json: string;
  /** Some servers send the name after the id; the call is held back until then. */
  isEmitted: boolean;
}

export class ToolCallAssembler {
  readonly #open = new Map<number, OpenCall>();
  readonly #calls: OpenCall[] = [];
  readonly #callIds = new CallIds();

  /** In order. */
  get ids(): readonly ToolCallId[] {
    return this.#calls.map(({ callId }) => callId);
  }

  /** Whether each call has a name and complete JSON as its input. */
  get areComplete(): boolean {
    return this.#calls.every(({ name, json }) => name !== "" && isCompleteJson(json));
  }

  /** `position`: index of the piece in its chunk, for servers that do not number calls. */
  add(piece: unknown, position: number): { readonly callId: ToolCallId; readonly events: readonly StreamEvent[] } {
    const number = member(piece, "index");
    const index = typeof number === "number" ? number : position;
    const id = stringField(piece, "id");
    const name = stringField(member(piece, "function"), "name");
    const json = argumentsIn(piece);
    const open = this.#open.get(index);
    const call = open === undefined || startsAnotherCall(open, { id, name, json }) ? this.#begin(index, id) : open;
    if (call.name === "") call.name = name;
    call.json += json;
    return { callId: call.callId, events: emitPiece(call, json) };
  }

  /** Emits the calls that were held back because they never got a name. */
  end(): readonly StreamEvent[] {
    return this.#calls.filter(({ isEmitted }) => !isEmitted).flatMap(emitCall);
  }

  #begin(index: number, given: string): OpenCall {
    const call = { callId: this.#callIds.next(given), given, name: "", json: "", isEmitted: false };
    this.#open.set(index, call);
    this.#calls.push(call);
    return call;
  }
}

/** Whether a piece starts another call with the index of `open`: some servers repeat the index or send no ids. */
function startsAnotherCall(
  open: OpenCall,
  { id, name, json }: Readonly<Record<"id" | "name" | "json", string>>,
): boolean {
  if (id !== "" && id !== open.given) return name !== "" || isCompleteJson(open.json);
  if (name === "" || open.name === "") return false;
  if (id !== "") return name !== open.name && isCompleteJson(open.json);
  return name !== open.name || (json !== "" && isCompleteJson(open.json));
}

function isCompleteJson(json: string): boolean {
  return json !== "" && tryParseJson(json) !== undefined;
}

/** Some servers send the arguments as an object instead of text. */
function argumentsIn(piece: unknown): string {
  const given = member(member(piece, "function"), "arguments");
  if (typeof given === "string") return given;
  return typeof given === "object" && given !== null ? JSON.stringify(given) : "";
}

function emitPiece(call: OpenCall, json: string): readonly StreamEvent[] {
  if (call.isEmitted) return json === "" ? [] : [{ kind: "toolCallArgs", callId: call.callId, json }];
  return call.name === "" ? [] : emitCall(call);
}

function emitCall(call: OpenCall): readonly StreamEvent[] {
  const { callId, name, json } = call;
  call.isEmitted = true;
  const begun: StreamEvent = { kind: "toolCallStart", callId, name };
  return json === "" ? [begun] : [begun, { kind: "toolCallArgs", callId, json }];
}
