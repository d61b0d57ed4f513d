/** "Forge: Switch Model": all available models, each with the effect of a switch to it. */

import { modelName } from "../../core/models/modelName.ts";
import * as vscode from "vscode";
import type { ModelId } from "../../core/ids.ts";
import type { CancelSignal } from "../../core/cancellation.ts";
import type { LocalServer } from "../../adapters/localServers/localServers.ts";
import { localize } from "../../protocol/localize.ts";
import { SERVER_LABELS } from "../connections/foundServers.ts";
import { failureReason } from "../words/explain.ts";
import type { OfferedModel } from "../../core/stream/provider.ts";
import type { Connection, Connections } from "../connections/connections.ts";
import type { ModelServices } from "../connections/modelServices.ts";
import type { BugReporter } from "../editor/bugReporter.ts";
import type { CommandFocus } from "../editor/commandFocus.ts";
import { readInSlices } from "../background/readInSlices.ts";
import { previewText } from "../transcript/modelNotice.ts";
import { hostOf } from "./keyCommands.ts";
import { isServerName, withoutModel } from "../connections/unreachableServers.ts";
import { chosenSummarizerText, summarizerDetail, type SummarizerPlace } from "./summarizerChoice.ts";
import { modelSetting, PROVIDER_LABELS, type ProviderName } from "../connections/providerCatalog.ts";
import { nameInList, proseInList } from "../tools/hiddenText.ts";
import type { OllamaCommands } from "./ollamaCommands.ts";
import { modelsText, openServerSettings, type ServerCommands } from "./serverCommands.ts";
import type { Session } from "../session/session.ts";
import type { CommandId, CommandRunner } from "../editor/commandIds.ts";
import { showPicker } from "../editor/boxes/showPicker.ts";
import { speedInList } from "../words/localModelTexts.ts";
import { formatTokens } from "../words/formatting.ts";
import { inList } from "../editor/boxes/inList.ts";

interface ModelItem extends vscode.QuickPickItem {
  readonly provider?: ProviderName;
  readonly model?: ModelId;
  readonly command?: CommandId;
  readonly server?: LocalServer;
  readonly act?: () => Thenable<unknown>;
  /** Forge's own choice of a model. */
  readonly isAutomatic?: true;
}

const LISTED: readonly ProviderName[] = ["anthropic", "openai", "openaiCompatible", "ollama", "editor"];

interface ModelQuestion {
  readonly title: string;
  readonly placeholder: string;
  readonly setupItems: readonly ModelItem[];
  /** The model in use for what is asked. */
  readonly current: { readonly providerName: ProviderName; readonly model: ModelId; readonly why: string };
  /** Stands before the models. */
  readonly first?: ModelItem;
  /** Absent: the effect of a switch to the model. */
  readonly detailOf?: (place: SummarizerPlace) => string;
}

export class ModelPicker {
  readonly #models: ModelServices;
  readonly #servers: ServerCommands;
  readonly #ollama: Pick<OllamaCommands, "isKnown">;
  readonly #commands: CommandRunner;
  readonly #keyboard: CommandFocus;
  readonly #bugs: BugReporter;

  constructor(
    models: ModelServices,
    servers: ServerCommands,
    ollama: Pick<OllamaCommands, "isKnown">,
    commands: CommandRunner,
    keyboard: CommandFocus,
    bugs: BugReporter,
  ) {
    this.#models = models;
    this.#servers = servers;
    this.#ollama = ollama;
    this.#commands = commands;
    this.#keyboard = keyboard;
    this.#bugs = bugs;
  }

  /** Switches the conversation to the picked model. The lists arrive while the picker is open. */
  async pick(session: Session): Promise<void> {
    const words = { title: localize("Forge: Switch Model"), placeholder: localize("A model for this conversation") };
    const item = await this.#choose(session, { ...words, current: session.connection, setupItems: SETUP_ITEMS });
    if (item?.server !== undefined) await this.#servers.useFound(item.server);
    else if (item?.act !== undefined) await item.act();
    else if (item?.command !== undefined) await this.#commands.run(item.command);
    else {
      const connection = await this.#resolveChoice(item);
      if (connection !== undefined) await session.switchModel(connection);
    }
  }

  /** Picks a model for a preview; nothing changes. */
  async pickForPreview(session: Session): Promise<Connection | undefined> {
    const words = {
      title: localize("Forge: Preview Another Model"),
      placeholder: localize("Nothing is sent or changed"),
    };
    return this.#resolveChoice(await this.#choose(session, { ...words, current: session.connection, setupItems: [] }));
  }

  /** Sets the model that writes summaries; returns the setting, and what it means, for the user. */
  async pickSummarizer(session: Session): Promise<{ readonly setting: string; readonly text: string } | undefined> {
    const { connections } = this.#models;
    const { connection } = session;
    const item = await this.#chooseSummarizer(session, {
      title: localize("Forge: Model for Summaries"),
      placeholder: localize("Writes the summaries of all conversations"),
      first: {
        label: localize("As Forge chooses"),
        detail: localize("The small model of Anthropic or OpenAI, elsewhere the model that answers"),
        isAutomatic: true,
      },
    });
    this.#keyboard.afterPrompt();
    const place = placeIn(item);
    if (place === undefined && item?.isAutomatic !== true) return undefined;
    const setting = place === undefined ? "" : modelSetting(place);
    await vscode.workspace
      .getConfiguration("forge")
      .update("summarizationModel", setting, vscode.ConfigurationTarget.Global);
    const label = modelName(place?.model ?? connections.summarizerModel(connection));
    return { setting, text: chosenSummarizerText(place, label, connection.providerName, this.#models) };
  }

  /** Picks a model that writes one summary; nothing else changes. */
  async pickOtherSummarizer(session: Session): Promise<Connection | undefined> {
    const item = await this.#chooseSummarizer(session, {
      title: localize("Forge: Write This Summary Anew"),
      placeholder: localize("Nothing is used before you agree"),
    });
    return this.#resolveChoice(item);
  }

  #chooseSummarizer(
    session: Session,
    words: Pick<ModelQuestion, "title" | "placeholder" | "first">,
  ): Promise<ModelItem | undefined> {
    const { connections } = this.#models;
    const { connection, opened } = session;
    const why = localize("It writes the summaries of this conversation");
    return this.#choose(session, {
      ...words,
      setupItems: [],
      current: {
        providerName: connections.summarizerProvider(connection),
        model: connections.summarizerModel(connection),
        why,
      },
      detailOf: (place) => summarizerDetail(place, connection.providerName, opened.manager, this.#models),
    });
  }

  /** Restores the focus and resolves the picked item, if it is a model. */
  async #resolveChoice(item: ModelItem | undefined): Promise<Connection | undefined> {
    this.#keyboard.afterPrompt();
    const place = placeIn(item);
    return place === undefined ? undefined : this.#models.connections.resolve(place);
  }

  #choose(session: Session, question: ModelQuestion): Promise<ModelItem | undefined> {
    const { title, placeholder, setupItems, first } = question;
    const picker = vscode.window.createQuickPick<ModelItem>();
    picker.title = title;
    picker.placeholder = placeholder;
    picker.matchOnDescription = true;
    picker.busy = true;
    picker.items = inList(first === undefined ? setupItems : [first, ...setupItems]);
    const chosen = showPicker(picker);
    this.#fill(picker, session, question).catch(this.#bugs.report);
    return chosen;
  }

  async #fill(picker: vscode.QuickPick<ModelItem>, session: Session, question: ModelQuestion): Promise<void> {
    const { setupItems, first, current, detailOf } = question;
    const ended = new AbortController();
    picker.onDidHide(() => {
      ended.abort();
    });
    const isOllamaShown = detailOf !== undefined && this.#ollama.isKnown;
    const shown = LISTED.filter(
      (name) =>
        this.#models.providers.isSetUp(name) ||
        session.connection.providerName === name ||
        current.providerName === name ||
        (name === "ollama" && isOllamaShown),
    );
    const [groups] = await Promise.all([
      Promise.all(shown.map((name) => this.#group(name, PROVIDER_LABELS[name], question))),
      session.connection.isLanguageModel ? undefined : this.#models.foundServers.searchIfDue(),
    ]);
    if (ended.signal.aborted) return;
    const models = [...(first === undefined ? [] : [first]), ...groups.flat()];
    const isUntouched = picker.value === "" && picker.activeItems[0] === picker.items.find(isChoice);
    const more = setupItems.length === 0 ? [] : [...this.#foundHere(session), ...setupItems, ...this.#ollamaItems];
    picker.items = inList([...models, ...more]);
    picker.keepScrollPosition = true;
    const shownModels = picker.items.slice(0, models.length);
    const active = shownModels.find((item) => isOf(item, current)) ?? shownModels.find(isChoice);
    if (isUntouched && active !== undefined) picker.activeItems = [active];
    await showPreviews(picker, session, ended.signal);
    picker.busy = false;
  }

  /** What can be done with its models. */
  get #ollamaItems(): readonly ModelItem[] {
    return this.#ollama.isKnown ? OLLAMA_ITEMS : [];
  }

  /** Servers on this machine that are not set up. */
  #foundHere(session: Session): readonly ModelItem[] {
    const { foundServers, providers } = this.#models;
    const items = foundServers.found
      .filter(({ baseUrl }) => providers.addressOf("openaiCompatible") !== baseUrl)
      .filter(({ kind }) => kind !== "ollama" || session.connection.providerName !== "ollama")
      .map((server) => ({
        label: `$(server) ${localize("Use {0}", SERVER_LABELS[server.kind].label)}`,
        description: `${hostOf(server.baseUrl)} · ${modelsText(server)}`,
        server,
      }));
    return items.length === 0
      ? []
      : [{ label: localize("Found on this machine"), kind: vscode.QuickPickItemKind.Separator }, ...items];
  }

  async #group(
    name: ProviderName,
    label: string,
    { current, detailOf }: Pick<ModelQuestion, "current" | "detailOf">,
  ): Promise<readonly ModelItem[]> {
    const { connections, providers } = this.#models;
    const listed = await connections.models(name);
    if (listed === undefined) return [];
    const heading: ModelItem = { label, kind: vscode.QuickPickItemKind.Separator };
    const server = isServerName(name) ? { name, host: hostOf(providers.addressOf(name)) } : undefined;
    const ways = server === undefined ? [] : [openSetting(connections)];
    if (!listed.ok) {
      const [description, command] =
        listed.error.code === "AUTH_FAILED"
          ? ([localize("Replace key"), "forge.setApiKey"] as const)
          : ([localize("Look again"), "forge.switchModel"] as const);
      const detail = proseInList(failureReason(listed.error, server?.host ?? label));
      return [heading, { label: `$(warning) ${localize("No list of models")}`, description, detail, command }, ...ways];
    }
    if (listed.value.length === 0) {
      if (server === undefined) return [];
      const [description, detail] = [localize("Look again"), withoutModel(server.name, server.host)];
      const command = "forge.switchModel";
      return [heading, { label: `$(warning) ${localize("No models")}`, description, detail, command }, ...ways];
    }
    const items = listed.value.map((model): ModelItem => {
      const isCurrent = isOf({ label, provider: name, model: model.id }, current);
      const window = modelFacts(model, this.#models);
      return {
        label: `${isCurrent ? "$(check) " : ""}${nameInList(modelName(model.label))}`,
        description:
          modelName(model.id.trim()) === modelName(model.label) ? window : `${nameInList(model.id)} · ${window}`,
        detail: isCurrent
          ? localize("In use. {0}.", current.why)
          : (detailOf?.({ provider: name, model: model.id }) ?? PREVIEW_PENDING),
        provider: name,
        model: model.id,
      };
    });
    return [heading, ...items];
  }
}

/** "8.2k window · tools · no pictures · 34 tokens/s", as far as it is known. */
function modelFacts(model: OfferedModel, { registry, toolSupport, speeds }: ModelServices): string {
  const { limits, source } = registry.get(model.id);
  const speed = speedInList(speeds.of(model.id));
  const callsTools = toolSupport.supportsTools(model.id) ? model.callsTools : false;
  return [
    source === "fallback" ? localize("window unknown") : localize("{0} window", formatTokens(limits.contextWindow)),
    callsTools === false ? localize("no tools") : callsTools === true ? localize("tools") : undefined,
    model.seesImages === false ? localize("no pictures") : model.seesImages === true ? localize("pictures") : undefined,
    speed,
  ]
    .filter((fact) => fact !== undefined)
    .join(" · ");
}

function placeIn(item: ModelItem | undefined): SummarizerPlace | undefined {
  const { provider, model } = item ?? {};
  return provider === undefined || model === undefined ? undefined : { provider, model };
}

function isChoice({ kind }: ModelItem): boolean {
  return kind !== vscode.QuickPickItemKind.Separator;
}

function isOf(item: ModelItem, { providerName, model }: Pick<Connection, "providerName" | "model">): boolean {
  return item.provider === providerName && item.model === model;
}

/** Adds the effect of a switch to each model. Computed in slices, as each one takes a while in a long conversation. */
async function showPreviews(picker: vscode.QuickPick<ModelItem>, session: Session, ended: CancelSignal): Promise<void> {
  const { items } = picker;
  const { manager } = session.opened;
  const previewed: ModelItem[] = [];
  for (const item of items) {
    const { model } = item;
    if (model === undefined || item.detail !== PREVIEW_PENDING) {
      previewed.push(item);
      continue;
    }
    const preview = await readInSlices(manager, () => manager.previewModelSwitch(model), ended);
    if (!preview.ok) return;
    previewed.push({ ...item, detail: previewText(preview.value) });
  }
  if (picker.items !== items) return;
  const active = items.findIndex((item) => item === picker.activeItems[0]);
  picker.items = inList(previewed);
  picker.activeItems = picker.items.slice(active, active + 1);
}

/** Placeholder for a preview that is not computed yet, so that lines keep their height. */
const PREVIEW_PENDING = "…";

/** Items for setting up other models. */
const SETUP_ITEMS: readonly ModelItem[] = [
  { label: localize("More"), kind: vscode.QuickPickItemKind.Separator },
  {
    label: `$(key) ${localize("Add an API key")}`,
    description: localize("Anthropic or OpenAI"),
    command: "forge.setApiKey",
  },
  { label: `$(search) ${localize("Look for servers on this machine")}`, command: "forge.findServers" },
  {
    label: `$(server) ${localize("Use a server")}`,
    description: localize("Any OpenAI-compatible address"),
    command: "forge.useServer",
  },
  { label: `$(sparkle) ${localize("Use the editor's models")}`, command: "forge.useEditorModels" },
];

const OLLAMA_ITEMS: readonly ModelItem[] = [
  {
    label: `$(cloud-download) ${localize("Fetch a model for Ollama")}`,
    description: localize("Its size is told first"),
    command: "forge.fetchOllamaModel",
  },
  { label: `$(trash) ${localize("Delete a model of Ollama")}`, command: "forge.deleteOllamaModel" },
];

function openSetting(connections: Connections): ModelItem {
  return { label: `$(gear) ${localize("Open the setting")}`, act: () => openServerSettings(connections) };
}
