import path from "node:path";
import { readMeta } from "../../adapters/node/conversationMeta.ts";
import { readLastConversations } from "../../adapters/node/lastConversations.ts";
import { ContextUsage } from "../../core/context/usage/contextUsage.ts";
import type { ModelRegistry } from "../../core/models/modelRegistry.ts";
import { effectiveInputBudget } from "../../core/models/modelLimits.ts";
import { formatUsage } from "../words/formatting.ts";
import type { Connections } from "./connections.ts";
import type { StatusBarContent } from "../editor/statusBar.ts";

export interface LastUsageOptions {
  readonly storage: string;
  readonly workspace: string;
  readonly connections: Connections;
  readonly registry: ModelRegistry;
  /** The user's own output limit; absent: the model's. */
  readonly maxOutputTokens: number | undefined;
}

/**
 * Indicator before a conversation is open: usage of this window's last conversation when it was closed, else of an
 * empty one. Opens nothing.
 */
export async function lastUsage(options: LastUsageOptions): Promise<StatusBarContent> {
  const { storage, workspace, connections, registry, maxOutputTokens } = options;
  const [last] = await readLastConversations({ storage, workspace });
  const meta = last === undefined ? undefined : await readMeta(path.join(storage, "conversations", last));
  if (meta !== undefined) return statusBarContent(new ContextUsage(meta.usage), meta.title === "" ? [] : [meta.title]);
  const { model } = await connections.resolve(undefined);
  const budgetTokens = effectiveInputBudget(registry.get(model).limits, maxOutputTokens);
  return statusBarContent(new ContextUsage({ usedTokens: 0, budgetTokens, summarizedSegments: 0 }), []);
}

function statusBarContent(usage: ContextUsage, details: readonly string[]): StatusBarContent {
  return { text: formatUsage(usage), severity: usage.severity(), details };
}
