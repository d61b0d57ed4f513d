/** Builds a summary from a span and a model's notes: checks the notes, and adds what they lack. */

import type { Cancelled } from "../../errors.ts";
import { textMessage, type TokenCounts } from "../../message.ts";
import { ok, type Result } from "../../result.ts";
import { chooseFacts, contentOf, factsIn } from "./composeSummary.ts";
import { extractNotes, type ExtractSource } from "./extract.ts";
import type { Fact } from "../facts/fact.ts";
import { CheckedText, normalize } from "../facts/factCheck.ts";
import { withoutLedgerDuplicates } from "../facts/ledger.ts";
import type { ModelNotes } from "./modelNotes.ts";
import { checkedNotes } from "./notesCheck.ts";
import { selectUserVerbatim, type UserRoom, type UserVerbatim } from "../facts/userVerbatim.ts";
import { inSlices } from "../../cooperativeTask.ts";
import type { SummarizerServices, SummaryDraft, SummaryRequest } from "./summaryRequest.ts";
import { beginningThatFits } from "./textSize.ts";

/** Share of the target for the sentences of an extract; its facts are all in the ledger. */
export const EXTRACT_SHARE = { least: 0.1, most: 0.5 };
/** A ledger that is too long is cut to this share of its facts, repeatedly. */
const SHORTER = 0.85;

export interface ReadSpan {
  readonly request: SummaryRequest;
  /** Number of sources. */
  readonly items: number;
  /** No source has any text. */
  readonly isBlank: boolean;
  readonly extractSource: ExtractSource;
  /** Of the sources, as sent. */
  readonly total: TokenCounts;
  /** Most important first. */
  readonly facts: readonly Fact[];
  /** Size of a ledger of all facts that count. */
  readonly ledgerTokens: number;
  /** Without what the user's messages take of it. */
  readonly targetTokens: number;
  readonly userRoom: UserRoom;
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

interface DraftParts {
  readonly span: ReadSpan;
  readonly userVerbatim: UserVerbatim;
}

/** Fails only when cancelled. */
export async function draftOf(
  span: ReadSpan,
  written: ModelNotes,
  deps: SummarizerServices,
): Promise<Result<SummaryDraft, Cancelled>> {
  const userVerbatim = await inSlices(selectUserVerbatim(span, deps.counter), deps);
  if (!userVerbatim.ok) return userVerbatim;
  const parts = { span, userVerbatim: userVerbatim.value };
  const byModel = written.isByModel ? await draftByModel(parts, written, deps) : ok(undefined);
  if (!byModel.ok) return byModel;
  const { calls, usage, isForNow } = written;
  const spent = { calls, ...(usage === undefined ? {} : { usage }) };
  if (byModel.value !== undefined) return ok({ ...byModel.value, ...spent });
  const extract = await composedExtract(parts, deps);
  if (!extract.ok) return extract;
  const byNoModel = { kind: "extract", generatedBy: "extract", unverified: [] } as const;
  return ok({ ...extract.value, ...byNoModel, ...spent, ...(isForNow === true ? { isForNow } : {}) });
}

/** Steps by which the ledger below notes is enlarged, as shares of the notes. */
const MORE_LEDGER = [0, 0.25, 0.5, 1];

/**
 * The model's notes with a ledger of what they omit: with as much of it as is needed to tell as many facts as the
 * extract does. `undefined` when they do not fit, or tell fewer even then.
 */
async function draftByModel(
  parts: DraftParts,
  { text, calls, sources = [] }: ModelNotes,
  deps: SummarizerServices,
): Promise<Result<Omit<SummaryDraft, "calls"> | undefined, Cancelled>> {
  const { span } = parts;
  const marked = await inSlices(checkedNotes(text, sources), deps);
  if (!marked.ok) return marked;
  const notesTokens = await sizeInSlices(marked.value.text, deps);
  if (!isWithin(notesTokens, span.limit)) {
    deps.record.noteUnused("tooLong", calls);
    return ok(undefined);
  }
  const extract = await composedExtract(parts, deps);
  if (!extract.ok) return extract;
  const { kind } = span.request;
  for (const share of MORE_LEDGER) {
    const more = Math.ceil(share * Math.max(notesTokens.cl100k, notesTokens.o200k));
    const targetTokens = Math.min(span.targetTokens + more, Math.max(span.targetTokens, smallerOf(span.limit)));
    const composed = await compose({ ...parts, span: { ...span, targetTokens } }, marked.value.text, deps);
    if (!composed.ok) return composed;
    if (composed.value.factsKept < extract.value.factsKept) continue;
    return ok({ ...composed.value, kind, generatedBy: deps.model, unverified: marked.value.unverified });
  }
  deps.record.noteUnused("tellsLess", calls);
  return ok(undefined);
}

async function composedExtract(parts: DraftParts, deps: SummarizerServices): Promise<Result<Composed, Cancelled>> {
  const { span, userVerbatim } = parts;
  const tokens = Math.max(1, notesShare(span, EXTRACT_SHARE));
  const retained = new CheckedText(userVerbatim.allowed.map(({ text }) => text).join("\n"));
  const extract = await inSlices(extractNotes(span.extractSource, tokens, span.limit, deps.counter, retained), deps);
  return extract.ok ? compose(parts, extract.value, deps) : extract;
}

type Composed = Pick<SummaryDraft, "content" | "tokens" | "factsKept" | "factsTotal">;

/** Cuts overlong notes first, then drops facts from the end of the ledger until both fit the limit. */
async function compose(
  { span: { facts, targetTokens, limit }, userVerbatim }: DraftParts,
  given: string,
  deps: SummarizerServices,
): Promise<Result<Composed, Cancelled>> {
  const allowed = new Set(userVerbatim.allowed.map(({ text }) => normalize(text)));
  const own = withoutLedgerDuplicates(given, allowed);
  const size = await sizeInSlices(own, deps);
  const notes = isWithin(size, limit) ? own : beginningThatFits(own, limit, deps.counter);
  const notesTokens = Math.max(size.cl100k, size.o200k);
  const chosen = await inSlices(
    chooseFacts(
      { notes, notesTokens, facts, targetTokens: targetTokens + userVerbatim.leftTokens, userVerbatim },
      deps.counter,
    ),
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

function smallerOf({ cl100k, o200k }: TokenCounts): number {
  return Math.min(cl100k, o200k);
}
