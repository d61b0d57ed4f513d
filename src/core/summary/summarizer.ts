/**
 * Makes one summary of a span: reads it, has a model write the notes, checks them against the span, and adds what they lack.
 * Spec §7.
 *
 * States: reading -> writing (see `modelNotes.ts`) -> checking -> composing -> draft. Notes that can not be used are replaced
 * by the extract, so every span ends as a draft that is smaller than itself. A failure of the service or a cancellation ends
 * it with an error at any point, and nothing has changed.
 */

import { type ForgeError, validationError } from "../errors.ts";
import { textMessage, type TokenCounts } from "../message.ts";
import { err, ok, type Result } from "../result.ts";
import { composeSummary, sizeLimit } from "./composeSummary.ts";
import { extractNotes } from "./extract.ts";
import { markFabrications } from "./fabrication.ts";
import { CheckedText } from "./factCheck.ts";
import { FactCollector } from "./facts.ts";
import { voicesOf, withoutForeignOrders } from "./foreignOrders.ts";
import { modelNotes, type ModelNotes } from "./modelNotes.ts";
import { type ReadSource, readSource, type SummarySource } from "./source.ts";
import type { SummarizerDeps, SummaryDraft, SummaryRequest } from "./summaryRequest.ts";
import { fits } from "./textSize.ts";

/** Share of the target that a model's notes are asked to take; the rest is for the ledger of what they leave out. */
const NOTES_SHARE = 0.6;
/** Share of the target for the sentences of an extract, whose facts are all in the ledger. */
const EXTRACT_SHARE = 0.5;
const SMALLEST_NOTES_TOKENS = 40;

/**
 * Summarizes a span. `VALIDATION_ERROR` when there is nothing to compress; `CANCELLED`; or what the provider failed with,
 * such as `SERVICE_UNAVAILABLE`.
 */
export async function summarize(
  request: SummaryRequest,
  deps: SummarizerDeps,
): Promise<Result<SummaryDraft, ForgeError>> {
  const limit = sizeLimit(totalTokens(request.sources));
  const smallest = Math.min(limit.cl100k, limit.o200k);
  if (smallest < 1) return err(nothingToCompress(request.sources.length));
  const read = await readAll(request.sources, deps);
  if (!read.ok) return read;
  const { sources, facts } = read.value;
  if (sources.every(({ passages }) => passages.length === 0)) return err(nothingToCompress(sources.length));

  const targetTokens = Math.min(request.targetTokens, smallest);
  const written = await write(
    sources,
    Math.max(SMALLEST_NOTES_TOKENS, Math.floor(targetTokens * NOTES_SHARE)),
    request,
    deps,
  );
  if (!written.ok) return written;
  const checked = written.value.isByModel ? checkedNotes(written.value.text, sources) : undefined;
  const isUsable = checked !== undefined && fits(checked.text, limit, deps.counter);
  const notes = isUsable
    ? checked.text
    : extractNotes(sources, Math.max(1, Math.floor(targetTokens * EXTRACT_SHARE)), limit, deps.counter);

  const { content, factsKept } = composeSummary({ notes, facts, targetTokens, limit }, deps.counter);
  const tokens = await deps.counter.countInSlices(textMessage("system", content), deps.yieldToHost);
  if (deps.cancel.aborted) return err({ code: "CANCELLED" });
  const { calls, usage } = written.value;
  deps.onProgress({ itemsDone: sources.length, itemsTotal: sources.length, tokensSaved: savedTokens(request, tokens) });
  return ok({
    content,
    tokens,
    kind: isUsable ? request.kind : "extract",
    generatedBy: isUsable ? deps.model : "extract",
    calls,
    ...(usage === undefined ? {} : { usage }),
    factsKept,
    factsTotal: facts.length,
    unverified: isUsable ? checked.unverified : [],
  });
}

async function readAll(
  sources: readonly SummarySource[],
  deps: SummarizerDeps,
): Promise<
  Result<{ readonly sources: readonly ReadSource[]; readonly facts: ReturnType<FactCollector["facts"]> }, ForgeError>
> {
  const collector = new FactCollector();
  const all: ReadSource[] = [];
  for (const source of sources) {
    if (deps.cancel.aborted) return err({ code: "CANCELLED" });
    const read = readSource(source);
    collector.add(read);
    all.push(read);
    await deps.yieldToHost();
  }
  if (deps.cancel.aborted) return err({ code: "CANCELLED" });
  return ok({ sources: all, facts: collector.facts() });
}

function write(
  sources: readonly ReadSource[],
  notesTokens: number,
  request: SummaryRequest,
  deps: SummarizerDeps,
): Promise<Result<ModelNotes, ForgeError>> {
  const { provider } = deps;
  if (provider === undefined) return Promise.resolve(ok({ text: "", isByModel: false, calls: 0 }));
  return modelNotes(sources, notesTokens, request, { ...deps, provider });
}

/** The notes without orders from data, and with marks behind what the span does not say. */
function checkedNotes(notes: string, sources: readonly ReadSource[]): ReturnType<typeof markFabrications> {
  const passages = sources.flatMap((source) => source.passages);
  const everything = new CheckedText(passages.map(({ text }) => text).join("\n"));
  return markFabrications(withoutForeignOrders(notes, voicesOf(sources)), everything);
}

function totalTokens(sources: readonly SummarySource[]): TokenCounts {
  const total = (encoding: keyof TokenCounts): number => sources.reduce((sum, { tokens }) => sum + tokens[encoding], 0);
  return { cl100k: total("cl100k"), o200k: total("o200k") };
}

function savedTokens({ sources }: SummaryRequest, tokens: TokenCounts): number {
  return totalTokens(sources).o200k - tokens.o200k;
}

function nothingToCompress(messages: number): ForgeError {
  return validationError("messages", `${messages} with nothing to compress`, "messages with text");
}
