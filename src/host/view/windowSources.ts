/** What the presenter shows of the window: the chat font, how much is read out, and alternatives while no model is connected. */

import { chatFont } from "../editor/chatFont.ts";
import { readOutSettings } from "../editor/readOutSettings.ts";
import type { Connection, Connections } from "../connections/connections.ts";
import type { FoundServers } from "../connections/foundServers.ts";
import type { Providers } from "../connections/providers.ts";
import type { ReadOutView } from "../../protocol/readOutView.ts";
import type { FontView } from "../../protocol/toView.ts";
import type { PresenterSources } from "./presenter.ts";
import type { ConnectionOptions } from "./sessionStatus.ts";

export class WindowSources implements PresenterSources {
  readonly #connections: Connections;
  readonly #found: FoundServers;
  readonly #providers: Providers;

  constructor(connections: Connections, found: FoundServers, providers: Providers) {
    this.#connections = connections;
    this.#found = found;
    this.#providers = providers;
  }

  get font(): FontView {
    return chatFont();
  }

  get readOut(): ReadOutView {
    return readOutSettings();
  }

  get connectionOptions(): ConnectionOptions {
    return { editorModels: this.#providers.editorModels, servers: this.#found.views };
  }

  unreachable(connection: Connection): readonly string[] {
    return this.#connections.unreachableReasons(connection);
  }
}
