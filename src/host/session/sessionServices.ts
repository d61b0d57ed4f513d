/** What an open conversation needs from its window. */

import type { ModelId, NewUuid } from "../../core/ids.ts";
import type { ModelRegistry } from "../../core/models/modelRegistry.ts";
import type { Clock } from "../../core/clock.ts";
import type { Tool } from "../../core/tools/tool.ts";
import type { TokenCounter } from "../../core/tokens/tokenCounter.ts";
import type { MessageCounter } from "../../core/tokens/messageCounter.ts";
import type { Connections } from "../connections/connections.ts";
import type { WorkspaceRules } from "../ruleFiles/workspaceRules.ts";
import type { OpenConversation } from "../transcript/openConversation.ts";
import type { Settings } from "../editor/settings.ts";
import type { SessionView } from "./sessionView.ts";

/** The tools of this window, and what the user has allowed for good. */
export interface ToolWorld {
  /** The tools of a conversation; made once, when it is opened. */
  readonly of: (opened: OpenConversation) => readonly Tool[];
  /** Tools that others have registered in the editor and the user has enabled, as of now. */
  readonly registered: () => readonly Tool[];
  /** The user trusts the folder that is open. */
  readonly isTrusted: () => boolean;
  /** Whether a tool reads nothing but the conversation that it is called in. */
  readonly staysInConversation: (name: string) => boolean;
  /** Whether a tool can do anything in this window: most need a folder that is open. */
  readonly worksHere: (name: string) => boolean;
  /** Whether `model` can call tools, as far as anybody knows; one of which nothing is known can. */
  readonly canCall: (model: ModelId) => boolean;
  /** Offers tools once more to a model that has refused them. */
  readonly offerAgain: (model: ModelId) => void;
  /** Names of the tools that need no question any more, in any conversation. */
  readonly allowedAlways: () => readonly string[];
  readonly allowAlways: (name: string) => Promise<void>;
  readonly askAgain: (name: string) => Promise<void>;
}

/** What an open conversation works with that is not its own. */
export interface SessionServices {
  readonly clock: Clock;
  readonly newUuid: NewUuid;
  readonly counter: TokenCounter;
  readonly messageCounter: MessageCounter;
  readonly settings: { current(): Settings };
  readonly registry: ModelRegistry;
  readonly tools: ToolWorld;
  readonly rules: Pick<WorkspaceRules, "files">;
  readonly connections: Pick<Connections, "remember" | "summarizerModel">;
  readonly view: SessionView;
  /** Takes note of something that threw and must not: in the log, and for the user as what it is. */
  readonly reportBug: (error: unknown) => void;
}
