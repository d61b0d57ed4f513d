/**
 * Commands that set up models without a provider's key: a server's address, a local server, the editor's own models.
 */

import * as vscode from "vscode";
import type { LocalServer, LocalServerKind } from "../../adapters/localServers/localServers.ts";
import { localize, plural } from "../../protocol/localize.ts";
import { SERVER_LABELS, type FoundServers } from "../connections/foundServers.ts";
import { withoutModel } from "../connections/unreachableServers.ts";
import { askForKey, confirmUnencrypted, hostOf, test, type KeyCommands, type KeyedEndpoint } from "./keyCommands.ts";
import { askInBox } from "../editor/boxes/askInBox.ts";
import type { OllamaCommands } from "./ollamaCommands.ts";
import type { Connections } from "../connections/connections.ts";
import type { ModelServices } from "../connections/modelServices.ts";
import type { Providers } from "../connections/providers.ts";
import type { Conversations } from "../conversations/conversations.ts";
import type { BugReporter } from "../editor/bugReporter.ts";
import type { CommandFocus } from "../editor/commandFocus.ts";
import type { CurrentSettings } from "../editor/liveSettings.ts";
import type { Secrets } from "../editor/secrets.ts";
import { webAddress } from "../editor/settings.ts";
import { showPicker } from "../editor/boxes/showPicker.ts";
import { inList } from "../editor/boxes/inList.ts";
import { showInformation, showWarning } from "../editor/boxes/messages.ts";

/** A server at an entered address; `refused` is the reason why it cannot be used as it is. */
interface TestedServer {
  readonly place: KeyedEndpoint;
  readonly refused: Awaited<ReturnType<typeof test>>;
}

type ServerItem = vscode.QuickPickItem & { readonly next: () => Promise<void> };

export class ServerCommands {
  readonly #secrets: Secrets;
  readonly #settings: CurrentSettings;
  readonly #providers: Providers;
  readonly #connections: Connections;
  readonly #found: FoundServers;
  readonly #conversations: Conversations;
  readonly #keys: KeyCommands;
  readonly #ollama: OllamaCommands;
  readonly #keyboard: CommandFocus;
  readonly #bugs: BugReporter;

  constructor(
    models: ModelServices,
    conversations: Conversations,
    keys: KeyCommands,
    ollama: OllamaCommands,
    keyboard: CommandFocus,
    bugs: BugReporter,
  ) {
    this.#secrets = models.secrets;
    this.#settings = models.settings;
    this.#providers = models.providers;
    this.#connections = models.connections;
    this.#found = models.foundServers;
    this.#conversations = conversations;
    this.#keys = keys;
    this.#ollama = ollama;
    this.#keyboard = keyboard;
    this.#bugs = bugs;
  }

  /** Asks for the address of an OpenAI-compatible server, tests it, and uses it. */
  async useServer(): Promise<void> {
    const tried = await this.#askForAddress();
    const agreed = tried === undefined ? undefined : await confirmServer(tried, this.#secrets, this.#providers);
    this.#keyboard.afterPrompt();
    if (tried === undefined || agreed === undefined) return;
    const { baseUrl } = tried.place;
    if (agreed.key !== "") await this.#secrets.save(baseUrl, agreed.key);
    this.#found.remember("llamaCpp", baseUrl); // others that name themselves are recognized there, too
    await this.#useAddress("openaiCompatible", baseUrl);
  }

  /** The address is tested while the box is open, so that the next question can follow at once. */
  #askForAddress(): Promise<TestedServer | undefined> {
    const box = vscode.window.createInputBox();
    box.title = localize("Forge: Use a Server");
    box.prompt = localize("Address of an OpenAI-compatible server, such as http://localhost:1234/v1");
    box.value = this.#settings.current.addresses.openaiCompatible;
    box.placeholder = "http://localhost:1234/v1";
    box.ignoreFocusOut = true;
    const wrong = localize("An address that begins with http:// or https://, without user name, password, “?” and “#”");
    return askInBox(box, {
      check: (entered) => (webAddress(entered) === undefined ? wrong : undefined),
      accept: async (entered) => {
        const baseUrl = webAddress(entered);
        if (baseUrl === undefined) return { refused: wrong };
        const place: KeyedEndpoint = { label: hostOf(baseUrl), name: "openaiCompatible", baseUrl };
        const key = await this.#secrets.keyFor(baseUrl);
        // A key that must not be sent yet is asked about once the box is closed.
        const isTested = key === undefined || (await this.#secrets.maySendTo(baseUrl));
        const refused = isTested ? await test(place, key, this.#providers) : undefined;
        return { answer: { place, refused } };
      },
    });
  }

  /** Searches for servers on this machine and uses the one that the user picks. */
  async findServers(): Promise<void> {
    const picker = vscode.window.createQuickPick<ServerItem>();
    picker.title = localize("Forge: Servers on This Machine");
    picker.placeholder = localize("Looking for Ollama, LM Studio, llama.cpp and vLLM where they usually listen");
    picker.busy = true;
    const chosen = showPicker(picker);
    this.#fill(picker).catch(this.#bugs.report);
    const item = await chosen;
    if (item === undefined) this.#keyboard.afterPrompt();
    else await item.next();
  }

  async #fill(picker: vscode.QuickPick<ServerItem>): Promise<void> {
    const servers = await this.#found.search();
    picker.items = inList<ServerItem>(
      servers.length === 0
        ? [
            {
              label: `$(refresh) ${localize("Look again")}`,
              description: localize("When you have started one"),
              next: () => this.findServers(),
            },
            {
              label: `$(server) ${localize("Use a server")}`,
              description: localize("Any OpenAI-compatible address"),
              next: () => this.useServer(),
            },
          ]
        : servers.map((server) => ({
            label: `$(server) ${SERVER_LABELS[server.kind].label}`,
            description: hostOf(server.baseUrl),
            detail: modelsText(server),
            next: () => this.useFound(server),
          })),
    );
    picker.placeholder = servers.length === 0 ? localize("None was found") : localize("Which server should answer?");
    picker.busy = false;
  }

  /** Uses the server of this kind found earlier; if it is gone, or one of several, shows what can be found now. */
  async useFoundServer(kind: LocalServerKind): Promise<void> {
    const ofKind = (found: readonly LocalServer[]) => found.filter((server) => server.kind === kind);
    const known = ofKind(this.#found.found);
    const [server, another] = known.length > 0 ? known : ofKind(await this.#found.search());
    await (server === undefined || another !== undefined ? this.findServers() : this.useFound(server));
  }

  /** Asks about keys that are not sent yet, and resolves the connection again; false when it still has unreachable servers. */
  async lookAgain(): Promise<boolean> {
    const [connections, conversations] = [this.#connections, this.#conversations];
    for (const address of connections.unencryptedAddresses) await confirmUnencrypted(this.#secrets, address);
    connections.reset();
    await conversations.reconnect();
    const { session } = conversations;
    return session === undefined || connections.unreachableReasons(session.connection).length === 0;
  }

  /** Uses the language models that the editor offers; the editor may ask for consent. */
  async useEditorModels(): Promise<void> {
    this.#keyboard.afterPrompt(); // for a picker that led here; nothing below needs the keyboard
    if ((await this.#providers.countEditorModels()) === 0) {
      const [key, server] = [localize("Add an API key"), localize("Use a server")];
      const choice = await showInformation(
        localize(
          "The editor offers no language model here. Sign in to one in the editor's own chat, or connect another way.",
        ),
        key,
        server,
      );
      if (choice === key) await this.#keys.add();
      if (choice === server) await this.useServer();
      return;
    }
    this.#connections.reset();
    await this.#conversations.useProvider("editor");
  }

  async useFound({ kind, baseUrl }: LocalServer): Promise<void> {
    this.#keyboard.afterPrompt();
    this.#found.remember(kind, baseUrl);
    const isTaken =
      kind === "ollama" ? await this.#useOllama(baseUrl) : await this.#useAddress("openaiCompatible", baseUrl);
    if (isTaken) return;
    if (kind === "ollama") {
      const fetch = localize("Fetch a model");
      if ((await showInformation(withoutModel(kind, SERVER_LABELS[kind].label), fetch)) === fetch)
        await this.#ollama.fetch();
      return;
    }
    await showInformation(withoutModel("openaiCompatible", SERVER_LABELS[kind].label));
  }

  async #useOllama(baseUrl: string): Promise<boolean> {
    const isSet = this.#settings.current.addresses.ollama === baseUrl;
    return isSet ? this.#connect("ollama") : this.#useAddress("ollama", baseUrl);
  }

  async #useAddress(name: "ollama" | "openaiCompatible", baseUrl: string): Promise<boolean> {
    const configuration = vscode.workspace.getConfiguration("forge");
    await configuration.update(`${name}.baseUrl`, baseUrl, vscode.ConfigurationTarget.Global);
    return this.#connect(name);
  }

  /** Switches the open conversation to the provider that was just set up; false when it cannot be used. */
  async #connect(name: "ollama" | "openaiCompatible"): Promise<boolean> {
    this.#connections.reset();
    return this.#conversations.useProvider(name);
  }
}

/** Opens the settings with the addresses of the unreachable servers. */
export function openServerSettings(connections: Connections): Thenable<unknown> {
  const ids = connections.unreachableServers.map((name) => `forge.${name}.baseUrl`);
  const query = ids.length === 0 ? "@ext:forge-chat.forge" : `@id:${ids.join(",")}`;
  // In a remote window the settings are those of the remote machine, which the user's settings tab does not list.
  return vscode.env.remoteName === undefined
    ? vscode.commands.executeCommand("workbench.action.openSettings", query)
    : vscode.commands.executeCommand("workbench.action.openRemoteSettings", { query });
}

/** "3 models" */
export function modelsText({ modelCount }: LocalServer): string {
  if (modelCount === 0) return localize("It has no model yet");
  return plural(modelCount, "1 model", "{0} models");
}

/**
 * Asks what is needed to use a server that refused: a key, or a confirmation. `undefined`: dismissed. `key` may be
 * empty.
 */
async function confirmServer(
  { place, refused }: TestedServer,
  secrets: Secrets,
  providers: Providers,
): Promise<{ readonly key: string } | undefined> {
  const isStored = (await secrets.keyFor(place.baseUrl)) !== undefined;
  if (isStored && !(await confirmUnencrypted(secrets, place.baseUrl))) return undefined;
  if (refused === undefined) return { key: "" };
  if (refused.isAuth) {
    const key = await askForKey(place, secrets, providers, localize("{0} asks for a key", hostOf(place.baseUrl)));
    return key === undefined ? undefined : { key };
  }
  const choice = await showWarning(refused.text, { modal: true }, localize("Use it anyway"));
  return choice === undefined ? undefined : { key: "" };
}
