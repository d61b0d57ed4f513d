/** What every request of a conversation carries besides its messages. */

import { fingerprint } from "../../history/summaries/sourceHash.ts";
import type { TokenCounts } from "../../message.ts";

/** A tool that the model may call. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input, as JSON. */
  readonly inputSchemaJson: string;
}

/** Instructions and tools, with their tokens. */
export interface RequestOverhead {
  /** Empty: none is sent. */
  readonly systemPrompt: string;
  readonly systemTokens: TokenCounts;
  readonly tools: readonly ToolDefinition[];
  readonly toolsTokens: TokenCounts;
}

/** Neither instructions nor tools. */
export const NO_OVERHEAD: RequestOverhead = {
  systemPrompt: "",
  systemTokens: { cl100k: 0, o200k: 0 },
  tools: [],
  toolsTokens: { cl100k: 0, o200k: 0 },
};

/** A short name for the tools of an overhead, the same for the same definitions in the same order; empty without any. */
export function toolSetOf({ tools }: Pick<RequestOverhead, "tools">): string {
  if (tools.length === 0) return "";
  return fingerprint(
    JSON.stringify(tools.map(({ name, description, inputSchemaJson }) => [name, description, inputSchemaJson])),
  );
}
