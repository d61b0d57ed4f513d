/** Everything that stands between a conversation and the services: put together here, bound to the editor's storage. */

import * as vscode from "vscode";
import { systemClock } from "../../adapters/node/clock.ts";
import { SpendingLedger } from "../../adapters/node/spendingLedger.ts";
import { findLocalServers } from "../../adapters/localServers/localServers.ts";
import type { ContextCut } from "../../adapters/ollama/client.ts";
import type { ModelId } from "../../core/ids.ts";
import type { GenerationOptions } from "../../core/models/generationOptions.ts";
import { failedRequestLine, type FailedRequest } from "../../core/stream/failedRequest.ts";
import { RefusedParameters } from "../../core/models/refusedParameters.ts";
import type { ModelRegistry } from "../../core/models/modelRegistry.ts";
import type { Banner } from "../../protocol/toView.ts";
import { Connections } from "../connections/connections.ts";
import { cutBanner } from "../connections/cutBanner.ts";
import { FoundServers } from "../connections/foundServers.ts";
import { makeProvider } from "../connections/makeProvider.ts";
import { Providers } from "../connections/providers.ts";
import type { OpenConversation } from "../transcript/openConversation.ts";
import type { Log } from "../editor/log.ts";
import { Secrets } from "../editor/secrets.ts";
import type { Settings } from "../editor/settings.ts";
import { Spending } from "./spending.ts";
import { wishesOf, wishingProvider } from "./wishesOf.ts";

/** Where the editor keeps the model that was picked last. */
const LAST_CHOICE = "forge.lastChoice";
/** Where the editor keeps what models have refused. */
const REFUSED = "forge.refusedParameters";

/** What it needs from around it. */
export interface ConnectionWorldOptions {
  readonly secrets: vscode.SecretStorage;
  readonly storage: vscode.Memento;
  /** The extension's own folder. */
  readonly folder: string;
  readonly registry: ModelRegistry;
  /** The conversation that is open in this window. */
  readonly opened: () => OpenConversation | undefined;
  readonly settings: () => Settings;
  /** More is known than before: what is open is to take it over. */
  readonly reconnect: () => Promise<void>;
  /** What is shown around the conversation changed. */
  readonly changed: () => void;
  readonly showBanner: (banner: Banner) => void;
  readonly log: Pick<Log, "error" | "warn">;
  readonly bug: (error: unknown) => void;
}

/** What stands between a conversation and the services. */
export interface ConnectionWorld {
  readonly secrets: Secrets;
  readonly providers: Providers;
  readonly connections: Connections;
  readonly found: FoundServers;
  readonly spending: Spending;
  /** Whether a model can call tools: what its provider says, else whether it has ever refused them. */
  readonly canCall: (model: ModelId) => boolean;
  /** Forgets that a model has refused tools: its server may have been set up for them since. */
  readonly offerToolsAgain: (model: ModelId) => void;
}

/** Puts it together. Opens no connection. */
export function createConnectionWorld(options: ConnectionWorldOptions): ConnectionWorld {
  const { storage, registry, settings, reconnect, changed, bug } = options;
  const secrets = new Secrets(options.secrets);
  const found = new FoundServers({ find: findLocalServers, nowMs: () => systemClock.nowMs(), changed });
  const onCut = (cut: ContextCut): void => {
    if (cut.of === "window") connections.learnWindow(cut.model, cut.givenTokens);
    options.showBanner(cutBanner(cut));
    reconnect().catch(bug);
  };
  const onWindow = (model: ModelId, contextWindow: number): void => {
    connections.noteWindow(model, contextWindow);
    reconnect().catch(bug);
  };
  const refused = new RefusedParameters({
    get: () => storage.get(REFUSED),
    set: (value) => void storage.update(REFUSED, value),
  });
  const spending = new Spending({
    ledger: new SpendingLedger(options.folder),
    clock: systemClock,
    registry,
    settings,
    opened: options.opened,
    showBanner: options.showBanner,
    changed,
    logError: (text) => {
      options.log.error(text);
    },
  });
  const noteFailed = (failed: FailedRequest): void => {
    const line = failedRequestLine(failed);
    if (line !== undefined) options.log.warn(line);
    if (connections.learnFromFailure(failed)) reconnect().catch(bug);
  };
  const wishes = (): GenerationOptions => {
    const opened = options.opened();
    return opened === undefined ? settings().wishes : wishesOf(opened.manager.history, settings());
  };
  const providers = new Providers({
    make: (place) =>
      makeProvider(place, {
        clock: systemClock,
        refused,
        onCut,
        onWindow,
        noteFailed,
        noteAnswered: () => {
          connections.noteAnswered(place.name);
        },
      }),
    secrets,
    settings,
    countEditorModels: async () => (await vscode.lm.selectChatModels()).length,
    around: (provider, place) => wishingProvider(spending.around(provider, place), wishes),
  });
  const connections = new Connections({
    providers,
    registry,
    settings,
    clock: systemClock,
    lastChoice: {
      get: () => storage.get(LAST_CHOICE),
      set: (choice) => void storage.update(LAST_CHOICE, choice),
    },
    noteFailed,
    unansweredChanged: changed,
    asking: (asked) => {
      asked.then(reconnect).catch(bug);
    },
    foundNothing: () => {
      found.lookAgain().catch(bug);
    },
  });
  const canCall = (model: ModelId): boolean => registry.callsTools(model) ?? !refused.has(model, "tools");
  const offerToolsAgain = (model: ModelId): void => {
    refused.forget(model, "tools");
  };
  return { secrets, providers, connections, found, spending, canCall, offerToolsAgain };
}
