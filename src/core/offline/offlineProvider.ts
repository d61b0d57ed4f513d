/**
 * Answers when no language model is connected: says so, then quotes matching passages of the conversation. Writes
 * nothing about the matter itself, so it is never taken for a model.
 */

import { beginningOf } from "../cutText.ts";
import { messageNumber, modelId } from "../ids.ts";
import { textOf, type Message } from "../message.ts";
import type { CancelSignal } from "../cancellation.ts";
import type { Provider, StreamOptions } from "../stream/provider.ts";
import type { PreparedContext } from "../context/request/preparedContext.ts";
import { ok } from "../result.ts";
import { CANCELLED } from "../errors.ts";
import type { StreamEvent } from "../stream/streamEvent.ts";
import { findPassages } from "./passages.ts";

/** The only "model" of offline mode. */
export const OFFLINE_MODEL = modelId("offline");

/** Begins every answer; also identifies the provider's own answers, which are not searched. */
export const OFFLINE_NOTICE = "**No language model is connected**, so nothing here was written by one.";

const WHAT_TO_DO =
  "To get real answers, add an API key, choose a server on this machine or your network, or use the editor's own models.";

/** Needs no network, key or waiting. */
export function createOfflineProvider(): Provider {
  return {
    name: "offline",
    label: "Offline",
    stream,
    listModels: () => Promise.resolve(ok([{ id: OFFLINE_MODEL, label: "Offline (no language model)" }])),
  };
}

async function* stream(
  prepared: PreparedContext,
  _options: StreamOptions,
  cancel: CancelSignal,
): AsyncGenerator<StreamEvent, void> {
  const messages = await prepared.apiMessages();
  if (!messages.ok) {
    yield { kind: "failed", error: messages.error };
    return;
  }
  for (const piece of piecesOf(offlineAnswer(messages.value, numbersOf(prepared)))) {
    if (cancel.aborted) {
      yield { kind: "failed", error: CANCELLED };
      return;
    }
    yield { kind: "text", text: piece };
  }
  yield { kind: "done", stopReason: "endTurn" };
}

const MAX_QUOTES = 3;
const MAX_QUOTE_CHARS = 800;

/**
 * Markdown answer to the last user message. `messages` are what a model would have been sent; `numbers` are their
 * numbers in the conversation, `undefined` for a summary.
 */
export function offlineAnswer(messages: readonly Message[], numbers: readonly (number | undefined)[]): string {
  const last = messages.findLastIndex((message) => message.role === "user" && textOf(message) !== "");
  const question = messages[last] === undefined ? "" : textOf(messages[last]);
  const known = numbers.length === messages.length;
  const earlier = messages
    .map((message, index): Numbered => ({ message, number: known ? numbers[index] : undefined }))
    .filter(({ message }, index) => index < last && !isOwnAnswer(message));
  const found = findPassages(
    question,
    earlier.map(({ message }) => searchable(message)),
    MAX_QUOTES,
  );
  const opening = `${OFFLINE_NOTICE} ${WHAT_TO_DO}`;
  if (earlier.length === 0) return `${opening}\n\nYour message is kept, and a model that you connect will see it.`;
  if (found.length === 0) return `${opening}\n\nNothing earlier in this conversation has the words of your message.`;
  const quotes = found.map(({ source, text }) => `${origin(earlier[source])}:\n\n${quote(text)}`);
  return [opening, "What this conversation holds on it, word for word:", ...quotes].join("\n\n");
}

function isOwnAnswer(message: Message): boolean {
  return message.role === "assistant" && textOf(message).startsWith(OFFLINE_NOTICE);
}

/** Searchable text: prose, attachments and tool results, but no thinking. */
function searchable(message: Message): string {
  return message.parts
    .flatMap((part) =>
      part.kind === "text" || part.kind === "attachment" || part.kind === "toolResult" ? [part.text] : [],
    )
    .join("\n\n");
}

interface Numbered {
  readonly message: Message;
  readonly number: number | undefined;
}

function origin(from: Numbered | undefined): string {
  const who = speaker(from?.message);
  return from?.number === undefined ? who : `${who}, message ${from.number}`;
}

function speaker(message: Message | undefined): string {
  if (message?.role === "assistant") return "The model";
  if (message?.role === "system") return "A summary of earlier messages";
  return message?.parts.some((part) => part.kind === "toolResult") === true ? "A tool" : "You";
}

/** Message numbers in the order of the request. */
function numbersOf(prepared: PreparedContext): readonly (number | undefined)[] {
  return prepared.segments
    .filter((segment) => segment.kind !== "omitted" && segment.kind !== "recalled")
    .map((segment) => (segment.kind === "summary" ? undefined : messageNumber(segment.id)));
}

function quote(text: string): string {
  const cut = text.length <= MAX_QUOTE_CHARS ? text : `${beginningOf(text, MAX_QUOTE_CHARS).trimEnd()} …`;
  return cut
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}

/** Splits the answer into chunks of whole words, like a stream. */
function piecesOf(text: string): readonly string[] {
  return text.match(/\s*\S+(?:\s+\S+){0,5}\s*/g) ?? [];
}
