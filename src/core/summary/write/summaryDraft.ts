/** Builds a summary from a span and a model's notes: checks the notes, and adds what they lack. */

import type { Cancelled } from "../../errors.ts";
import { textMessage, type TokenCounts } from "../../message.ts";
import { ok, type Result } from "../../result.ts";
import { chooseFacts, contentOf, factsIn } from "./composeSummary.ts";
import { extractNotes } from "./extract.ts";
import { markFabrications, type MarkedText, withoutUnverified } from "../facts/fabrication.ts";
import type { Fact } from "../facts/fact.ts";
import { CheckedText, normalize } from "../facts/factCheck.ts";
import { sourceTextsOf, withoutInjections } from "../facts/injectionPatterns.ts";
import { withoutCopiedLists, withoutLedgerDuplicates } from "../facts/ledger.ts";
import type { ModelNotes } from "./modelNotes.ts";
import { selectUserVerbatim } from "../facts/userVerbatim.ts";
import type { ReadSource } from "./source.ts";
import { inSlices, type CooperativeTask } from "../../cooperativeTask.ts";
import type { SummarizerServices, SummaryDraft, SummaryRequest } from "./summaryRequest.ts";
import { beginningThatFits } from "./textSize.ts";

/** Share of the target for the sentences of an extract; its facts are all in the ledger. */
const EXTRACT_SHARE = { least: 0.15, most: 0.5 };
/** A ledger that is too long is cut to this share of its facts, repeatedly. */
const SHORTER = 0.85;

export interface ReadSpan {
  readonly request: SummaryRequest;
  readonly sources: readonly ReadSource[];
  /** Most important first. */
  readonly facts: readonly Fact[];
  /** Size of a ledger of all facts that count. */
  readonly ledgerTokens: number;
  readonly targetTokens: number;
  readonly allowanceTokens: number;
  readonly limit: TokenCounts;
}

/** Tokens for notes: what a ledger of all facts would leave of the target, within the given shares of it. */
export function notesShare(
  { targetTokens, ledgerTokens }: Pick<ReadSpan, "targetTokens" | "ledgerTokens">,
  share: { readonly least: number; readonly most: number },
): number {
  const left = Math.max(targetTokens * share.least, Math.min(targetTokens * share.most, targetTokens - ledgerTokens));
  return Math.floor(left);
}

/** Fails only when cancelled. */
export async function draftOf(
  span: ReadSpan,
  written: ModelNotes,
  deps: SummarizerServices,
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

/** The model's notes, checked; the extract when there are none or they do not fit. */
async function usableNotes(
  span: ReadSpan,
  written: ModelNotes,
  deps: SummarizerServices,
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

/** Removes instructions that come from data, and marks details that the span does not have. */
function* checkedNotes(notes: string, sources: readonly ReadSource[]): CooperativeTask<MarkedText> {
  const passages = sources.flatMap((source) => source.passages);
  const vouched = passages.map(({ origin, text }) => (origin === "summary" ? withoutUnverified(text) : text));
  const everything = yield* CheckedText.of(vouched);
  const isOverSummaries = passages.some(({ origin }) => origin === "summary");
  const own = isOverSummaries ? withoutCopiedLists(notes) : notes;
  const obedient = yield* withoutInjections(own, yield* sourceTextsOf(sources));
  return yield* markFabrications(obedient, everything);
}

/** Cuts overlong notes first, then drops facts from the end of the ledger until both fit the limit. */
async function compose(
  { facts, targetTokens, allowanceTokens, limit }: ReadSpan,
  given: string,
  deps: SummarizerServices,
): Promise<Result<Pick<SummaryDraft, "content" | "tokens" | "factsKept" | "factsTotal">, Cancelled>> {
  const ownWords = await inSlices(selectUserVerbatim({ facts, targetTokens, allowanceTokens }, deps.counter), deps);
  if (!ownWords.ok) return ownWords;
  const allowed = new Set(ownWords.value.allowed.map(({ text }) => normalize(text)));
  const own = withoutLedgerDuplicates(given, allowed);
  const size = await sizeInSlices(own, deps);
  const notes = isWithin(size, limit) ? own : beginningThatFits(own, limit, deps.counter);
  const notesTokens = Math.max(size.cl100k, size.o200k);
  const chosen = await inSlices(
    chooseFacts({ notes, notesTokens, facts, targetTokens, userVerbatim: ownWords.value }, deps.counter),
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

function sizeInSlices(text: string, { counter, yieldToHost }: SummarizerServices): Promise<TokenCounts> {
  return counter.countInSlices(textMessage("system", text), yieldToHost);
}

function isWithin(tokens: TokenCounts, limit: TokenCounts): boolean {
  return tokens.cl100k <= limit.cl100k && tokens.o200k <= limit.o200k;
}
