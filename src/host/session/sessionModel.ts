/** The model that answers in the open conversation, and switching it. */

import type { SwitchPreview } from "../../core/context/request/switchPreview.ts";
import type { Change, ConversationEffect } from "../../core/conversation/conversation.ts";
import type { ForgeError } from "../../core/errors.ts";
import type { ModelRecord } from "../../core/history/records.ts";
import { isFromElsewhere } from "../../core/history/writtenElsewhere.ts";
import type { Message } from "../../core/message.ts";
import { countingFormula, tokensOf } from "../../core/tokens/countingFormula.ts";
import { Emitter } from "../background/emitter.ts";
import { readInSlices, NEVER_CANCELLED } from "../background/readInSlices.ts";
import type { Connection } from "../connections/connections.ts";
import { lastModelIn } from "../connections/lastModel.ts";
import type { OpenConversation } from "../opening/openConversation.ts";
import { explain } from "../words/explain.ts";
import type { SessionServices } from "./sessionServices.ts";

export class SessionModel implements ConversationEffect {
  readonly #connected = new Emitter<void>();
  readonly onDidChangeConnection = this.#connected.event;
  /** The last switch, and its effect on what is sent. */
  #switched: { readonly record: ModelRecord; readonly preview: SwitchPreview; isTrue: () => boolean } | undefined;
  readonly #opened: OpenConversation;
  readonly #services: SessionServices;
  #connection: Connection;
  /** Connections to use once their record is stored. */
  readonly #chosen = new Map<ModelRecord, Connection>();
  /** Number of changes of keys and settings since the conversation was opened. */
  #setups = 0;

  constructor(opened: OpenConversation, connection: Connection, services: SessionServices) {
    this.#opened = opened;
    this.#connection = connection;
    this.#services = services;
  }

  get connection(): Connection {
    return this.#connection;
  }

  /** Replaces the connection of the chosen model, as after a change of key or setting. */
  connect(connection: Connection): void {
    const { settings, view } = this.#services;
    this.#connection = connection;
    this.#opened.manager.switchModel(connection.model);
    this.#opened.manager.configure({ settings: settings.current.context });
    this.#connected.fire();
    view.update();
  }

  /** A key or a setting has changed, and with it perhaps what a service answers. */
  noteSetupChanged(): void {
    this.#setups++;
  }

  /** A test of whether service, model, keys and settings are still those of now, so that what they led to is true. */
  whileUnchanged(): () => boolean {
    const { providerName, model } = this.#connection;
    const setups = this.#setups;
    return () =>
      this.#connection.providerName === providerName && this.#connection.model === model && this.#setups === setups;
  }

  /** Plans with the window that its server has now. Call before a request. */
  async refreshLimits(): Promise<void> {
    const { connections, registry } = this.#services;
    await connections.askIfRestarted(this.#connection.providerName);
    const { model } = this.#connection;
    const { contextWindow } = registry.get(model).limits;
    if (contextWindow !== this.#opened.manager.limits.contextWindow) this.connect(this.#connection);
  }

  /** Switches the model at the user's request. */
  async switchTo(connection: Connection): Promise<void> {
    const { manager, conversation } = this.#opened;
    const { model, providerName: provider } = connection;
    const record = { kind: "model", provider, model, atMs: this.#services.clock.nowMs() } as const;
    const preview = await readInSlices(manager, () => manager.previewModelSwitch(model), NEVER_CANCELLED);
    if (preview.ok) this.#switched = { record, preview: preview.value, isTrue: () => true };
    this.#chosen.set(record, connection);
    const changed = await conversation.change([record]);
    this.#chosen.delete(record);
    if (!changed.ok) this.showFailure(changed.error);
  }

  /** Must be the first effect: later ones see the new model. */
  async afterChange({ records }: Change): Promise<void> {
    for (const record of records) {
      const chosen = record.kind === "model" ? this.#chosen.get(record) : undefined;
      if (chosen === undefined) continue;
      this.#services.connections.rememberChoice(chosen);
      this.connect(chosen);
      if (this.#switched?.record === record) this.#switched.isTrue = this.#whileSameRequest();
    }
    if (isFromElsewhere(records) && records.some((record) => record.kind === "model")) await this.#follow();
  }

  /** Uses the model that was chosen on another machine, or what there is instead of it here. */
  async #follow(): Promise<void> {
    const { history } = this.#opened.manager;
    this.connect(await this.#services.connections.resolve(history.model, lastModelIn(history)));
  }

  /** Effect of the switch on what is sent; `undefined` when it is not known, or no longer so. */
  readonly previewOf = (record: ModelRecord): SwitchPreview | undefined =>
    this.#switched?.record === record && this.#switched.isTrue() ? this.#switched.preview : undefined;

  /** A test of whether the next request has the same history and limits. */
  #whileSameRequest(): () => boolean {
    const { manager } = this.#opened;
    const { budgetTokens } = manager;
    const { revision } = manager.history;
    const isUnchanged = this.whileUnchanged();
    return () => isUnchanged() && manager.budgetTokens === budgetTokens && manager.history.revision === revision;
  }

  /** Tokens of a message as the current model counts them, framing included. */
  async tokensOf(message: Message): Promise<number> {
    return tokensOf(await this.#services.messageCounter.count(message), countingFormula(this.#connection.model));
  }

  /** Shows the error as a banner that names the provider. */
  showFailure(error: ForgeError): void {
    const banner = explain(error, this.#connection.provider.label);
    this.#services.view.showBanner(banner, error.code === "STORAGE_FAILED" ? undefined : this.whileUnchanged());
  }
}
