/** What an open conversation needs from around it. */

import type { Message, TokenCounts } from "../../core/message.ts";
import type { ModelId, NewUuid } from "../../core/ids.ts";
import type { ModelRegistry } from "../../core/models/modelRegistry.ts";
import type { Clock } from "../../core/clock.ts";
import type { TokenCounter } from "../../core/tokens/tokenCounter.ts";
import type { Banner, ToViewBody } from "../../protocol/toView.ts";
import type { Connection } from "../connections/connections.ts";
import type { RuleFile } from "../ruleFiles/ruleText.ts";
import type { ToolCatalog } from "../tools/toolCatalog.ts";
import type { Settings } from "../editor/settings.ts";

/** The tools of this window, and what the user has allowed for good. */
export type ToolWorld = Pick<ToolCatalog, keyof ToolCatalog>;

/** The world as a session sees it. */
export interface SessionEnvironment {
  readonly clock: Clock;
  readonly newUuid: NewUuid;
  readonly counter: TokenCounter;
  /** Counts without holding the thread for more than a frame. */
  readonly countTokens: (message: Message) => Promise<TokenCounts>;
  readonly settings: () => Settings;
  readonly registry: ModelRegistry;
  readonly tools: ToolWorld;
  /** Files of the workspace with its rules, for a model with such a window. */
  readonly ruleFiles: (contextWindow: number) => Promise<readonly RuleFile[]>;
  /** The user has picked another model: new conversations begin with it. */
  readonly picked: (connection: Connection) => void;
  /** Which of the provider's models writes summaries for a conversation that `main` answers. */
  readonly summarizerModel: (main: Connection) => ModelId;
  /** Tells the view. */
  readonly emit: (body: ToViewBody) => void;
  /** Figures or activity changed: the status around the transcript is to be shown anew. */
  readonly changed: () => void;
  /** Shows, or with null takes away, what concerns the conversation as a whole. */
  readonly showBanner: (banner: Banner | null) => void;
  /** The rows were built anew: the view is to take all of them. */
  readonly refreshView: () => void;
  /** How far a compaction is, 0–100, and whether the user waits for it; null when none runs. */
  readonly progress: (percent: number | null, isAwaited: boolean) => void;
  /** Says quietly what a compaction has saved; null: it was said long enough. */
  readonly saved: (text: string | null) => void;
  /** Something threw that must not: to the log, and to the user as what it is. */
  readonly bug: (error: unknown) => void;
}
