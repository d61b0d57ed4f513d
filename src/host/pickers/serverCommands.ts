/** Ways to a model besides a key: a server's address, a server on this machine, the editor's own models. */

import * as vscode from "vscode";
import type { LocalServer, LocalServerKind } from "../../adapters/localServers/localServers.ts";
import { localize, plural } from "../../protocol/localize.ts";
import { SERVER_WORDS, type FoundServers } from "../connections/foundServers.ts";
import { withoutModel } from "../connections/unanswered.ts";
import { addKey, askForKey, hostOf, test, type KeyedPlace, type KeyWorld } from "./keyCommands.ts";
import { askInBox } from "../editor/askInBox.ts";
import { webAddress, type Settings } from "../editor/settings.ts";
import { showPicker } from "../editor/showPicker.ts";

/** What these need. */
export interface ServerWorld extends KeyWorld {
  readonly found: FoundServers;
  readonly settings: () => Settings;
  /** Takes note of something that threw where nobody waits for it. */
  readonly bug: (error: unknown) => void;
}

/** Asks for the address of an OpenAI-compatible server, tries it, and uses it. */
export async function useServer(world: ServerWorld): Promise<void> {
  const tried = await askForAddress(world);
  const agreed = tried === undefined ? undefined : await agreeTo(tried, world);
  world.answered();
  if (tried === undefined || agreed === undefined) return;
  const { baseUrl } = tried.place;
  if (agreed.key !== "") await world.secrets.keep(baseUrl, agreed.key);
  await useAddress("openaiCompatible", baseUrl, world);
}

/** A server at an address that the user gave, and why it does not answer as it is. */
interface TriedServer {
  readonly place: KeyedPlace;
  readonly refused: Awaited<ReturnType<typeof test>>;
}

/** Asks for the address, which is tried while the box is open: the next question follows at once. */
function askForAddress(world: ServerWorld): Promise<TriedServer | undefined> {
  const box = vscode.window.createInputBox();
  box.title = localize("Forge: Use a Server");
  box.prompt = localize("Address of an OpenAI-compatible server, such as http://localhost:1234/v1");
  box.value = world.settings().compatibleBaseUrl;
  box.placeholder = "http://localhost:1234/v1";
  box.ignoreFocusOut = true;
  const wrong = localize("An address that begins with http:// or https://");
  return askInBox(box, {
    check: (entered) => (webAddress(entered) === undefined ? wrong : undefined),
    accept: async (entered) => {
      const baseUrl = webAddress(entered);
      if (baseUrl === undefined) return { refused: wrong };
      const place: KeyedPlace = { label: hostOf(baseUrl), name: "openaiCompatible", baseUrl };
      const refused = await test(place, await world.secrets.keyFor(baseUrl), world.providers);
      return { answer: { place, refused } };
    },
  });
}

/** Asks for what a server needs that does not answer as it is; `undefined` when the user turned away. `key` may be empty. */
async function agreeTo(
  { place, refused }: TriedServer,
  { providers }: ServerWorld,
): Promise<{ readonly key: string } | undefined> {
  if (refused === undefined) return { key: "" };
  if (refused.isAuth) {
    const key = await askForKey(place, providers, localize("{0} asks for a key", hostOf(place.baseUrl)));
    return key === undefined ? undefined : { key };
  }
  const choice = await vscode.window.showWarningMessage(refused.text, { modal: true }, localize("Use it anyway"));
  return choice === undefined ? undefined : { key: "" };
}

type ServerItem = vscode.QuickPickItem & { readonly next: () => Promise<void> };

/** Looks for servers on this machine and lets the user take one. */
export async function findServers(world: ServerWorld): Promise<void> {
  const picker = vscode.window.createQuickPick<ServerItem>();
  picker.title = localize("Forge: Servers on This Machine");
  picker.placeholder = localize("Looking for Ollama, LM Studio, llama.cpp and vLLM where they usually listen");
  picker.busy = true;
  const chosen = showPicker(picker);
  fillWithServers(picker, world).catch(world.bug);
  const item = await chosen;
  if (item === undefined) world.answered();
  else await item.next();
}

async function fillWithServers(picker: vscode.QuickPick<ServerItem>, world: ServerWorld): Promise<void> {
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
  const { providers, connections, conversations, answered } = world;
  answered(); // of a picker that led here; nothing of this asks by the keyboard
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
  world.answered();
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
