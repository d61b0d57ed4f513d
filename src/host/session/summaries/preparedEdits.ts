/** Changes of summaries that are written but not in use yet: the user's own text, or another one by a model. */

import type { ContextManager } from "../../../core/context/contextManager.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import { validationError, type ForgeError } from "../../../core/errors.ts";
import { localize } from "../../../protocol/localize.ts";
import { projectCompaction, type PreparedCompaction } from "./compaction.ts";
import type { SummaryWriter } from "./compactionOrder.ts";
import { scaledPending } from "./compactionSteps.ts";
import { acceptDrafts, draftsOf, type MadeSummary, type StepDeps } from "./stepSummaries.ts";
import { refusalInWords, type EditedText } from "./summaryEdits.ts";

/** True if no later summary of `made` was made of the one at `index`: only then may its text change. */
export function isTopmost(index: number, made: readonly MadeSummary[]): boolean {
  const { start, end } = made[index]?.pending.covers ?? { start: 0, end: 0 };
  return made.slice(index + 1).every(({ pending: { covers } }) => start < covers.start || covers.end < end);
}

/** `prepared` with the user's texts, by index; an error says which one cannot stand for its messages. */
export function withTexts(
  prepared: PreparedCompaction,
  texts: ReadonlyMap<number, EditedText>,
  manager: ContextManager,
): Result<PreparedCompaction, ForgeError> {
  const made = prepared.made.map((each, index): MadeSummary => {
    const edited = texts.get(index);
    if (edited === undefined) return each;
    // The user may write more than a model: only what is no smaller than its originals is refused.
    const pending = { ...each.pending, maxTokens: each.pending.sourceTokens };
    return { ...each, pending, completed: { ...each.completed, ...edited }, generatedBy: "user" };
  });
  const copy = manager.copy();
  for (const { pending, completed, generatedBy } of made) {
    const record = copy.completeSummarization(pending, completed, generatedBy);
    if (!record.ok) return err(refusalInWords(record.error, pending.sourceTokens));
    copy.apply(record.value);
  }
  const changed = { ...prepared, made };
  return projectCompaction(changed, manager) === undefined ? err(NO_GAIN) : ok(changed);
}

/** Why a summary is refused before it is used. */
export const NO_GAIN = validationError(
  "summary",
  localize("a text with which the request is no smaller"),
  localize("a shorter one"),
);

/** `prepared` with its topmost summaries written anew, at `sizePercent` of the size that was asked for before. */
export async function rewritten(
  prepared: PreparedCompaction,
  sizePercent: number,
  writer: SummaryWriter,
  manager: ContextManager,
  deps: StepDeps,
): Promise<Result<PreparedCompaction, ForgeError>> {
  const copy = manager.copy();
  const made: MadeSummary[] = [];
  const total = prepared.made.filter((_, index) => isTopmost(index, prepared.made)).length;
  let done = 0;
  const onProgress: StepDeps["onProgress"] = (step) => {
    deps.onProgress({ ...step, share: (done + step.share) / total });
  };
  for (const [index, before] of prepared.made.entries()) {
    const { pending, completed, generatedBy, strategy } = before;
    if (!isTopmost(index, prepared.made)) {
      const record = copy.completeSummarization(pending, completed, generatedBy);
      if (!record.ok) return record;
      copy.apply(record.value);
      made.push(before);
      continue;
    }
    const kind = completed.kind === "extract" ? "conversation" : completed.kind;
    const again = { pendings: [scaledPending(pending, sizePercent)], kind, strategy, ...writer };
    const drafts = await draftsOf(again, copy, { ...deps, onProgress });
    if (!drafts.ok) return drafts;
    const anew = await acceptDrafts(again, drafts.value, copy, deps);
    if (!anew.ok) return anew;
    if (deps.cancel.aborted) return err({ code: "CANCELLED" });
    done++;
    made.push(...anew.value.map((each) => withCostOf(before, each)));
  }
  return ok({ ...prepared, made });
}

/** Adds what was spent on a text that is not used: it is in the receipt, too. */
function withCostOf(before: MadeSummary, after: MadeSummary): MadeSummary {
  const usage = before.usage === undefined ? after.usage : sumOf(before.usage, after.usage);
  return { ...after, calls: before.calls + after.calls, ...(usage === undefined ? {} : { usage }) };
}

type Usage = NonNullable<MadeSummary["usage"]>;

function sumOf(one: Usage, other: Usage | undefined): Usage {
  if (other === undefined) return one;
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  };
}
