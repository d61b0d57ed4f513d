/** Services of the window that an open conversation uses. */

import type { UsageCalibrations } from "../../core/context/usage/usageCalibrations.ts";
import type { NewUuid } from "../../core/ids.ts";
import type { ModelRegistry } from "../../core/models/modelRegistry.ts";
import type { ModelSpeeds } from "../../core/models/modelSpeeds.ts";
import type { Clock } from "../../core/clock.ts";
import type { TokenCounter } from "../../core/tokens/tokenCounter.ts";
import type { MessageCounter } from "../../core/tokens/messageCounter.ts";
import type { Connections, Summarizers } from "../connections/connections.ts";
import type { WorkspaceRules } from "../ruleFiles/workspaceRules.ts";
import type { Log } from "../editor/log.ts";
import type { CurrentSettings } from "../editor/liveSettings.ts";
import type { OpenProjects } from "../tools/git/openProjects.ts";
import type { ToolCatalog } from "../tools/toolCatalog.ts";
import type { SessionView } from "./sessionView.ts";

export interface SessionServices {
  readonly clock: Clock;
  readonly newUuid: NewUuid;
  readonly counter: TokenCounter;
  readonly messageCounter: MessageCounter;
  readonly settings: CurrentSettings;
  readonly registry: ModelRegistry;
  readonly speeds: Pick<ModelSpeeds, "of">;
  /** Token calibration learned from replies; absent: none is shared. */
  readonly counting?: { readonly calibrations: UsageCalibrations };
  readonly tools: Pick<ToolCatalog, keyof ToolCatalog>;
  readonly projects: Pick<OpenProjects, "current">;
  readonly rules: Pick<WorkspaceRules, "files">;
  readonly connections: Pick<Connections, "askIfRestarted" | "rememberChoice" | "resolve"> & Summarizers;
  readonly view: SessionView;
  readonly log: Pick<Log, "info">;
  /** Logs an unexpected exception and shows it to the user as a bug. */
  readonly reportBug: (error: unknown) => void;
}
