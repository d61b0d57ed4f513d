import type { ModelRegistry } from "../../core/models/modelRegistry.ts";
import type { ModelSpeeds } from "../../core/models/modelSpeeds.ts";
import type { CurrentSettings } from "../editor/liveSettings.ts";
import type { Secrets } from "../editor/secrets.ts";
import type { ToolSupport } from "../tools/toolSupport.ts";
import type { Connections } from "./connections.ts";
import type { FoundServers } from "./foundServers.ts";
import type { CalibrationFile } from "./calibrationFile.ts";
import type { Providers } from "./providers.ts";
import type { SpendingTracker } from "./spendingTracker.ts";

/** Services for models and providers; each lives as long as the window. */
export interface ModelServices {
  readonly settings: CurrentSettings;
  readonly secrets: Secrets;
  readonly registry: ModelRegistry;
  readonly providers: Providers;
  readonly connections: Connections;
  readonly foundServers: FoundServers;
  readonly toolSupport: ToolSupport;
  readonly speeds: ModelSpeeds;
  readonly spending: SpendingTracker;
  readonly counting: CalibrationFile;
}
