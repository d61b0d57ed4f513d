/** Commands for API keys: add or replace, test, remove. A key is tested before it is saved. */

import * as vscode from "vscode";
import { localize } from "../../protocol/localize.ts";
import type { Connections } from "../connections/connections.ts";
import type { Conversations } from "../conversations/conversations.ts";
import { failureReason } from "../words/explain.ts";
import { PROVIDER_LABELS, type KeyedProvider } from "../connections/providerCatalog.ts";
import type { Providers } from "../connections/providers.ts";
import { askInBox } from "../editor/boxes/askInBox.ts";
import type { CommandFocus } from "../editor/commandFocus.ts";
import type { ModelServices } from "../connections/modelServices.ts";
import type { Secrets } from "../editor/secrets.ts";
import { proseInList } from "../tools/hiddenText.ts";
import { showPicker } from "../editor/boxes/showPicker.ts";
import { inList } from "../editor/boxes/inList.ts";
import { showInformation, showWarning } from "../editor/boxes/messages.ts";

/** A provider at an address. */
export interface KeyedEndpoint {
  readonly name: KeyedProvider;
  /** "Anthropic" */
  readonly label: string;
  readonly baseUrl: string;
}

/** Timeout for testing a key or an address. */
const TEST_LIMIT_MS = 15_000;

type PlaceItem = vscode.QuickPickItem & { readonly place: KeyedEndpoint };
/** `replace`: set if the key was refused; picking the item asks for a new one. */
type TestedItem = vscode.QuickPickItem & { readonly replace?: KeyedEndpoint };

export class KeyCommands {
  readonly #secrets: Secrets;
  readonly #providers: Providers;
  readonly #connections: Connections;
  readonly #conversations: Conversations;
  readonly #keyboard: CommandFocus;

  constructor(
    { secrets, providers, connections }: ModelServices,
    conversations: Conversations,
    keyboard: CommandFocus,
  ) {
    this.#secrets = secrets;
    this.#providers = providers;
    this.#connections = connections;
    this.#conversations = conversations;
    this.#keyboard = keyboard;
  }

  /** Asks for a provider's key and saves it, in place of an older one, when a test succeeds. */
  async add(): Promise<void> {
    const saved = new Set(await this.#secrets.origins());
    const items = keyedEndpoints(this.#providers).map((place): PlaceItem => {
      const isKept = saved.has(new URL(place.baseUrl).origin);
      return {
        label: place.label,
        description: hostOf(place.baseUrl),
        ...(isKept ? { detail: localize("A key is stored; a new one replaces it") } : {}),
        place,
      };
    });
    const picked = await vscode.window.showQuickPick(inList(items), {
      title: localize("Forge: Add or Replace an API Key"),
      placeHolder: localize("For which provider?"),
    });
    if (picked === undefined) this.#keyboard.afterPrompt();
    else await this.#enter(picked.place);
  }

  async #enter(place: KeyedEndpoint): Promise<void> {
    const { name, baseUrl } = place;
    const key = await askForKey(place, this.#secrets, this.#providers, localize("API key for {0}", hostOf(baseUrl)));
    this.#keyboard.afterPrompt();
    if (key === undefined || key === "") return;
    await this.#secrets.save(baseUrl, key);
    this.#connections.reset();
    await this.#conversations.useProvider(name);
  }

  /** Deletes a saved key that the user picks, including those of origins that no setting names any more. */
  async remove(): Promise<void> {
    const known = new Map(
      keyedEndpoints(this.#providers).map(({ label, baseUrl }) => [new URL(baseUrl).origin, label]),
    );
    const items = (await this.#secrets.origins()).map((origin) => ({
      label: known.get(origin) ?? localize("Another server"),
      description: hostOf(origin),
      origin,
    }));
    const title = localize("Forge: Remove an API Key");
    if (items.length === 0) {
      return this.#offerToAdd(title, localize("There is nothing to remove."));
    }
    const picked = await vscode.window.showQuickPick(inList(items), { title, placeHolder: localize("Which key?") });
    if (picked === undefined) return;
    await this.#secrets.forget(picked.origin);
    this.#connections.reset();
    await this.#conversations.reconnect();
    void showInformation(localize("The key for {0} was removed.", hostOf(picked.origin)));
  }

  /** Tests all saved keys, each at its own server. */
  async test(): Promise<void> {
    const saved: KeyedEndpoint[] = [];
    for (const place of keyedEndpoints(this.#providers)) {
      if ((await this.#secrets.keyFor(place.baseUrl)) !== undefined) saved.push(place);
    }
    const title = localize("Forge: Test API Keys");
    if (saved.length === 0) {
      return this.#offerToAdd(title, localize("There is nothing to test."));
    }
    const picker = vscode.window.createQuickPick<TestedItem>();
    picker.title = title;
    picker.busy = true;
    picker.placeholder = localize("Each key is sent to its own server only");
    const chosen = showPicker(picker);
    const tested = saved.map(async (place): Promise<TestedItem> => {
      if (!(await this.#secrets.maySendTo(place.baseUrl))) {
        return {
          label: `$(warning) ${place.label}`,
          description: `${hostOf(place.baseUrl)} · ${localize("Replace key")}`,
          detail: localize("Not tested: the key would be sent without encryption."),
          replace: place,
        };
      }
      const refused = await test(place, await this.#secrets.keyFor(place.baseUrl), this.#providers);
      const host = hostOf(place.baseUrl);
      return refused === undefined
        ? { label: `$(check) ${place.label}`, description: host, detail: localize("The key works.") }
        : {
            label: `$(error) ${place.label}`,
            description: refused.isAuth ? `${host} · ${localize("Replace key")}` : host,
            detail: refused.text,
            ...(refused.isAuth ? { replace: place } : {}),
          };
    });
    picker.items = inList(await Promise.all(tested));
    picker.busy = false;
    const replaced = (await chosen)?.replace;
    if (replaced !== undefined) await this.#enter(replaced);
  }

  /** Says that no key is saved, and offers to add one. */
  async #offerToAdd(title: string, consequence: string): Promise<void> {
    const none = { label: `$(check) ${localize("No key is stored")}`, description: consequence };
    const add = { label: `$(key) ${localize("Add an API key")}` };
    const picked = await vscode.window.showQuickPick(inList([none, { ...add, isChosen: true }]), { title });
    if (picked !== undefined && "isChosen" in picked) await this.add();
  }
}

/**
 * Asks whether a key may go to `baseUrl` where it would leave this machine without encryption. The consent is stored
 * with the keys, for the origin.
 */
export async function confirmUnencrypted(
  secrets: Pick<Secrets, "maySendTo" | "allowUnencrypted">,
  baseUrl: string,
): Promise<boolean> {
  if (await secrets.maySendTo(baseUrl)) return true;
  const host = hostOf(baseUrl);
  const send = localize("Send without encryption");
  const choice = await showWarning(
    localize("Send the key to {0} without encryption?", host),
    {
      modal: true,
      detail: localize(
        "The address begins with http://, so the key and the conversation could be read on the way to {0}. Nothing has been sent yet. Use an address with https:// if the server has one.",
        host,
      ),
    },
    send,
  );
  if (choice !== send) return false;
  await secrets.allowUnencrypted(baseUrl);
  return true;
}

/** A tested key; `undefined` when dismissed. The box stays open, with the reason, while a key is refused. */
export async function askForKey(
  place: KeyedEndpoint,
  secrets: Pick<Secrets, "maySendTo" | "allowUnencrypted">,
  providers: Providers,
  prompt: string,
): Promise<string | undefined> {
  if (!(await confirmUnencrypted(secrets, place.baseUrl))) return undefined;
  const box = vscode.window.createInputBox();
  box.title = `Forge: ${place.label}`;
  box.prompt = localize(
    "{0}. It is kept in the editor's secret storage and sent to {1} only.",
    prompt,
    hostOf(place.baseUrl),
  );
  box.password = true;
  box.ignoreFocusOut = true;
  return askInBox(box, {
    accept: async (key) => {
      if (key === "") return undefined;
      const refused = await test(place, key, providers);
      return refused === undefined ? { answer: key } : { refused: localize("Not saved: {0}", refused.text) };
    },
  });
}

/** Why the key or the address does not work; `undefined` when it does. */
export async function test(
  { name, baseUrl }: KeyedEndpoint,
  key: string | undefined,
  providers: Providers,
): Promise<{ readonly text: string; readonly isAuth: boolean } | undefined> {
  const provider = await providers.candidate(name, baseUrl, key);
  const listed = await provider.listModels(AbortSignal.timeout(TEST_LIMIT_MS));
  if (listed.ok) return undefined;
  return {
    text: proseInList(failureReason(listed.error, provider.label)),
    isAuth: listed.error.code === "AUTH_FAILED",
  };
}

/** "api.anthropic.com", "localhost:1234" */
export function hostOf(baseUrl: string): string {
  return new URL(baseUrl).host;
}

/** Places for which a key can be entered. Ollama is listed only when it is set up: a local server needs no key. */
function keyedEndpoints(providers: Providers): readonly KeyedEndpoint[] {
  const names: readonly KeyedProvider[] = ["anthropic", "openai", "openaiCompatible", "ollama"];
  return names
    .map((name) => ({ name, label: PROVIDER_LABELS[name], baseUrl: providers.addressOf(name) }))
    .filter(({ name, baseUrl }) => baseUrl !== "" && (name !== "ollama" || providers.isSetUp(name)));
}
