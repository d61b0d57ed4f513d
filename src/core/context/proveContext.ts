/** Makes the proof for a working context that fits. Used by `ContextManager.prepare` alone. */

import type { FullHistory } from "../history/fullHistory.ts";
import { apiMessages, type ReadMessages } from "./apiMessages.ts";
import type { ContextUsage } from "./contextUsage.ts";
import type { ModelContext } from "./modelContext.ts";
import { PreparedContext } from "./preparedContext.ts";
import type { RequestOverhead } from "./requestOverhead.ts";
import type { ContextSegment, WorkingContext } from "./workingContext.ts";

/** What a proof holds besides the cut. */
export interface ProofParts {
  readonly history: FullHistory;
  readonly model: ModelContext;
  readonly overhead: RequestOverhead;
  readonly usage: ContextUsage;
  readonly readMessages: ReadMessages;
  readonly revision: () => number;
}

/** The proof for `context` as it is now; what is appended to it later is no part of it. */
export function proveContext(context: WorkingContext, parts: ProofParts): PreparedContext {
  const { history, overhead, readMessages, usage, revision } = parts;
  const { model, limits, budgetTokens, costs } = parts.model;
  const { usedTokens, length } = context;
  const segments = (): readonly ContextSegment[] => context.segments(length);
  return new PreparedContext({
    revision: revision(),
    currentRevision: revision,
    model,
    limits,
    systemPrompt: overhead.systemPrompt,
    tools: overhead.tools,
    usedTokens,
    budgetTokens,
    segments,
    usage: () => usage,
    messages: () => apiMessages(segments(), { history, costs, readMessages }),
  });
}
