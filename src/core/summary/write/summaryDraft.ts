/** Makes a draft of what was read of a span and what a model wrote about it: checks the notes, and adds what they lack. */

import type { Cancelled } from "../../errors.ts";
import { textMessage, type TokenCounts } from "../../message.ts";
import { ok, type Result } from "../../result.ts";
import { chooseFacts, contentOf, factsIn } from "./composeSummary.ts";
import { extractNotes } from "./extract.ts";
import { markFabrications, type MarkedText, withoutUnverified } from "../facts/fabrication.ts";
import type { Fact } from "../facts/fact.ts";
import { CheckedText, normalize } from "../facts/factCheck.ts";
import { voicesOf, withoutForeignOrders } from "../facts/injectionPatterns.ts";
import { withoutCopiedLists, withoutRepeated } from "../facts/ledger.ts";
import type { ModelNotes } from "./modelNotes.ts";
import { chooseOwnWords } from "../facts/userVerbatim.ts";
import type { ReadSource } from "./source.ts";
import { inSlices, type CooperativeTask } from "../../cooperativeTask.ts";
import type { SummarizerDeps, SummaryDraft, SummaryRequest } from "./summaryRequest.ts";
import { beginningThatFits } from "./textSize.ts";

/** Share of the target for the sentences of an extract, whose facts are all in the ledger. */
const EXTRACT_SHARE = { least: 0.15, most: 0.5 };
/** Of a ledger that is too long, so much is tried next. */
const SHORTER = 0.85;

/** A span with what was read of it. */
export interface ReadSpan {
  readonly request: SummaryRequest;
  readonly sources: readonly ReadSource[];
  /** Most important first. */
  readonly facts: readonly Fact[];
  /** What a ledger of all facts that count would take. */
  readonly ledgerTokens: number;
  readonly targetTokens: number;
  readonly allowanceTokens: number;
  readonly limit: TokenCounts;
}

/** How many tokens of the target are for notes: what the ledger of all facts would leave of it, within a share of it. */
export function notesShare(
  { targetTokens, ledgerTokens }: Pick<ReadSpan, "targetTokens" | "ledgerTokens">,
  share: { readonly least: number; readonly most: number },
): number {
  const left = Math.max(targetTokens * share.least, Math.min(targetTokens * share.most, targetTokens - ledgerTokens));
  return Math.floor(left);
}

/** The draft of a span. Fails only when it is cancelled. */
export async function draftOf(
  span: ReadSpan,
  written: ModelNotes,
  deps: SummarizerDeps,
): Promise<Result<SummaryDraft, Cancelled>> {
  const notes = await usableNotes(span, written, deps);
  if (!notes.ok) return notes;
  const composed = await compose(span, notes.value.text, deps);
  if (!composed.ok) return composed;
  const { isByModel, unverified } = notes.value;
  const { calls, usage } = written;
  return ok({
    ...composed.value,
    kind: isByModel ? span.request.kind : "extract",
    generatedBy: isByModel ? deps.model : "extract",
    calls,
    ...(usage === undefined ? {} : { usage }),
    unverified,
  });
}

interface UsableNotes {
  readonly text: string;
  readonly isByModel: boolean;
  readonly unverified: readonly string[];
}

/** The model's notes, checked; where there are none, or they do not fit, the extract. */
async function usableNotes(
  span: ReadSpan,
  written: ModelNotes,
  deps: SummarizerDeps,
): Promise<Result<UsableNotes, Cancelled>> {
  if (written.isByModel) {
    const marked = await inSlices(checkedNotes(written.text, span.sources), deps);
    if (!marked.ok) return marked;
    const isFitting = isWithin(await sizeInSlices(marked.value.text, deps), span.limit);
    if (isFitting) return ok({ ...marked.value, isByModel: true });
  }
  const tokens = Math.max(1, notesShare(span, EXTRACT_SHARE));
  const extract = await inSlices(extractNotes(span.sources, tokens, span.limit, deps.counter), deps);
  return extract.ok ? ok({ text: extract.value, isByModel: false, unverified: [] }) : extract;
}

/** The notes without orders from data, and with marks behind what the span does not say. */
function* checkedNotes(notes: string, sources: readonly ReadSource[]): CooperativeTask<MarkedText> {
  const passages = sources.flatMap((source) => source.passages);
  const vouched = passages.map(({ origin, text }) => (origin === "summary" ? withoutUnverified(text) : text));
  const everything = yield* CheckedText.of(vouched);
  const isOverSummaries = passages.some(({ origin }) => origin === "summary");
  const own = isOverSummaries ? withoutCopiedLists(notes) : notes;
  const obedient = yield* withoutForeignOrders(own, yield* voicesOf(sources));
  return yield* markFabrications(obedient, everything);
}

/** Notes and ledger together, within the limit: the last of the ledger goes first, and of the notes what is too long. */
async function compose(
  { facts, targetTokens, allowanceTokens, limit }: ReadSpan,
  given: string,
  deps: SummarizerDeps,
): Promise<Result<Pick<SummaryDraft, "content" | "tokens" | "factsKept" | "factsTotal">, Cancelled>> {
  const ownWords = await inSlices(chooseOwnWords({ facts, targetTokens, allowanceTokens }, deps.counter), deps);
  if (!ownWords.ok) return ownWords;
  const allowed = new Set(ownWords.value.allowed.map(({ text }) => normalize(text)));
  const own = withoutRepeated(given, allowed);
  const size = await sizeInSlices(own, deps);
  const notes = isWithin(size, limit) ? own : beginningThatFits(own, limit, deps.counter);
  const notesTokens = Math.max(size.cl100k, size.o200k);
  const chosen = await inSlices(
    chooseFacts({ notes, notesTokens, facts, targetTokens, ownWords: ownWords.value }, deps.counter),
    deps,
  );
  if (!chosen.ok) return chosen;
  for (let left = chosen.value; ; left = left.slice(0, Math.floor(left.length * SHORTER))) {
    const content = contentOf(notes, left);
    const tokens = await sizeInSlices(content, deps);
    if (left.length > 0 && !isWithin(tokens, limit)) continue;
    const counted = await inSlices(factsIn(content, facts), deps);
    if (!counted.ok) return counted;
    return ok({ content, tokens, factsKept: counted.value.kept, factsTotal: counted.value.total });
  }
}

function sizeInSlices(text: string, { counter, yieldToHost }: SummarizerDeps): Promise<TokenCounts> {
  return counter.countInSlices(textMessage("system", text), yieldToHost);
}

function isWithin(tokens: TokenCounts, limit: TokenCounts): boolean {
  return tokens.cl100k <= limit.cl100k && tokens.o200k <= limit.o200k;
}
