/**
 * Has a server with one slot read a summary's request in pieces. Such a server takes up another request only between two
 * batches of tokens, often of 2,048: a user's message would wait that long, though the summary was stopped for it. Each
 * piece is a request that begins as the one before it, of which the server remembers what it has read.
 */

import type { CancelSignal } from "../cancellation.ts";
import type { PreparedContext } from "../context/request/preparedContext.ts";
import { promptContext } from "../context/request/promptContext.ts";
import { beginningOf } from "../cutText.ts";
import type { ModelId } from "../ids.ts";
import { type Message, textMessage, type TokenCounts } from "../message.ts";
import type { Provider, StreamOptions } from "./provider.ts";
import type { ProviderUsage, StreamEvent } from "./streamEvent.ts";

/** A busy processor without a graphics card reads so much in half a second. */
const PIECE_TOKENS = 64;
/** No server takes an empty message. */
const SHORTEST_UNITS = 8;

/** `hasOneSlot`: whether the server of a model works on one request at a time. */
export function readInPieces(inner: Provider, hasOneSlot: (model: ModelId) => boolean): Provider {
  return {
    ...inner,
    name: inner.name,
    label: inner.label,
    listModels: (cancel) => inner.listModels(cancel),
    stream: (prepared, options, cancel) =>
      options.purpose === "summary" && hasOneSlot(options.model)
        ? inPieces(inner, prepared, options, cancel)
        : inner.stream(prepared, options, cancel),
  };
}

async function* inPieces(
  inner: Provider,
  prepared: PreparedContext,
  options: StreamOptions,
  cancel: CancelSignal,
): AsyncGenerator<StreamEvent> {
  const text = await onlyText(prepared);
  const { systemPrompt } = prepared;
  const units = systemPrompt.length + text.length;
  const step = Math.ceil((units * PIECE_TOKENS) / Math.max(1, prepared.usage().usedTokens));
  let readTokens = 0;
  for (let end = step; text !== "" && end < units && !cancel.aborted; end += step) {
    const system = beginningOf(systemPrompt, end);
    const beginning = beginningOf(text, Math.max(SHORTEST_UNITS, end - systemPrompt.length));
    const usage = await usageOfReading(inner, { system, beginning }, prepared, options, cancel);
    // A server that begins anew each time would read the same again and again.
    if (usage === undefined || usage.cacheReadTokens * 2 < readTokens) break;
    readTokens = usage.inputTokens;
  }
  yield* inner.stream(prepared, options, cancel);
}

/** Text of a request of one message; empty of any other. */
async function onlyText(prepared: PreparedContext): Promise<string> {
  const read = await prepared.apiMessages();
  const [message, ...others] = read.ok ? read.value : [];
  return message === undefined || others.length > 0 ? "" : plainText(message);
}

function plainText({ parts, role }: Message): string {
  const [part, ...others] = parts;
  return role === "user" && part?.kind === "text" && others.length === 0 ? part.text : "";
}

/** Has the server read beginnings of the texts of `whole`; `undefined` when it failed, or told no usage. */
async function usageOfReading(
  inner: Provider,
  { system, beginning }: { readonly system: string; readonly beginning: string },
  whole: PreparedContext,
  options: StreamOptions,
  cancel: CancelSignal,
): Promise<ProviderUsage | undefined> {
  const { model, limits } = whole;
  const messages = [textMessage("user", beginning)];
  // It fits, as the whole does.
  const piece = promptContext({ model, limits, systemPrompt: system, systemTokens: FITS, messages, tokens: [FITS] });
  if (!piece.ok) return undefined;
  let usage: ProviderUsage | undefined;
  let hasFailed = false;
  for await (const event of inner.stream(piece.value, { ...options, maxOutputTokens: 1 }, cancel)) {
    if (event.kind === "usage") ({ usage } = event);
    hasFailed ||= event.kind === "failed";
  }
  return hasFailed ? undefined : usage;
}

const FITS: TokenCounts = { cl100k: 0, o200k: 0 };
