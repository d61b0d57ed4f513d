/** Exports a conversation as Markdown for people: what the chat shows, verbatim, in chunks. Cannot be imported. */

import { modelName } from "../models/modelName.ts";
import type { ForgeError } from "../errors.ts";
import type { HistoryEntry, Message, MessageState, Part } from "../message.ts";
import { ok, type Result } from "../result.ts";
import { MESSAGES_PER_SLICE, Slice, type CooperativeTask } from "../cooperativeTask.ts";
import type { FullHistory } from "../history/fullHistory.ts";
import type { SentAs } from "../history/sentAs.ts";
import type { MessageId } from "../ids.ts";
import { closingFence } from "./openFence.ts";
import { readAnswers } from "../history/readAnswers.ts";
import type { ReadContents, LoadedMessage } from "../history/readPages.ts";

/** A conversation, and the form in which each message is sent now. */
export interface SentConversation {
  readonly history: FullHistory;
  sentAs(id: MessageId): SentAs;
}

/** Snapshot of what is exported. The conversation must not change between two steps of this task. */
export function* markdownOutline(conversation: SentConversation): CooperativeTask<MarkdownOutline> {
  const { history } = conversation;
  const visible: HistoryEntry[] = [];
  const sent = new Map<MessageId, SentAs["kind"]>();
  const slice = new Slice(MESSAGES_PER_SLICE);
  for (const entry of history.entries) {
    if (slice.isOver(1)) yield;
    if (!history.isVisible(entry)) continue;
    visible.push(entry);
    const { kind } = conversation.sentAs(entry.id);
    if (kind !== "original") sent.set(entry.id, kind);
  }
  return { title: history.title?.title ?? "", visible, sent, hiddenCount: history.length - visible.length };
}

export interface MarkdownOutline {
  /** Empty when there is none. */
  readonly title: string;
  /** Oldest first. */
  readonly visible: readonly HistoryEntry[];
  /** Of those that are not sent as they are. */
  readonly sent: ReadonlyMap<MessageId, SentAs["kind"]>;
  readonly hiddenCount: number;
}

/** Passes the text to `write` in chunks; stops at the first message that cannot be read. */
export async function exportMarkdown(
  { title, visible, sent, hiddenCount }: MarkdownOutline,
  readContents: ReadContents,
  write: (piece: string) => Promise<void>,
): Promise<Result<void, ForgeError>> {
  await write(`# ${oneLine(title) || "Conversation"}\n`);
  const read = await readAnswers(visible, readContents, (page) =>
    write(page.map((loaded) => messageText(loaded, sent.get(loaded.entry.id))).join("")),
  );
  if (!read.ok) return read;
  if (hiddenCount > 0) await write(`\n---\n\n*Not shown: ${counted(hiddenCount, "message")} hidden in the chat.*\n`);
  return ok(undefined);
}

function messageText({ entry, message }: LoadedMessage, sent: SentAs["kind"] = "original"): string {
  const ended = endingOf(entry);
  const how = SENT_TEXTS[sent];
  const blocks = [
    `## ${speakerOf(message, entry.model)}`,
    `*${[timeText(entry.createdAtMs), ...(how === undefined ? [] : [how])].join(" · ")}*`,
    ...message.parts.map(partText),
    ...(ended === undefined ? [] : [`*${ended}*`]),
  ];
  return blocks
    .filter((block) => block !== "")
    .map((block) => `\n${block}\n`)
    .join("");
}

/** Told of a message that the model does not have as it is. */
const SENT_TEXTS: Readonly<Partial<Record<SentAs["kind"], string>>> = {
  excerpt: "the model has an excerpt of it",
  summary: "the model has a summary of it",
  notSent: "not sent to the model",
};

/** How an answer ended, if not well. */
function endingOf({ state, stop }: HistoryEntry): string | undefined {
  const tokens = stop?.tokens?.toLocaleString("en-US");
  switch (stop?.reason) {
    case "maxTokens":
      return `The answer was cut here${tokens === undefined ? " at its limit" : `, at its limit of ${tokens} tokens`}.`;
    case "contextFull":
      return `The answer was cut here: the window was full${tokens === undefined ? "" : `, ${tokens} tokens were left for it`}.`;
    case "refusal":
      return "The provider refused to go on here.";
    case "pause":
      return "The model paused here.";
    case undefined:
      return ENDINGS[state];
  }
}

const ENDINGS: Readonly<Partial<Record<MessageState, string>>> = {
  interrupted: "The answer was interrupted here.",
  cancelled: "The answer was stopped here.",
  failed: "The answer failed here.",
};

function speakerOf({ role, parts }: Message, model: string | undefined): string {
  if (role === "user") return parts.every(({ kind }) => kind === "toolResult") ? "Tools" : "You";
  if (role === "system") return "Instructions";
  return model === undefined ? "Assistant" : `Assistant (${oneLine(modelName(model))})`;
}

function partText(part: Part): string {
  switch (part.kind) {
    case "text":
      return part.text + closingFence(part.text);
    case "thinking":
      return part.text === "" ? "" : quoted(`**Thinking**\n\n${part.text}`);
    case "toolCall":
      return `**Calls** ${codeSpan(part.name)}\n\n${fenced(part.inputJson, "json")}`;
    case "toolResult":
      return `**Result**${OUTCOMES[part.outcome]}\n\n${fenced(part.text)}`;
    case "image":
      return `*Picture: ${oneLine(part.mediaType)}${sizeText(part.widthPx, part.heightPx)}*`;
    case "attachment":
      return `**Attached** ${codeSpan(part.label)}\n\n${fenced(part.text)}`;
  }
}

const OUTCOMES = { ok: "", error: " (failed)", denied: " (not allowed)", interrupted: " (interrupted)" } as const;

function sizeText(widthPx: number | undefined, heightPx: number | undefined): string {
  return widthPx === undefined || heightPx === undefined ? "" : `, ${String(widthPx)} × ${String(heightPx)}`;
}

function quoted(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}

/** A fence longer than any run of backticks in the text, so that nothing in it ends the block. */
function fenced(text: string, language = ""): string {
  const fence = "`".repeat(Math.max(3, longestRunOfBackticks(text) + 1));
  return `${fence}${language}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}`;
}

function codeSpan(text: string): string {
  const line = oneLine(text);
  const ticks = "`".repeat(longestRunOfBackticks(line) + 1);
  return line.includes("`") ? `${ticks} ${line} ${ticks}` : `${ticks}${line}${ticks}`;
}

function longestRunOfBackticks(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** `2026-11-21 10:15 UTC`; empty for an invalid date. */
function timeText(atMs: number): string {
  const date = new Date(atMs);
  return Number.isNaN(date.getTime()) ? "" : `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

function counted(count: number, what: string): string {
  return `${String(count)} ${what}${count === 1 ? "" : "s"}`;
}
