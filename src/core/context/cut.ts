/**
 * Builds a working context from nothing, in the steps of spec §4: reserve what is always sent, keep the whole story in its
 * coarsest form, spend what is left newest first, assemble oldest first. Takes time in proportion to the history, so it
 * runs only when the cut has to change; in between, `StickyCut` appends.
 */

import type { RecentMessagesTooLarge, RequestPart } from "../errors.ts";
import type { Steps } from "../steps.ts";
import type { ClassCounts } from "../tokens/contentClass.ts";
import { assembleCut } from "./assembleCut.ts";
import { blocksOf, type Blocks } from "./blocks.ts";
import type { CutRequest } from "./cutRequest.ts";
import { messagesThatDoNotFit } from "./messagesThatDoNotFit.ts";
import { recentTooLarge } from "./recentTooLarge.ts";
import { partsOf } from "./sentMessages.ts";
import { summarizationNeeded, type SummarizationNeeded } from "./summarizationNeeded.ts";
import type { WorkingContext } from "./workingContext.ts";

/** A cut that fits, or why there is none. */
export type Cut =
  | { readonly kind: "ready"; readonly context: WorkingContext }
  /** `requiredTokens`: the whole request with all summaries used; `content`: the same by kinds of text, without the overhead. */
  | {
      readonly kind: "needed";
      readonly needed: SummarizationNeeded;
      readonly requiredTokens: number;
      readonly content: ClassCounts;
    }
  | { readonly kind: "tooLarge"; readonly error: RecentMessagesTooLarge };

/** Builds the cut that `request` asks for. */
export function* buildCut(request: CutRequest): Steps<Cut> {
  const { budgetTokens, fillTokens } = request;
  const blocks = yield* blocksOf(request);
  yield;
  const room = budgetTokens - blocks.requiredTokens;
  if (blocks.floorTokens > room) return { kind: "tooLarge", error: tooLarge(request, blocks) };
  const wholeTokens = blocks.requiredTokens + blocks.olderTokens;
  if (wholeTokens > budgetTokens) {
    const messages = yield* messagesThatDoNotFit(request, blocks, room - blocks.storyTokens);
    const needed = summarizationNeeded(wholeTokens - budgetTokens, messages);
    const { content } = yield* assembleCut(request, blocks);
    return { kind: "needed", needed, requiredTokens: wholeTokens, content };
  }
  blocks.mix.refine(blocks.roots, Math.min(fillTokens, budgetTokens) - wholeTokens);
  return { kind: "ready", context: yield* assembleCut(request, blocks) };
}

function tooLarge(request: CutRequest, { excerpts, floorTokens, spare }: Blocks): RecentMessagesTooLarge {
  const messages = partsOf(spare.keptEntries, excerpts, request);
  const story: RequestPart = { kind: "message", label: "summary of the earlier messages", tokens: floorTokens };
  const parts = [...request.overhead, ...messages, ...(floorTokens > 0 ? [story] : [])];
  return recentTooLarge(request.budgetTokens, parts, messages.length);
}
