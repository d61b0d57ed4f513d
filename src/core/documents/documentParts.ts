/** Readers for the parts of a saved conversation, one for each type of the core. */

import { messageId, modelId, parseStepId, stepId, summaryId, toolCallId, type StepId } from "../ids.ts";
import type {
  AddedProblems,
  AnswerStop,
  ContentClass,
  FoundProblem,
  HistoryEntry,
  Part,
  ResultSource,
  TokenCounts,
} from "../message.ts";
import type { DocumentReader, LocatedValue } from "./documentReader.ts";
import { partCountOf } from "../history/entryRules.ts";
import { canBeExcluded } from "../history/exclusion.ts";
import { NOTES_FAULTS, type CompactionReceipt, type NotesReport, type UsageRecord } from "../history/records.ts";
import type { MessageRange, Summary } from "../history/summaries/summary.ts";

export interface SavedMessage {
  readonly entry: HistoryEntry;
  readonly parts: readonly Part[];
  /** The outermost summary that covers it. */
  readonly summary?: number;
}

/** More than a tool names in a result, and the messages of each. */
const MOST_SOURCES = 1_000;
/** More than a result lists. */
const MOST_PROBLEMS = 1_000;

export function readMessage(read: DocumentReader, place: LocatedValue): SavedMessage {
  const required = ["id", "role", "turn", "state", "createdAtMs", "tokens", "parts"] as const;
  const fields = read.fields(place, required, [
    "sentTokens",
    "leftOut",
    "textClass",
    "batch",
    "model",
    "step",
    "erasedAtMs",
    "durationMs",
    "stop",
    "continues",
    "summary",
  ]);
  const parts = read.each(fields.parts, (part) => readPart(read, part));
  if (parts.length === 0) read.refuse(fields.parts, "one part or more");
  const toMessageId = (of: LocatedValue): HistoryEntry["id"] => messageId(read.whole(of));
  const id = toMessageId(fields.id);
  const batch = read.maybe("batch", fields.batch, toMessageId);
  return {
    entry: {
      id,
      role: read.word(fields.role, ["user", "assistant", "system"]),
      turn: toMessageId(fields.turn),
      state: read.word(fields.state, ["complete", "interrupted", "cancelled", "failed"]),
      createdAtMs: read.timeMs(fields.createdAtMs),
      tokens: readCounts(read, fields.tokens),
      ...read.maybe("sentTokens", fields.sentTokens, (of) => readCounts(read, of)),
      ...read.maybe("leftOut", fields.leftOut, (of) => readLeftOut(read, of, parts)),
      ...read.maybe("textClass", fields.textClass, (of) =>
        read.word<ContentClass>(of, ["prose", "code", "data", "cjk", "other"]),
      ),
      ...batch,
      ...partCountOf(parts, { id, ...batch }),
      ...read.maybe("model", fields.model, (of) => modelId(nonBlankText(read, of))),
      ...read.maybe("step", fields.step, (of) => readStep(read, of)),
      ...read.maybe("erasedAtMs", fields.erasedAtMs, (of) => read.timeMs(of)),
      ...read.maybe("durationMs", fields.durationMs, (of) => read.amount(of, LONGEST_MS)),
      ...read.maybe("stop", fields.stop, (of) => readStop(read, of)),
      ...read.maybe("continues", fields.continues, toMessageId),
    },
    parts,
    ...read.maybe("summary", fields.summary, (of) => read.whole(of)),
  };
}

function readStop(read: DocumentReader, place: LocatedValue): AnswerStop {
  const { reason, tokens } = read.fields(place, ["reason"], ["tokens"]);
  return {
    reason: read.word(reason, ["maxTokens", "contextFull", "refusal", "pause"]),
    ...read.maybe("tokens", tokens, (of) => read.whole(of, 0, MOST_TOKENS)),
  };
}

function readSource(read: DocumentReader, place: LocatedValue): ResultSource {
  const { conversation, title, lastUsedAtMs, messages } = read.fields(place, SOURCE_FIELDS);
  const quoted = read.each(messages, (message) => read.whole(message), MOST_SOURCES);
  if (quoted.length === 0) read.refuse(messages, "one message or more");
  return {
    conversation: nonBlankText(read, conversation),
    title: read.text(title),
    lastUsedAtMs: read.timeMs(lastUsedAtMs),
    messages: quoted,
  };
}

const SOURCE_FIELDS = ["conversation", "title", "lastUsedAtMs", "messages"] as const;

function readProblems(read: DocumentReader, place: LocatedValue): AddedProblems {
  const { listed, more } = read.fields(place, ["listed", "more"]);
  const problems = read.each(listed, (problem) => readProblem(read, problem), MOST_PROBLEMS);
  if (problems.length === 0) read.refuse(listed, "one problem or more");
  return { listed: problems, more: read.whole(more, 0, MOST_COUNTED) };
}

function readProblem(read: DocumentReader, place: LocatedValue): FoundProblem {
  const fields = read.fields(place, ["severity", "path", "line", "column", "message"], ["cell"]);
  return {
    severity: read.word(fields.severity, ["error", "warning"]),
    path: nonBlankText(read, fields.path),
    ...read.maybe("cell", fields.cell, (of) => read.whole(of, 1, MOST_LINES)),
    line: read.whole(fields.line, 1, MOST_LINES),
    column: read.whole(fields.column, 1, MOST_LINES),
    message: read.text(fields.message),
  };
}

/** Indices of excluded attachments and images, ascending, without duplicates. */
function readLeftOut(read: DocumentReader, place: LocatedValue, parts: readonly Part[]): readonly number[] {
  let lowest = 0;
  return read.each(place, (of) => {
    const index = read.whole(of, lowest);
    const part = parts[index];
    if (part === undefined || !canBeExcluded(part)) read.refuse(of, "the place of an attachment or a picture");
    lowest = index + 1;
    return index;
  });
}

export function readSummary(read: DocumentReader, place: LocatedValue): Summary {
  const fields = read.fields(place, [
    ...(["id", "covers", "level", "kind", "content", "tokenCount", "originalTokens", "createdAtMs"] as const),
    ...(["generatedBy", "sourceHash", "factsKept", "factsTotal", "state"] as const),
  ]);
  return {
    id: summaryId(read.whole(fields.id)),
    covers: readRange(read, fields.covers),
    level: read.whole(fields.level, 1, 1_000),
    kind: read.word(fields.kind, ["conversation", "toolCalls", "goalBatch", "archive", "extract"]),
    content: nonBlankText(read, fields.content),
    tokenCount: readCounts(read, fields.tokenCount),
    originalTokens: readCounts(read, fields.originalTokens),
    createdAtMs: read.timeMs(fields.createdAtMs),
    generatedBy: nonBlankText(read, fields.generatedBy),
    sourceHash: read.text(fields.sourceHash),
    factsKept: read.whole(fields.factsKept, 0, MOST_COUNTED),
    factsTotal: read.whole(fields.factsTotal, 0, MOST_COUNTED),
    state: read.word(fields.state, ["active", "undone", "replaced"]),
  };
}

export function readReceipt(read: DocumentReader, place: LocatedValue): CompactionReceipt {
  const fields = read.fields(
    place,
    [
      ...(["summaries", "span", "strategy", "trigger", "tokensBefore", "tokensAfter", "model"] as const),
      ...(["calls", "durationMs", "factsKept", "factsTotal", "atMs"] as const),
    ],
    [
      ...(["strategies", "budgetTokens", "requestModel"] as const),
      ...(["billedInputTokens", "billedOutputTokens", "costUsd", "breakEvenRequests"] as const),
      ...(["inOrigin", "notes", "notesLater"] as const),
    ],
  );
  return {
    summaries: read.each(fields.summaries, (of) => summaryId(read.whole(of))),
    span: readRange(read, fields.span),
    strategy: read.text(fields.strategy),
    trigger: read.word(fields.trigger, ["manual", "threshold", "modelSwitch", "overflow"]),
    ...read.maybe("strategies", fields.strategies, (of) => read.each(of, (each) => read.text(each))),
    tokensBefore: read.whole(fields.tokensBefore, 0, MOST_COUNTED),
    tokensAfter: read.whole(fields.tokensAfter, 0, MOST_COUNTED),
    ...read.maybe("budgetTokens", fields.budgetTokens, (of) => read.whole(of, 1, MOST_COUNTED)),
    ...read.maybe("requestModel", fields.requestModel, (of) => modelId(read.text(of))),
    ...read.maybe("billedInputTokens", fields.billedInputTokens, (of) => read.whole(of, 0, MOST_COUNTED)),
    ...read.maybe("billedOutputTokens", fields.billedOutputTokens, (of) => read.whole(of, 0, MOST_COUNTED)),
    model: read.text(fields.model),
    calls: read.whole(fields.calls, 0, MOST_COUNTED),
    ...read.maybe("costUsd", fields.costUsd, (of) => read.amount(of, MOST_USD)),
    ...read.maybe("breakEvenRequests", fields.breakEvenRequests, (of) => read.whole(of)),
    durationMs: read.amount(fields.durationMs, LONGEST_MS),
    factsKept: read.whole(fields.factsKept, 0, MOST_COUNTED),
    factsTotal: read.whole(fields.factsTotal, 0, MOST_COUNTED),
    atMs: read.timeMs(fields.atMs),
    ...read.maybe("notes", fields.notes, (of) => read.each(of, (place) => readNotesReport(read, place))),
    ...read.maybe("notesLater", fields.notesLater, (of) => read.each(of, (id) => summaryId(read.whole(id)))),
    ...read.maybe("inOrigin", fields.inOrigin, (of) => read.yes(of)),
  };
}

function readNotesReport(read: DocumentReader, place: LocatedValue): NotesReport {
  const fields = read.fields(place, ["model", "answers", "refused", "lengthPercent"], ["why"]);
  return {
    model: modelId(read.text(fields.model)),
    answers: read.whole(fields.answers, 0, MOST_COUNTED),
    refused: read.whole(fields.refused, 0, MOST_COUNTED),
    ...read.maybe("why", fields.why, (of) => read.word(of, NOTES_FAULTS)),
    lengthPercent: read.whole(fields.lengthPercent, 0, MOST_COUNTED),
  };
}

/** Billed usage of a request for one of `messageCount` messages, or for the next one. */
export function readUsage(read: DocumentReader, place: LocatedValue, messageCount: number): UsageRecord {
  const fields = read.fields(
    place,
    ["message", "model", "inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "atMs"],
    ["costUsd", "inOrigin"],
  );
  return {
    kind: "usage",
    message: messageId(read.whole(fields.message, 0, messageCount)),
    model: modelId(nonBlankText(read, fields.model)),
    inputTokens: read.whole(fields.inputTokens, 0, MOST_COUNTED),
    outputTokens: read.whole(fields.outputTokens, 0, MOST_COUNTED),
    cacheReadTokens: read.whole(fields.cacheReadTokens, 0, MOST_COUNTED),
    cacheWriteTokens: read.whole(fields.cacheWriteTokens, 0, MOST_COUNTED),
    ...read.maybe("costUsd", fields.costUsd, (of) => read.amount(of, MOST_USD)),
    atMs: read.timeMs(fields.atMs),
    ...read.maybe("inOrigin", fields.inOrigin, (of) => read.yes(of)),
  };
}

/** A range that is not empty; the caller checks that it lies within the history. */
export function readRange(read: DocumentReader, place: LocatedValue): MessageRange {
  const fields = read.fields(place, ["start", "end"]);
  const start = read.whole(fields.start);
  return { start: messageId(start), end: messageId(read.whole(fields.end, start + 1)) };
}

export function nonBlankText(read: DocumentReader, place: LocatedValue): string {
  const text = read.text(place);
  if (text.trim() === "") read.refuse(place, "text that is not empty");
  return text;
}

function readCounts(read: DocumentReader, place: LocatedValue): TokenCounts {
  const fields = read.fields(place, ["cl100k", "o200k"]);
  return { cl100k: read.whole(fields.cl100k, 0, MOST_TOKENS), o200k: read.whole(fields.o200k, 0, MOST_TOKENS) };
}

function readStep(read: DocumentReader, place: LocatedValue): StepId {
  const step = parseStepId(read.text(place));
  if (step === undefined) read.refuse(place, "a step id");
  return step ?? stepId("");
}

/** Upper bound per message, so that sums over a whole history stay exact. */
const MOST_TOKENS = 1_000_000_000;

/** Upper bounds far beyond anything real, so that sums over a whole history stay exact and can be shown. */
const MOST_COUNTED = 1_000_000_000_000;
const MOST_USD = 1_000_000_000_000;
const LONGEST_MS = 1_000_000_000_000;
const MOST_PX = 1_000_000;
/** And cells, and columns of a line. */
const MOST_LINES = 1_000_000_000;

function readPart(read: DocumentReader, place: LocatedValue): Part {
  const { kind } = read.fields({ value: kindOnly(place.value), path: place.path }, ["kind"]);
  const kinds = ["text", "thinking", "toolCall", "toolResult", "image", "attachment"] as const;
  const found = read.word(kind, kinds);
  switch (found) {
    case "text": {
      const fields = read.fields(place, ["kind", "text"]);
      return { kind: found, text: read.text(fields.text) };
    }
    case "thinking": {
      const fields = read.fields(place, ["kind", "text"], ["signature", "durationMs"]);
      const signature = read.maybe("signature", fields.signature, (of) => read.text(of));
      const duration = read.maybe("durationMs", fields.durationMs, (of) => read.amount(of, LONGEST_MS));
      return { kind: found, text: read.text(fields.text), ...signature, ...duration };
    }
    case "toolCall": {
      const fields = read.fields(place, ["kind", "callId", "name", "inputJson"]);
      const [callId, name] = [toolCallId(nonBlankText(read, fields.callId)), nonBlankText(read, fields.name)];
      return { kind: found, callId, name, inputJson: read.text(fields.inputJson) };
    }
    case "toolResult": {
      const fields = read.fields(
        place,
        ["kind", "callId", "outcome", "text"],
        ["title", "durationMs", "sources", "problems"],
      );
      return {
        kind: found,
        callId: toolCallId(nonBlankText(read, fields.callId)),
        outcome: read.word(fields.outcome, ["ok", "error", "denied", "interrupted"]),
        text: read.text(fields.text),
        ...read.maybe("title", fields.title, (of) => read.text(of)),
        ...read.maybe("durationMs", fields.durationMs, (of) => read.amount(of, LONGEST_MS)),
        ...read.maybe("sources", fields.sources, (of) => read.each(of, (each) => readSource(read, each), MOST_SOURCES)),
        ...read.maybe("problems", fields.problems, (of) => readProblems(read, of)),
      };
    }
    case "image": {
      const fields = read.fields(place, ["kind", "mediaType", "dataBase64"], ["widthPx", "heightPx"]);
      return {
        kind: found,
        mediaType: nonBlankText(read, fields.mediaType),
        dataBase64: read.text(fields.dataBase64),
        ...read.maybe("widthPx", fields.widthPx, (of) => read.whole(of, 0, MOST_PX)),
        ...read.maybe("heightPx", fields.heightPx, (of) => read.whole(of, 0, MOST_PX)),
      };
    }
    case "attachment": {
      const fields = read.fields(place, ["kind", "label", "text"], ["uri"]);
      const uri = read.maybe("uri", fields.uri, (of) => read.text(of));
      return { kind: found, label: read.text(fields.label), ...uri, text: read.text(fields.text) };
    }
  }
}

function kindOnly(part: unknown): unknown {
  return typeof part === "object" && part !== null && "kind" in part ? { kind: part.kind } : part;
}
