/** The calls of an answer as lines of its row. Pure. */

import { jsonIn } from "../../core/json.ts";
import { NOT_STARTED_TEXT, type BatchCall, type ToolBatch } from "../../core/journal/toolBatch.ts";
import type { Message, ToolCallPart, ToolResultPart } from "../../core/message.ts";
import type { ToolCallView } from "../../core/tools/tool.ts";
import type { ApprovalScope, ToolCallCard, ToolCallState } from "../../protocol/toolCallView.ts";
import { formatDuration } from "../words/rowWords.ts";

/** Longest title that is shown; a tool may say more of its call than a line holds. */
const TITLE_CHARS = 200;
/** Of what no tool has described yet, so much of the input tells one call from another. */
const INPUT_CHARS = 60;

/** A call that the model has begun to write. */
export function writtenCard(callId: string, name: string): ToolCallCard {
  return { callId, name, title: name, state: "writing", time: "", question: null };
}

/** A call in a state in which it has no result. */
export function openCard(call: ToolCallPart, state: ToolCallState, title = titleOf(call)): ToolCallCard {
  return { callId: call.callId, name: call.name, title: shortTitle(title), state, time: "", question: null };
}

/** A call that waits for the user's word. */
export function askingCard(call: ToolCallPart, view: ToolCallView, scopes: readonly ApprovalScope[]): ToolCallCard {
  return {
    ...openCard(call, "asking", view.title),
    question: { detail: view.detail, look: view.look ?? "code", scopes },
  };
}

/** A call that has ended. */
export function endedCard(call: ToolCallPart, { outcome, text, title, durationMs }: ToolResultPart): ToolCallCard {
  const state = outcome === "interrupted" && text === NOT_STARTED_TEXT ? "notRun" : STATE_OF[outcome];
  const card = openCard(call, state, title);
  return durationMs === undefined ? card : { ...card, time: formatDuration(durationMs) };
}

/** The calls of a batch that a crash left, or that begins to run. */
export function batchCards({ calls }: ToolBatch): readonly ToolCallCard[] {
  return calls.map((call: BatchCall) => {
    if (call.result !== undefined) return endedCard(call, call.result);
    return openCard(call, call.state === "unknown" ? "unknown" : "waiting", call.title);
  });
}

/** The calls of a message, with what came of them where that is known. */
export function messageCards(message: Message, results: Message | undefined): readonly ToolCallCard[] {
  const ended = new Map<string, ToolResultPart>();
  for (const part of results?.parts ?? []) if (part.kind === "toolResult") ended.set(part.callId, part);
  return message.parts.flatMap((part): readonly ToolCallCard[] => {
    if (part.kind !== "toolCall") return [];
    const result = ended.get(part.callId);
    return [result === undefined ? openCard(part, "interrupted") : endedCard(part, result)];
  });
}

const STATE_OF: Readonly<Record<ToolResultPart["outcome"], ToolCallState>> = {
  ok: "done",
  error: "failed",
  denied: "denied",
  interrupted: "interrupted",
};

/** The tool's name with the first words of its input: what is said where the tool itself did not say it. */
function titleOf({ name, inputJson }: ToolCallPart): string {
  const input = valuesIn(inputJson).replaceAll(/\s+/g, " ").trim();
  return `${name} ${input.length > INPUT_CHARS ? `${input.slice(0, INPUT_CHARS)}…` : input}`.trim();
}

/** The plain values of an input, without its names; the input as it is where it cannot be read. */
function valuesIn(inputJson: string): string {
  const input = jsonIn(inputJson);
  if (input === undefined) return inputJson;
  const values: readonly unknown[] = typeof input === "object" && input !== null ? Object.values(input) : [];
  return values.filter((value) => typeof value === "string" || typeof value === "number").join(", ");
}

function shortTitle(title: string): string {
  const line = title.replaceAll(/\s+/g, " ").trim();
  return line.length > TITLE_CHARS ? `${line.slice(0, TITLE_CHARS)}…` : line;
}
