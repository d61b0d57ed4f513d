/**
 * What answers when no language model is connected: it says so first, and then quotes what the conversation itself holds
 * on the question, word for word. It writes nothing of its own about the matter, so it is never taken for a model.
 */

import { messageNumber, modelId } from "../ids.ts";
import { textOf, type Message } from "../message.ts";
import type { CancelSignal } from "../cancellation.ts";
import type { Provider, StreamOptions } from "../stream/provider.ts";
import type { PreparedContext } from "../context/request/preparedContext.ts";
import { ok } from "../result.ts";
import { CANCELLED } from "../errors.ts";
import type { StreamEvent } from "../stream/streamEvent.ts";
import { findPassages } from "./passages.ts";

/** The only "model" of the offline mode. */
export const OFFLINE_MODEL = modelId("offline");

/** Begins every answer, and tells its own answers from others' when they are searched. */
export const OFFLINE_NOTICE = "**No language model is connected**, so nothing here was written by one.";

const WHAT_TO_DO =
  "To get real answers, add an API key, choose a server on this machine or your network, or use the editor's own models.";

/** Makes the provider. It needs no network, no key and no time. */
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
 * The whole answer to the last message of the user, as Markdown. `messages` are what a model would have been sent, and
 * `numbers` are theirs in the conversation; a summary has none.
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

/** What may be quoted: words, files and what tools answered, but no thinking. */
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

/** The numbers of what is sent, in its order. */
function numbersOf(prepared: PreparedContext): readonly (number | undefined)[] {
  return prepared.segments
    .filter((segment) => segment.kind !== "omitted")
    .map((segment) => (segment.kind === "summary" ? undefined : messageNumber(segment.id)));
}

function quote(text: string): string {
  const cut = text.length <= MAX_QUOTE_CHARS ? text : `${text.slice(0, MAX_QUOTE_CHARS).trimEnd()} …`;
  return cut
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}

/** The answer in pieces of whole words, as a stream brings them. */
function piecesOf(text: string): readonly string[] {
  return text.match(/\s*\S+(?:\s+\S+){0,5}\s*/g) ?? [];
}
