/** Ways to a model: a key, a server's address, the editor's own models. Each is tried before it is kept. */

import * as vscode from "vscode";
import type { Connections } from "./connections.ts";
import type { Conversations } from "./conversations.ts";
import { whatFailed } from "./explain.ts";
import type { Secrets } from "./secrets.ts";
import { webAddress, type Settings } from "./settings.ts";

/** What these need. */
export interface KeyWorld {
  readonly connections: Connections;
  readonly conversations: Conversations;
  readonly secrets: Secrets;
  readonly settings: () => Settings;
}

/** How long a test of a key or an address may take. */
const TEST_LIMIT_MS = 15_000;

type KeyedProvider = "anthropic" | "openai" | "openaiCompatible";

interface KeyedItem extends vscode.QuickPickItem {
  readonly name: KeyedProvider;
  readonly baseUrl: string;
}

/** Asks for a provider's key, tests it, and keeps it only when it works. */
export async function addKey(world: KeyWorld): Promise<void> {
  const picked = await vscode.window.showQuickPick(keyedProviders(world.settings()), {
    title: "Forge: Add an API Key",
    placeHolder: "Whose key?",
  });
  if (picked === undefined) return;
  const key = await askForKey(picked, world, `API key for ${hostOf(picked.baseUrl)}`);
  if (key === undefined || key === "") return;
  await world.secrets.keep(picked.baseUrl, key);
  await choose(picked.name, world);
}

/** Lets the user pick a key that is kept, and forgets it. */
export async function removeKey(world: KeyWorld): Promise<void> {
  const kept: KeyedItem[] = [];
  for (const item of keyedProviders(world.settings())) {
    if ((await world.secrets.keyFor(item.baseUrl)) !== undefined) kept.push(item);
  }
  const title = "Forge: Remove an API Key";
  if (kept.length === 0) {
    await vscode.window.showQuickPick(
      [{ label: "$(check) No key is kept", description: "There is nothing to remove." }],
      {
        title,
      },
    );
    return;
  }
  const picked = await vscode.window.showQuickPick(kept, { title, placeHolder: "Which key?" });
  if (picked === undefined) return;
  await world.secrets.forget(picked.baseUrl);
  world.connections.reset();
  await world.conversations.reconnect();
}

/** Asks for the address of an OpenAI-compatible server, tries it, and uses it. */
export async function useServer(world: KeyWorld): Promise<void> {
  const entered = await vscode.window.showInputBox({
    title: "Forge: Use a Server",
    prompt: "Address of an OpenAI-compatible server, such as http://localhost:1234/v1",
    value: world.settings().compatibleBaseUrl,
    placeHolder: "http://localhost:1234/v1",
    ignoreFocusOut: true,
    validateInput: (value) =>
      webAddress(value.trim()) === undefined ? "An address that begins with http:// or https://" : undefined,
  });
  const baseUrl = entered === undefined ? undefined : webAddress(entered.trim());
  if (baseUrl === undefined) return;
  const item: KeyedItem = { label: hostOf(baseUrl), name: "openaiCompatible", baseUrl };
  const refused = await test(item, await world.secrets.keyFor(baseUrl), world);
  if (refused?.isAuth === true) {
    const key = await askForKey(item, world, `${hostOf(baseUrl)} asks for a key`);
    if (key === undefined) return;
    if (key !== "") await world.secrets.keep(baseUrl, key);
  } else if (refused !== undefined) {
    const choice = await vscode.window.showWarningMessage(refused.text, { modal: true }, "Use it anyway");
    if (choice === undefined) return;
  }
  await vscode.workspace
    .getConfiguration("forge")
    .update("openaiCompatible.baseUrl", baseUrl, vscode.ConfigurationTarget.Global);
  await choose("openaiCompatible", world);
}

/** Uses the language models that the editor offers, asking for consent where the editor does. */
export async function useEditorModels(world: KeyWorld): Promise<void> {
  if ((await world.connections.countEditorModels()) === 0) {
    await vscode.window.showInformationMessage(
      "The editor offers no language model here. Sign in to one in the editor's own chat, or add a key or a server.",
    );
    return;
  }
  await choose("editor", world);
}

function keyedProviders(settings: Settings): readonly KeyedItem[] {
  const items: KeyedItem[] = [
    {
      label: "Anthropic",
      description: hostOf(settings.anthropicBaseUrl),
      name: "anthropic",
      baseUrl: settings.anthropicBaseUrl,
    },
    { label: "OpenAI", description: hostOf(settings.openaiBaseUrl), name: "openai", baseUrl: settings.openaiBaseUrl },
  ];
  const server = settings.compatibleBaseUrl;
  if (server !== "")
    items.push({ label: "Your server", description: hostOf(server), name: "openaiCompatible", baseUrl: server });
  return items;
}

/** The key, tested; `undefined` when the user gave up. The box stays open, with the reason, while the key is refused. */
function askForKey(item: KeyedItem, world: KeyWorld, prompt: string): Promise<string | undefined> {
  const box = vscode.window.createInputBox();
  box.title = `Forge: ${item.label}`;
  box.prompt = `${prompt}. It is kept in the system's secret storage and sent to ${hostOf(item.baseUrl)} only.`;
  box.password = true;
  box.ignoreFocusOut = true;
  return new Promise((resolve) => {
    box.onDidChangeValue(() => {
      box.validationMessage = undefined;
    });
    box.onDidAccept(async () => {
      const key = box.value.trim();
      if (key === "") return;
      box.busy = true;
      box.enabled = false;
      const refused = await test(item, key, world);
      box.busy = false;
      box.enabled = true;
      if (refused === undefined) {
        resolve(key);
        box.hide();
      } else {
        box.validationMessage = `Not kept: ${refused.text}`;
      }
    });
    box.onDidHide(() => {
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}

/** Why the key or the address does not work; `undefined` when it does. */
async function test(
  item: KeyedItem,
  key: string | undefined,
  world: KeyWorld,
): Promise<{ readonly text: string; readonly isAuth: boolean } | undefined> {
  const provider = await world.connections.candidate(item.name, item.baseUrl, key);
  const listed = await provider.listModels(AbortSignal.timeout(TEST_LIMIT_MS));
  if (listed.ok) return undefined;
  return { text: whatFailed(listed.error, provider.label), isAuth: listed.error.code === "AUTH_FAILED" };
}

/** Has the provider that was just set up answer in the open conversation. */
async function choose(name: KeyedProvider | "editor", world: KeyWorld): Promise<void> {
  world.connections.reset();
  await world.conversations.useProvider(name);
}

function hostOf(baseUrl: string): string {
  return new URL(baseUrl).host;
}
