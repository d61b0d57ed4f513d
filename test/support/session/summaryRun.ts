/** Runs the summarizer on a session with a scripted model, and records the calls. */

import assert from "node:assert/strict";
import type { ForgeError } from "../../../src/core/errors.ts";
import { modelId } from "../../../src/core/ids.ts";
import type { Message } from "../../../src/core/message.ts";
import type { ModelLimits } from "../../../src/core/models/modelLimits.ts";
import type { Result } from "../../../src/core/result.ts";
import type { SourcePages } from "../../../src/core/summary/write/source.ts";
import { summarize } from "../../../src/core/summary/write/summarizer.ts";
import type {
  SummarizerServices,
  SummaryDraft,
  SummaryProgress,
  SummaryRequest,
} from "../../../src/core/summary/write/summaryRequest.ts";
import { SummarizerRecord } from "../../../src/core/summary/quality/summarizerRecord.ts";
import { CallAllowance } from "../../../src/core/summary/write/callAllowance.ts";
import { type Asked, type Script, ScriptedModel } from "../models/scriptedModel.ts";
import { codingSession, sourcesOf } from "./summarySources.ts";
import { testTokenCounter } from "../models/tokenCounter.ts";

const MODEL = modelId("gpt-5-mini");
const LARGE: ModelLimits = { contextWindow: 200_000, maxOutput: 32_000 };
/** Notes of a good model. */
export const GOOD_NOTES =
  "## Goal\nFaster orders.\n## Decisions\n- index on `orders_3`, because a cache would go stale\n## Open items\n- none";

/** Notes of a good model on whatever part of a coding session a prompt shows. */
export const notesOnPart: Script = ({ prompt }) => {
  const causes = [...prompt.matchAll(/a missing index on the table `orders_\d+`/g)].slice(0, 3);
  return { text: `## Findings\n- slow orders, as each request scans rows: ${causes.join(", ")}` };
};

export interface SummaryRun {
  readonly draft: Result<SummaryDraft, ForgeError>;
  readonly asked: readonly Asked[];
  readonly progress: readonly SummaryProgress[];
}

/** Defaults: eight turns, no model, a large window, 600 tokens. */
export interface SummaryRunOptions {
  readonly messages?: readonly Message[];
  readonly script?: Script;
  readonly limits?: ModelLimits;
  readonly targetTokens?: number;
  readonly focus?: string;
  /** Absent: no room for messages of the user, and no limit but that of the source. */
  readonly room?: Pick<SummaryRequest, "userTokens" | "mostTokens" | "task">;
  /** Absent: the messages, read at once. */
  readonly sources?: SourcePages;
  readonly changes?: Partial<SummarizerServices>;
}

export async function summaryRun({
  messages = codingSession(8),
  script,
  limits = LARGE,
  ...options
}: SummaryRunOptions): Promise<SummaryRun> {
  const model = script === undefined ? undefined : new ScriptedModel(script);
  const progress: SummaryProgress[] = [];
  const draft = await summarize(
    {
      sources: options.sources ?? sourcesOf(messages),
      kind: "conversation",
      targetTokens: options.targetTokens ?? 600,
      ...(options.focus === undefined ? {} : { focus: options.focus }),
      ...options.room,
    },
    {
      provider: model,
      model: MODEL,
      limits,
      record: new SummarizerRecord(),
      calls: new CallAllowance(Infinity),
      counter: testTokenCounter(),
      cancel: new AbortController().signal,
      onProgress: (step) => progress.push(step),
      yieldToHost: () => Promise.resolve(),
      ...options.changes,
    },
  );
  return { draft, asked: model?.asked ?? [], progress };
}

/** The draft. Fails if there is none. */
export function draftOf({ draft }: SummaryRun): SummaryDraft {
  assert.ok(draft.ok, JSON.stringify(draft));
  return draft.value;
}

/** Asserts the size limits of every draft. */
export function checkSize(draft: SummaryDraft, messages: readonly Message[], targetTokens: number): void {
  const source = sourcesOf(messages).reduce((sum, { tokens }) => sum + tokens.o200k, 0);
  assert.notEqual(draft.content.trim(), "");
  assert.equal(draft.tokens.o200k, testTokenCounter().countText(draft.content, "o200k"));
  assert.ok(draft.tokens.o200k < source, `${draft.tokens.o200k} of ${source}`);
  assert.ok(draft.tokens.o200k <= targetTokens * 1.6 + 400, `${draft.tokens.o200k} for a target of ${targetTokens}`);
}
