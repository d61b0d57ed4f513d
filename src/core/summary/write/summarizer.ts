/**
 * Writes summaries of spans: reads them, has a model write notes, checks those against the span, and adds what they
 * lack.
 *
 * States: reading -> writing (see `batchNotes.ts`) -> checking -> composing (see `summaryDraft.ts`) -> drafts. Unusable
 * notes are replaced by the extract, so every span ends as a draft that is smaller than itself. A provider failure or a
 * cancellation ends it with an error at any point; nothing has changed then.
 */

import { type ForgeError, validationError } from "../../errors.ts";
import type { TokenCounts } from "../../message.ts";
import { err, invariant, ok, type Result } from "../../result.ts";
import { sizeLimit, tokensOfLedger } from "./composeSummary.ts";
import { directiveAllowance } from "../facts/userVerbatim.ts";
import type { Fact } from "../facts/fact.ts";
import { FactCollector } from "../facts/facts.ts";
import { ExtractCollector, type ExtractSource } from "./extract.ts";
import type { ModelNotes } from "./modelNotes.ts";
import { type ReadPages, type ReadSource, readSource, type SourcePages, type SummarySource } from "./source.ts";
import { inSlices, type CooperativeTask } from "../../cooperativeTask.ts";
import { TOLERANCE } from "./acceptance.ts";
import { batchNotes } from "./batchNotes.ts";
import { draftOf, EXTRACT_SHARE, notesShare, type ReadSpan } from "./summaryDraft.ts";
import type { SummarizerServices, SummaryDraft, SummaryRequest } from "./summaryRequest.ts";

/**
 * Share of the target for a model's notes; the rest is for the ledger of what they omit. `least` applies with many
 * facts, some of which the notes state themselves.
 */
const NOTES_SHARE = { least: 0.4, most: 0.6 };
/** Of the target of a summary of summaries, for the user's messages: their words have been in those already. */
const LARGEST_SHARE_OF_USER = 0.45;
/** Of a source, for the user's messages: a summary has to save something. */
const LARGEST_SHARE_OF_MESSAGES = 0.7;
/** Of an extract and of the ledger's sections. */
const HEADINGS_TOKENS = 24;
const SMALLEST_NOTES_TOKENS = 40;
/** Blank content of this size is worth the line that says that it is empty. */
const SMALLEST_BLANK_TOKENS = 100;

/** `VALIDATION_ERROR` when there is nothing to compress, `CANCELLED`, or the provider's error. */
export async function summarize(
  request: SummaryRequest,
  deps: SummarizerServices,
): Promise<Result<SummaryDraft, ForgeError>> {
  const drafts = await summarizeTogether([request], deps);
  if (!drafts.ok) return drafts;
  const [draft] = drafts.value;
  invariant(draft !== undefined, "there is a draft for each span");
  return ok(draft);
}

/**
 * Summarizes several spans of one kind separately, in as few model calls as they fit into. Returns one draft per span,
 * in order; any error of {@link summarize} fails them all.
 */
export async function summarizeTogether(
  requests: readonly SummaryRequest[],
  deps: SummarizerServices,
): Promise<Result<readonly SummaryDraft[], ForgeError>> {
  const spans: ReadSpan[] = [];
  for (const request of requests) {
    const read = await readSpan(request, deps);
    if (!read.ok) return read;
    spans.push(read.value);
  }
  const written = await write(spans, deps);
  if (!written.ok) return written;
  const drafts: SummaryDraft[] = [];
  for (const [index, span] of spans.entries()) {
    const notes = written.value[index];
    invariant(notes !== undefined, "there are notes for each span");
    const draft = await draftOf(span, notes, deps);
    if (!draft.ok) return draft;
    drafts.push(draft.value);
  }
  const itemsTotal = spans.reduce((sum, { items }) => sum + items, 0);
  const sourceTokens = spans.reduce((sum, { total }) => sum + total.o200k, 0);
  const tokensSaved = drafts.reduce((sum, { tokens }) => sum - tokens.o200k, sourceTokens);
  deps.onProgress({ itemsDone: itemsTotal, itemsTotal, tokensSaved, share: 1 });
  return ok(drafts);
}

async function readSpan(request: SummaryRequest, deps: SummarizerServices): Promise<Result<ReadSpan, ForgeError>> {
  const reader = new SpanReader();
  for await (const page of pagesOf(request.sources)) {
    if (!page.ok) return page;
    const read = await inSlices(reader.add(page.value), deps);
    if (!read.ok) return read;
  }
  const { total, isMerge, items, isBlank } = reader;
  const limit = smallerOf(sizeLimit(total), request.mostTokens);
  const smallest = Math.min(limit.cl100k, limit.o200k);
  if (smallest < (isBlank ? SMALLEST_BLANK_TOKENS : 1)) return err(nothingToCompress(items));
  const extractSource = await inSlices(reader.extractSource(), deps);
  if (!extractSource.ok) return extractSource;
  const ranked = await inSlices(reader.facts(request.listedNames), deps);
  if (!ranked.ok) return ranked;
  const facts = ranked.value;
  const ledgerTokens = await inSlices(tokensOfLedger(facts, deps.counter), deps);
  if (!ledgerTokens.ok) return ledgerTokens;
  const wholeTokens = Math.min(request.targetTokens, smallest);
  const { userTokens = { cl100k: 0, o200k: 0 }, task } = request;
  const encoding = userTokens.cl100k === Infinity ? "o200k" : "cl100k";
  const largest = isMerge ? smallest : Math.min(smallest, Math.floor(total[encoding] * LARGEST_SHARE_OF_MESSAGES));
  const notes = largestNotes({ request, targetTokens: wholeTokens, ledgerTokens: ledgerTokens.value }, deps);
  const tokens = Math.max(0, Math.min(userTokens[encoding], largest, smallest - notes - HEADINGS_TOKENS));
  const sharedTokens = isMerge ? Math.min(tokens, Math.floor(wholeTokens * LARGEST_SHARE_OF_USER)) : 0;
  return ok({
    ...{ request, items, isBlank, extractSource: extractSource.value, total, facts, limit },
    ledgerTokens: ledgerTokens.value,
    targetTokens: wholeTokens - sharedTokens,
    userRoom: { tokens, sharedTokens, encoding, task },
    allowanceTokens: directiveAllowance(total.cl100k),
  });
}

async function* pagesOf(sources: SummaryRequest["sources"]): SourcePages {
  if (Symbol.asyncIterator in sources) yield* sources;
  else yield ok(sources);
}

/**
 * The whole sources of a span, read once more: a long span is never in memory, and a model is shown at most a part of
 * it. What is held for long ends among the engine's long-lived objects, and all that is read after it, too.
 */
async function* wholeSources(span: ReadSpan, deps: SummarizerServices): ReadPages {
  for await (const page of pagesOf(span.request.sources)) {
    const read = page.ok ? await inSlices(readAll(page.value), deps) : page;
    yield read;
    if (!read.ok) return;
  }
}

function* readAll(page: readonly SummarySource[]): CooperativeTask<readonly ReadSource[]> {
  const sources: ReadSource[] = [];
  for (const source of page) {
    sources.push(readSource(source));
    yield;
  }
  return sources;
}

/** Keeps of each source what is needed once the facts of all are known. */
class SpanReader {
  items = 0;
  readonly total = { cl100k: 0, o200k: 0 };
  isBlank = true;
  /** Some of the sources are summaries. */
  isMerge = false;
  readonly #collector = new FactCollector();
  readonly #extract = new ExtractCollector();

  *add(page: readonly SummarySource[]): CooperativeTask<void> {
    for (const source of page) {
      const read = readSource(source);
      yield;
      yield* this.#collector.add(read);
      yield* this.#extract.add(read);
      this.items++;
      this.total.cl100k += source.tokens.cl100k;
      this.total.o200k += source.tokens.o200k;
      this.isBlank &&= read.passages.length === 0;
      this.isMerge ||= source.message.role === "system";
    }
  }

  facts(listedNames: SummaryRequest["listedNames"]): CooperativeTask<readonly Fact[]> {
    return this.#collector.facts(listedNames);
  }

  extractSource(): CooperativeTask<ExtractSource> {
    return this.#extract.end();
  }
}

/** In order; empty without a model, or for a span without text. */
async function write(
  spans: readonly ReadSpan[],
  deps: SummarizerServices,
): Promise<Result<readonly ModelNotes[], ForgeError>> {
  const { provider } = deps;
  const none: ModelNotes = { text: "", isByModel: false, calls: 0 };
  const [first] = spans;
  const spansWithText = spans.filter(({ isBlank }) => !isBlank);
  if (provider === undefined || first === undefined || spansWithText.length === 0) return ok(spans.map(() => none));
  const stretches = spansWithText.map((span) => {
    return { items: span.items, read: () => wholeSources(span, deps), notesTokens: askedNotes(span) };
  });
  const written = await batchNotes(stretches, first.request, { ...deps, provider });
  if (!written.ok) return written;
  const notes = new Map(spansWithText.map((span, index) => [span, written.value[index]]));
  return ok(spans.map((span) => notes.get(span) ?? none));
}

type NotesRoom = Pick<ReadSpan, "request" | "targetTokens" | "ledgerTokens">;

function askedNotes(room: NotesRoom): number {
  const mostTokens = Math.min(notesShare(room, NOTES_SHARE), room.request.mostNotesTokens ?? Infinity);
  return Math.max(SMALLEST_NOTES_TOKENS, mostTokens);
}

/** Of the model's notes or the extract: beside messages of the user that leave less, the last of those would be lost. */
function largestNotes(room: NotesRoom, { provider }: SummarizerServices): number {
  const extract = notesShare(room, EXTRACT_SHARE);
  return provider === undefined ? extract : Math.max(extract, Math.ceil(askedNotes(room) * TOLERANCE));
}

function smallerOf(one: TokenCounts, other: TokenCounts | undefined): TokenCounts {
  if (other === undefined) return one;
  return { cl100k: Math.min(one.cl100k, other.cl100k), o200k: Math.min(one.o200k, other.o200k) };
}

function nothingToCompress(messages: number): ForgeError {
  return validationError("messages", `${messages} with nothing to compress`, "messages with text");
}
