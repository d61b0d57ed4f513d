/** Starts a session on an open conversation: resolves its model and reads its newest rows. */

import { ContextManager } from "../../core/context/contextManager.ts";
import type { UsageCalibrations } from "../../core/context/usage/usageCalibrations.ts";
import type { ForgeError } from "../../core/errors.ts";
import type { ModelId } from "../../core/ids.ts";
import type { TokenCounts } from "../../core/message.ts";
import { ok, type Result } from "../../core/result.ts";
import type { MessageReader } from "../../core/store/conversationStore.ts";
import type { Connection, Connections } from "../connections/connections.ts";
import { lastModelIn } from "../connections/lastModel.ts";
import { switchToModel, computeCurrentCut } from "../opening/switchToModel.ts";
import type { OpenConversation } from "../opening/openConversation.ts";
import { SYSTEM_PROMPT } from "../connections/systemPrompt.ts";
import { Session } from "./session.ts";
import type { SessionServices } from "./sessionServices.ts";

/** A context without records. `systemTokens` counts Forge's own system prompt. */
export function newContext(
  store: MessageReader,
  systemTokens: TokenCounts,
  model: ModelId,
  {
    registry,
    settings,
    counting,
  }: Pick<SessionServices, "registry" | "settings"> & {
    readonly counting?: { readonly calibrations: UsageCalibrations };
  },
): ContextManager {
  return new ContextManager({
    registry,
    ...(counting === undefined ? {} : { calibrations: counting.calibrations }),
    model,
    settings: settings.current.context,
    adaptsToSmallWindows: true,
    overhead: { systemPrompt: SYSTEM_PROMPT, systemTokens, tools: [], toolsTokens: { cl100k: 0, o200k: 0 } },
    readMessages: async (ids) => {
      const read = await store.readMessages(ids);
      return read.ok ? ok(read.value.map(({ message }) => message)) : read;
    },
  });
}

/** `automatic` answers where the user has chosen no model. */
export async function startSession(
  opened: OpenConversation,
  automatic: Connection,
  connections: Pick<Connections, "resolve">,
  services: SessionServices,
): Promise<Result<Session, ForgeError>> {
  const { manager } = opened;
  const chosen = manager.history.model;
  const lastModel = lastModelIn(manager.history);
  const isSettled = chosen === undefined && (automatic.isLanguageModel || lastModel === undefined);
  const connection = isSettled ? automatic : await connections.resolve(chosen, lastModel);
  await switchToModel(manager, connection.model);
  manager.configure({});
  const session = new Session(opened, connection, services);
  await session.tools.refresh();
  await computeCurrentCut(manager);
  const loaded = await session.load();
  return loaded.ok ? ok(session) : loaded;
}
