/** The tool calls of an answer as cards of its row. Pure. */

import { shorten } from "../../core/cutText.ts";
import { NOT_STARTED_TEXT, type BatchCall, type ToolBatch } from "../../core/journal/toolBatch.ts";
import type {
  AddedProblems,
  FoundProblem,
  Message,
  ResultSource,
  ToolCallPart,
  ToolResultPart,
} from "../../core/message.ts";
import type { ToolCallView } from "../../core/tools/tool.ts";
import { MAX_PATH_LENGTH } from "../../protocol/codeView.ts";
import { localize } from "../../protocol/localize.ts";
import type {
  ApprovalScope,
  CallProblem,
  CallProblems,
  CallSource,
  ToolCallCard,
  ToolCallState,
} from "../../protocol/toolCallView.ts";
import { makeVisible, onOneLine } from "../tools/hiddenText.ts";
import { problemPlace } from "../tools/problems/problemLine.ts";
import { callTitle } from "../tools/callTitle.ts";
import { formatDate, formatDuration } from "../words/formatting.ts";
import { visibleTitle } from "./title.ts";

/** Longest title shown, in UTF-16 units; a tool may return more than a line holds. */
const TITLE_CHARS = 200;
/** As many problems as an edit lists, and somewhat more than the longest message. */
const MOST_PROBLEMS = 30;
const PROBLEM_CHARS = 800;

/** A call that the model is still writing. */
export function writtenCard(callId: string, name: string): ToolCallCard {
  return { callId, name, title: callTitle({ name, inputJson: "" }), state: "writing", time: "", question: null };
}

/** A call without a result. */
export function unfinishedCard(call: ToolCallPart, state: ToolCallState, title = callTitle(call)): ToolCallCard {
  return { callId: call.callId, name: call.name, title: shortTitle(title), state, time: "", question: null };
}

/** A call that awaits approval. */
export function approvalCard(call: ToolCallPart, view: ToolCallView, scopes: readonly ApprovalScope[]): ToolCallCard {
  return {
    ...unfinishedCard(call, "asking", view.title),
    question: {
      folder: view.folder ?? "",
      detail: view.detail,
      look: view.look ?? "code",
      scopes,
      ...(view.note === undefined ? {} : { note: view.note }),
      ...(view.needsPermission === true ? { canRefuse: true } : {}),
    },
  };
}

export function endedCard(
  call: ToolCallPart,
  { outcome, text, title, durationMs, sources = [], problems }: ToolResultPart,
): ToolCallCard {
  const state = outcome === "interrupted" && text === NOT_STARTED_TEXT ? "notRun" : STATE_OF[outcome];
  return {
    ...unfinishedCard(call, state, title),
    ...(durationMs === undefined ? {} : { time: formatDuration(durationMs) }),
    ...(sources.length === 0 ? {} : { sources: sources.map(sourceCard) }),
    ...(problems === undefined ? {} : { problems: problemsCard(problems) }),
  };
}

function problemsCard({ listed, more }: AddedProblems): CallProblems {
  const shown = listed.slice(0, MOST_PROBLEMS);
  return { listed: shown.map(problemCard), more: more + listed.length - shown.length };
}

/** Paths and messages may be those of an imported conversation. */
function problemCard(problem: FoundProblem): CallProblem {
  const { severity, message, path, cell, line, column } = problem;
  const at = cell === undefined ? { line, column } : { line: 0, column: 0 };
  const place =
    cell === undefined ? problemPlace(path, problem) : localize("{0}, cell {1}, line {2}", path, cell, line);
  return {
    severity,
    message: onOneLine(message, PROBLEM_CHARS),
    path: path.slice(0, MAX_PATH_LENGTH),
    ...at,
    place: onOneLine(place),
  };
}

function sourceCard({ conversation, title, lastUsedAtMs, messages }: ResultSource): CallSource {
  return {
    conversationId: conversation,
    title: title === "" ? localize("Conversation {0}", conversation.slice(0, 8)) : visibleTitle(title),
    date: formatDate(lastUsedAtMs),
    count: messages.length,
    messageId: messages[0] ?? 0,
  };
}

/** The calls of a batch that starts to run, or that a crash interrupted. */
export function batchCards({ calls }: ToolBatch): readonly ToolCallCard[] {
  return calls.map((call: BatchCall) => {
    if (call.result !== undefined) return endedCard(call, call.result);
    return unfinishedCard(call, call.state === "unknown" ? "unknown" : "waiting", call.title);
  });
}

/** The calls of a message, with their results where these are known. */
export function messageCards(message: Message, results: Message | undefined): readonly ToolCallCard[] {
  const ended = new Map<string, ToolResultPart>();
  for (const part of results?.parts ?? []) if (part.kind === "toolResult") ended.set(part.callId, part);
  return message.parts.flatMap((part): readonly ToolCallCard[] => {
    if (part.kind !== "toolCall") return [];
    const result = ended.get(part.callId);
    return [result === undefined ? unfinishedCard(part, "interrupted") : endedCard(part, result)];
  });
}

const STATE_OF: Readonly<Record<ToolResultPart["outcome"], ToolCallState>> = {
  ok: "done",
  error: "failed",
  denied: "denied",
  interrupted: "interrupted",
};

function shortTitle(title: string): string {
  const line = title.replaceAll(/[\t\n\r ]+/g, " ").trim();
  return makeVisible(shorten(line, TITLE_CHARS)).text;
}
