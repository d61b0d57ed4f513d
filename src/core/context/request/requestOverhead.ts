/** What every request of a conversation carries besides its messages. */

import { fingerprint } from "../../history/summaries/sourceHash.ts";
import type { TokenCounts } from "../../message.ts";

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input, as JSON. */
  readonly inputSchemaJson: string;
}

export interface RequestOverhead {
  /** Empty: none is sent. */
  readonly systemPrompt: string;
  readonly systemTokens: TokenCounts;
  readonly tools: readonly ToolDefinition[];
  readonly toolsTokens: TokenCounts;
}

export const NO_OVERHEAD: RequestOverhead = {
  systemPrompt: "",
  systemTokens: { cl100k: 0, o200k: 0 },
  tools: [],
  toolsTokens: { cl100k: 0, o200k: 0 },
};

/** Fingerprint of the tool definitions, in order; empty if there are none. */
export function toolSetOf({ tools }: Pick<RequestOverhead, "tools">): string {
  if (tools.length === 0) return "";
  return fingerprint(
    JSON.stringify(tools.map(({ name, description, inputSchemaJson }) => [name, description, inputSchemaJson])),
  );
}
