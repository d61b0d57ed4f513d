/** Ways to a model besides a key: a server's address, a server on this machine, the editor's own models. */

import * as vscode from "vscode";
import type { LocalServer, LocalServerKind } from "../../adapters/node/localServers.ts";
import { localize, plural } from "../../protocol/localize.ts";
import { SERVER_WORDS, type FoundServers } from "../connections/foundServers.ts";
import { withoutModel } from "../connections/unanswered.ts";
import { addKey, askForKey, hostOf, test, type KeyedPlace, type KeyWorld } from "./keyCommands.ts";
import { webAddress, type Settings } from "../editor/settings.ts";
import { showPicker } from "../editor/showPicker.ts";

/** What these need. */
export interface ServerWorld extends KeyWorld {
  readonly found: FoundServers;
  readonly settings: () => Settings;
}

/** Asks for the address of an OpenAI-compatible server, tries it, and uses it. */
export async function useServer(world: ServerWorld): Promise<void> {
  const entered = await vscode.window.showInputBox({
    title: localize("Forge: Use a Server"),
    prompt: localize("Address of an OpenAI-compatible server, such as http://localhost:1234/v1"),
    value: world.settings().compatibleBaseUrl,
    placeHolder: "http://localhost:1234/v1",
    ignoreFocusOut: true,
    validateInput: (value) =>
      webAddress(value.trim()) === undefined ? localize("An address that begins with http:// or https://") : undefined,
  });
  const baseUrl = entered === undefined ? undefined : webAddress(entered.trim());
  if (baseUrl === undefined) return;
  const place: KeyedPlace = { label: hostOf(baseUrl), name: "openaiCompatible", baseUrl };
  const refused = await test(place, await world.secrets.keyFor(baseUrl), world.providers);
  if (refused?.isAuth === true) {
    const key = await askForKey(place, world.providers, localize("{0} asks for a key", hostOf(baseUrl)));
    if (key === undefined) return;
    if (key !== "") await world.secrets.keep(baseUrl, key);
  } else if (refused !== undefined) {
    const choice = await vscode.window.showWarningMessage(refused.text, { modal: true }, localize("Use it anyway"));
    if (choice === undefined) return;
  }
  await useAddress("openaiCompatible", baseUrl, world);
}

type ServerItem = vscode.QuickPickItem & { readonly next: () => Promise<void> };

/** Looks for servers on this machine and lets the user take one. */
export async function findServers(world: ServerWorld): Promise<void> {
  const picker = vscode.window.createQuickPick<ServerItem>();
  picker.title = localize("Forge: Servers on This Machine");
  picker.placeholder = localize("Looking for Ollama, LM Studio, llama.cpp and vLLM where they usually listen");
  picker.busy = true;
  const chosen = showPicker(picker);
  const servers = await world.found.look();
  picker.items =
    servers.length === 0
      ? [
          {
            label: `$(refresh) ${localize("Look again")}`,
            description: localize("When you have started one"),
            next: () => findServers(world),
          },
          {
            label: `$(server) ${localize("Use a server")}`,
            description: localize("Any OpenAI-compatible address"),
            next: () => useServer(world),
          },
        ]
      : servers.map((server) => ({
          label: `$(server) ${SERVER_WORDS[server.kind].label}`,
          description: hostOf(server.baseUrl),
          detail: modelsText(server),
          next: () => take(server, world),
        }));
  picker.placeholder = servers.length === 0 ? localize("None was found") : localize("Which one is to answer?");
  picker.busy = false;
  await (await chosen)?.next();
}

/** Takes a server that was found before; where it is not there any more, shows what is. */
export async function useFoundServer(kind: LocalServerKind, world: ServerWorld): Promise<void> {
  const isThere = ({ kind: found }: LocalServer): boolean => found === kind;
  const server = world.found.found.find(isThere) ?? (await world.found.look()).find(isThere);
  await (server === undefined ? findServers(world) : take(server, world));
}

/** Asks once more whether what is set up answers, and says so where it still does not. */
export async function lookAgain(world: ServerWorld, say: (text: string) => void): Promise<void> {
  const { connections, conversations } = world;
  connections.reset();
  await conversations.reconnect();
  const { session } = conversations;
  if (session !== undefined && connections.unanswered(session.connection).length > 0) {
    say(localize("Asked again, with the same result."));
  }
}

/** Opens the settings that hold the addresses of servers that cannot be used. */
export function openServerSettings({ connections }: ServerWorld): Thenable<unknown> {
  const ids = connections.unansweredServers.map((name) => `forge.${name}.baseUrl`);
  const query = ids.length === 0 ? "@ext:forge-chat.forge" : `@id:${ids.join(",")}`;
  // On another machine they are that machine's own: the tab of the user's settings does not have them.
  return vscode.env.remoteName === undefined
    ? vscode.commands.executeCommand("workbench.action.openSettings", query)
    : vscode.commands.executeCommand("workbench.action.openRemoteSettings", { query });
}

/** Uses the language models that the editor offers, asking for consent where the editor does. */
export async function useEditorModels(world: ServerWorld): Promise<void> {
  const { providers, connections, conversations } = world;
  if ((await providers.countEditorModels()) === 0) {
    const [key, server] = [localize("Add an API key"), localize("Use a server")];
    const choice = await vscode.window.showInformationMessage(
      localize("The editor offers no language model here. Sign in to one in the editor's own chat, or go another way."),
      key,
      server,
    );
    if (choice === key) await addKey(world);
    if (choice === server) await useServer(world);
    return;
  }
  connections.reset();
  await conversations.useProvider("editor");
}

/** "3 models", for lists of what was found. */
export function modelsText({ modelCount }: LocalServer): string {
  if (modelCount === 0) return localize("It has no model yet");
  return plural(modelCount, "1 model", "{0} models");
}

async function take({ kind, baseUrl }: LocalServer, world: ServerWorld): Promise<void> {
  const isTaken =
    kind === "ollama" ? await useOllama(baseUrl, world) : await useAddress("openaiCompatible", baseUrl, world);
  if (isTaken) return;
  const name = kind === "ollama" ? kind : "openaiCompatible";
  await vscode.window.showInformationMessage(withoutModel(name, SERVER_WORDS[kind].label));
}

async function useOllama(baseUrl: string, world: ServerWorld): Promise<boolean> {
  const isSet = world.settings().ollamaBaseUrl === baseUrl;
  return isSet ? choose("ollama", world) : useAddress("ollama", baseUrl, world);
}

async function useAddress(name: "ollama" | "openaiCompatible", baseUrl: string, world: ServerWorld): Promise<boolean> {
  const configuration = vscode.workspace.getConfiguration("forge");
  await configuration.update(`${name}.baseUrl`, baseUrl, vscode.ConfigurationTarget.Global);
  return choose(name, world);
}

/** Has the provider that was just set up answer in the open conversation; answers whether it can. */
async function choose(name: "ollama" | "openaiCompatible", world: ServerWorld): Promise<boolean> {
  world.connections.reset();
  return world.conversations.useProvider(name);
}
