/** Preview of the next request with another model or strategy. Nothing is sent, stored or changed. */

import type { ContextManager } from "../../core/context/contextManager.ts";
import type { ContextPolicy } from "../../core/context/contextSettings.ts";
import type { Connection } from "../connections/connections.ts";
import { readInSlices, NEVER_CANCELLED, yieldToHost } from "../background/readInSlices.ts";
import { previewText } from "../transcript/modelNotice.ts";

/** Absent members stay as they are. */
export interface ContextTrial {
  readonly connection?: Connection;
  readonly policy?: ContextPolicy;
}

/** A copy of the conversation with the trial applied; `present` itself when the trial is empty. */
export async function applyTrial(
  current: ContextManager,
  { connection, policy }: ContextTrial,
): Promise<ContextManager> {
  if (connection === undefined && policy === undefined) return current;
  const copy = copyWith(current, policy);
  await settleCut(copy);
  if (connection === undefined) return copy;
  const { model, providerName: provider } = connection;
  copy.apply({ kind: "model", provider, model, atMs: 0 });
  await settleCut(copy);
  return copy;
}

/** The effect of the switch: "Will be summarized: 61k → 24k tokens, about 2 calls". Empty without a trial. */
export async function trialNote(current: ContextManager, inTrial: ContextManager): Promise<string> {
  if (current === inTrial) return "";
  const asNow = copyWith(current, inTrial.policy);
  await settleCut(asNow);
  const looked = await readInSlices(asNow, () => asNow.previewModelSwitch(inTrial.model), NEVER_CANCELLED);
  return looked.ok ? `${previewText(looked.value)}.` : "";
}

function copyWith(current: ContextManager, policy: ContextPolicy | undefined): ContextManager {
  const copy = current.copy();
  if (policy !== undefined && policy !== copy.policy) {
    copy.apply({ kind: "setting", name: "strategy", value: policy, atMs: 0 });
  }
  return copy;
}

async function settleCut(manager: ContextManager): Promise<void> {
  await yieldToHost();
  await readInSlices(manager, () => manager.buildCutAhead(), NEVER_CANCELLED);
}
