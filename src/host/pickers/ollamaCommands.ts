/** Commands that fetch models for an Ollama server and delete them from its disk. Nothing happens without consent. */

import * as vscode from "vscode";
import type { PullProgress, StoredModel, StoreFailure } from "../../adapters/ollama/modelStore.ts";
import type { OllamaAddress } from "../../adapters/ollama/ollamaServer.ts";
import { modelId } from "../../core/ids.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { localize } from "../../protocol/localize.ts";
import type { ModelServices } from "../connections/modelServices.ts";
import type { Conversations } from "../conversations/conversations.ts";
import { askInBox, type TryResult } from "../editor/boxes/askInBox.ts";
import { inList } from "../editor/boxes/inList.ts";
import { showInformation, showWarning } from "../editor/boxes/messages.ts";
import type { CommandFocus } from "../editor/commandFocus.ts";
import { editorFetch } from "../editor/editorFetch.ts";
import { nameInList } from "../tools/hiddenText.ts";
import { deleteFailureText, formatBytes, percentOf, pullFailureText, pullText } from "../words/modelStoreTexts.ts";
import { confirmUnencrypted, hostOf } from "./keyCommands.ts";

/** `missingBytes`: to be fetched, as far as the server has told. */
interface WantedModel {
  readonly name: string;
  readonly totalBytes: number;
  readonly missingBytes: number;
}

/** Smaller parts are fetched while the size is asked for: the server tells it only as it fetches. */
const CONSENT_BYTES = 10_000_000;

export class OllamaCommands {
  readonly #models: ModelServices;
  readonly #conversations: Pick<Conversations, "session">;
  readonly #keyboard: CommandFocus;

  constructor(models: ModelServices, conversations: Pick<Conversations, "session">, keyboard: CommandFocus) {
    this.#models = models;
    this.#conversations = conversations;
    this.#keyboard = keyboard;
  }

  /** Whether one is set up, or was found on this machine. */
  get isKnown(): boolean {
    return this.#knownUrl !== undefined;
  }

  /** Asks which model, and once its size is known, whether; then shows progress until it is there. */
  async fetch(): Promise<void> {
    const server = await this.#server();
    const wanted = server === undefined ? undefined : await this.#askForModel(server);
    const isAgreed = wanted !== undefined && (wanted.missingBytes === 0 || (await confirmFetch(wanted)));
    this.#keyboard.afterPrompt();
    if (server !== undefined && isAgreed) await this.#pull(server, wanted.name);
  }

  /** Asks which model, and whether; conversations with it stay. */
  async delete(): Promise<void> {
    const server = await this.#server();
    const stored = server === undefined ? undefined : await this.#stored(server);
    const model = stored === undefined ? undefined : await this.#askWhichToDelete(stored);
    this.#keyboard.afterPrompt();
    if (server === undefined || model === undefined) return;
    const { deleteModel } = await import("../../adapters/ollama/modelStore.ts");
    const deleted = await deleteModel(server, model.name, AbortSignal.timeout(30_000));
    await this.#refresh();
    if (deleted.ok) {
      void showInformation(localize("{0} was deleted. {1} are free again.", model.name, formatBytes(model.sizeBytes)));
    } else void showWarning(deleteFailureText(deleted.error, model.name, hostOf(server.baseUrl)));
  }

  /** The server in the settings if it is set up or in use, else one found on this machine; `undefined` after saying so. */
  async #server(): Promise<OllamaAddress | undefined> {
    const { foundServers, secrets } = this.#models;
    if (this.#knownUrl === undefined) await foundServers.search();
    const baseUrl = this.#knownUrl;
    if (baseUrl === undefined) {
      const again = localize("Look again");
      const text = localize(
        "Ollama is not running on this machine. Get it at ollama.com, or start it with “ollama serve”.",
      );
      return (await showInformation(text, again)) === again ? this.#server() : undefined;
    }
    const apiKey = await secrets.keyFor(baseUrl);
    if (apiKey === undefined) return { baseUrl, fetch: editorFetch };
    return (await confirmUnencrypted(secrets, baseUrl)) ? { baseUrl, apiKey, fetch: editorFetch } : undefined;
  }

  get #knownUrl(): string | undefined {
    const { providers, foundServers } = this.#models;
    const address = providers.addressOf("ollama");
    const isUsed = providers.isSetUp("ollama") || this.#conversations.session?.connection.providerName === "ollama";
    if (isUsed && address !== "") return address;
    return foundServers.found.find(({ kind }) => kind === "ollama")?.baseUrl;
  }

  /** The box stays open, with the reason, while a name is refused; closing it ends the request. */
  #askForModel(server: OllamaAddress): Promise<WantedModel | undefined> {
    const ended = new AbortController();
    const box = vscode.window.createInputBox();
    box.title = localize("Forge: Fetch a Model for Ollama");
    box.prompt = localize("Name of a model, as at ollama.com/library. Its size is asked for first.");
    box.placeholder = "qwen3:8b";
    box.ignoreFocusOut = true;
    box.onDidHide(() => {
      ended.abort();
    });
    return askInBox(box, {
      accept: async (entered): Promise<TryResult<WantedModel> | undefined> => {
        if (entered === "") return undefined;
        const name = modelNameIn(entered);
        const host = hostOf(server.baseUrl);
        if (name === undefined) return { refused: pullFailureText({ kind: "badName" }, entered, host) };
        const wanted = await sizeOf(server, name, ended.signal);
        return wanted.ok ? { answer: wanted.value } : { refused: pullFailureText(wanted.error, name, host) };
      },
    });
  }

  async #pull(server: OllamaAddress, name: string): Promise<void> {
    const { pullModel } = await import("../../adapters/ollama/modelStore.ts");
    const title = localize("Fetching {0}", name);
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    const pulled = await vscode.window.withProgress(options, (progress, token) => {
      const ended = new AbortController();
      token.onCancellationRequested(() => {
        ended.abort();
      });
      let shown = { text: "", percent: 0 };
      return pullModel(server, name, ended.signal, (now) => {
        const percent = Math.max(percentOf(now), shown.percent);
        const text = pullText(now);
        if (text === shown.text) return;
        progress.report({ message: text, increment: percent - shown.percent });
        shown = { text, percent };
      });
    });
    await this.#refresh();
    if (!pulled.ok) return this.#offerAfterFailure(pulled.error, server, name);
    const use = localize("Use it");
    if ((await showInformation(localize("{0} is there.", name), use)) === use) await this.#use(server, name);
  }

  async #offerAfterFailure(failure: StoreFailure, server: OllamaAddress, name: string): Promise<void> {
    const text = pullFailureText(failure, name, hostOf(server.baseUrl));
    const [again, free] = [localize("Fetch it again"), localize("Delete a model")];
    const show = failure.kind === "cancelled" ? showInformation : showWarning;
    const chosen = await show(text, ...(failure.kind === "diskFull" ? [again, free] : [again]));
    if (chosen === again) await this.#pull(server, name);
    if (chosen === free) await this.delete();
  }

  async #use(server: OllamaAddress, fetched: string): Promise<void> {
    const { settings, connections } = this.#models;
    const { baseUrl } = server;
    if (settings.current.addresses.ollama !== baseUrl) {
      const configuration = vscode.workspace.getConfiguration("forge");
      await configuration.update("ollama.baseUrl", baseUrl, vscode.ConfigurationTarget.Global);
    }
    connections.reset();
    // The server adds the tag where none was given.
    const stored = (await this.#stored(server)) ?? [];
    const { name } = stored.find((model) => model.name === fetched || model.name === `${fetched}:latest`) ?? {
      name: fetched,
    };
    const connection = await connections.resolve({ provider: "ollama", model: modelId(name) });
    await this.#conversations.session?.switchModel(connection);
    this.#keyboard.focusComposer();
  }

  /** `undefined` after saying why. */
  async #stored(server: OllamaAddress): Promise<readonly StoredModel[] | undefined> {
    const { storedModels } = await import("../../adapters/ollama/modelStore.ts");
    const stored = await storedModels(server, AbortSignal.timeout(10_000));
    if (stored.ok) return stored.value;
    void showWarning(deleteFailureText({ kind: "unreachable" }, "", hostOf(server.baseUrl)));
    return undefined;
  }

  async #askWhichToDelete(stored: readonly StoredModel[]): Promise<StoredModel | undefined> {
    const current = this.#conversations.session?.connection;
    const isInUse = ({ name }: StoredModel): boolean => current?.providerName === "ollama" && current.model === name;
    const items = stored.map((model) => ({
      label: nameInList(model.name),
      description: formatBytes(model.sizeBytes),
      ...(isInUse(model) ? { detail: localize("It answers in this conversation.") } : {}),
      model,
    }));
    const title = localize("Forge: Delete a Model of Ollama");
    if (items.length === 0) {
      void showInformation(localize("Ollama has no model."));
      return undefined;
    }
    const picked = await vscode.window.showQuickPick(inList(items), { title, placeHolder: localize("Which model?") });
    if (picked === undefined) return undefined;
    const remove = localize("Delete");
    const question = localize("Delete {0} ({1}) from Ollama?", picked.label, picked.description);
    const detail = isInUse(picked.model)
      ? localize(
          "It answers in this conversation, which stays; choose another model afterwards. It can be fetched again.",
        )
      : localize("Conversations with it stay. It can be fetched again.");
    return (await showWarning(question, { modal: true, detail }, remove)) === remove ? picked.model : undefined;
  }

  /** Lists again what the server has, for all that shows it. */
  async #refresh(): Promise<void> {
    const { foundServers, connections } = this.#models;
    await foundServers.search();
    if (this.#conversations.session?.connection.providerName === "ollama") await connections.models("ollama");
  }
}

/** Asks the server to fetch, and ends that before it has fetched much: it tells the size in no other way. */
async function sizeOf(
  server: OllamaAddress,
  name: string,
  signal: AbortSignal,
): Promise<Result<WantedModel, StoreFailure>> {
  const { pullModel } = await import("../../adapters/ollama/modelStore.ts");
  const known = new AbortController();
  let latest: PullProgress | undefined;
  const pulled = await pullModel(server, name, AbortSignal.any([signal, known.signal]), (progress) => {
    latest = progress;
    if (progress.totalBytes - progress.fetchedBytes >= CONSENT_BYTES) known.abort();
  });
  const { totalBytes = 0, fetchedBytes = 0 } = latest ?? {};
  if (known.signal.aborted) return ok({ name, totalBytes, missingBytes: totalBytes - fetchedBytes });
  return pulled.ok ? ok({ name, totalBytes, missingBytes: 0 }) : err(pulled.error);
}

async function confirmFetch({ name, totalBytes, missingBytes }: WantedModel): Promise<boolean> {
  const fetch = localize("Fetch");
  const size =
    missingBytes === totalBytes
      ? localize("At least {0} are downloaded.", formatBytes(totalBytes))
      : localize(
          "At least {0} of {1} are downloaded; the rest is there.",
          formatBytes(missingBytes),
          formatBytes(totalBytes),
        );
  const detail = localize(
    "{0} Ollama keeps the model on its disk until you delete it. The download can be cancelled.",
    size,
  );
  return (await showInformation(localize("Fetch {0}?", name), { modal: true, detail }, fetch)) === fetch;
}

/** Also from a pasted command or page: "ollama run qwen3:8b", "https://ollama.com/library/qwen3". */
export function modelNameIn(entered: string): string | undefined {
  const name = entered
    .trim()
    .replace(/^(?:\$ ?)?ollama (?:run|pull) /, "")
    .trim()
    .replace(/^(?:https?:\/\/)?(?:www\.)?ollama\.com\/(?:library\/)?/, "")
    .replace(/^https?:\/\/(?:huggingface\.co|hf\.co)\//, "hf.co/");
  return /^\w[\w./:@-]{0,199}$/.test(name) ? name : undefined;
}
