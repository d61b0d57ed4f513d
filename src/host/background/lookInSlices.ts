/** Long looks at a conversation, in slices of a few milliseconds, so that whatever else the host has to do comes in between. */

import type { ContextManager } from "../../core/context/contextManager.ts";
import type { Cancelled } from "../../core/errors.ts";
import type { CancelSignal } from "../../core/cancellation.ts";
import { ok, type Result } from "../../core/result.ts";
import { runSync, inSlices, type CooperativeTask } from "../../core/cooperativeTask.ts";

/** So often a look begins anew; after that the conversation changes too fast for slices. */
const MOST_TRIES = 3;

/** Lets the host do what else there is to do. */
export function yieldToHost(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Does what only looks at `manager`; begins anew when that changes meanwhile, so that the answer is one of now. */
export async function lookInSlices<T>(
  manager: Pick<ContextManager, "revision">,
  look: () => CooperativeTask<T>,
  cancel: CancelSignal,
): Promise<Result<T, Cancelled>> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const { revision } = manager;
    const done = await inSlices(look(), { yieldToHost, cancel });
    if (!done.ok || manager.revision === revision) return done;
  }
  return ok(runSync(look()));
}

/** A signal of work that nobody cancels. */
export const NEVER_CANCELLED: CancelSignal = new AbortController().signal;
