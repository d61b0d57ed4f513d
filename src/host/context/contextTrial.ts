/** Another model or strategy, only looked at: what the next request would be then. Nothing is sent, stored or changed. */

import type { ContextManager } from "../../core/context/contextManager.ts";
import type { ContextPolicy } from "../../core/context/contextSettings.ts";
import type { Connection } from "../connections.ts";
import { previewText } from "../modelNotice.ts";

/** What is looked at; what is absent stays as it is. */
export interface ContextTrial {
  readonly connection?: Connection;
  readonly policy?: ContextPolicy;
}

/** The conversation as it would be; `present` itself where nothing else is looked at. */
export function managerInTrial(present: ContextManager, { connection, policy }: ContextTrial): ContextManager {
  if (connection === undefined && policy === undefined) return present;
  const copy = present.copy();
  if (policy !== undefined) copy.apply({ kind: "setting", name: "strategy", value: policy, atMs: 0 });
  if (connection !== undefined) copy.switchModel(connection.model);
  return copy;
}

/** What it would do, in words: "Will be summarized: 61k → 24k tokens, about 2 calls". Empty where nothing is looked at. */
export function trialNote(present: ContextManager, inTrial: ContextManager): string {
  if (present === inTrial) return "";
  const asNow = present.copy();
  const policy = inTrial.history.setting("strategy");
  if (policy !== undefined) asNow.apply({ kind: "setting", name: "strategy", value: policy, atMs: 0 });
  return `${previewText(asNow.previewModel(inTrial.model))}.`;
}
