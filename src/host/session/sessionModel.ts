/** The model that answers in the open conversation, and switching it. */

import type { SwitchPreview } from "../../core/context/request/switchPreview.ts";
import type { Change, ConversationEffect } from "../../core/conversation/conversation.ts";
import type { ForgeError } from "../../core/errors.ts";
import type { ModelRecord } from "../../core/history/records.ts";
import type { Message } from "../../core/message.ts";
import { countingFormula, tokensOf } from "../../core/tokens/countingFormula.ts";
import { Emitter } from "../background/emitter.ts";
import { readInSlices, NEVER_CANCELLED } from "../background/readInSlices.ts";
import type { Connection } from "../connections/connections.ts";
import type { OpenConversation } from "../opening/openConversation.ts";
import { explain } from "../words/explain.ts";
import type { SessionServices } from "./sessionServices.ts";

export class SessionModel implements ConversationEffect {
  readonly #connected = new Emitter<void>();
  readonly onDidChangeConnection = this.#connected.event;
  /** Effect of model switches on what is sent, for switches made in this session. */
  readonly switchPreviews = new Map<ModelRecord, SwitchPreview>();
  readonly #opened: OpenConversation;
  readonly #services: SessionServices;
  #connection: Connection;
  /** Connections to use once their record is stored. */
  readonly #chosen = new Map<ModelRecord, Connection>();

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

  /** Switches the model at the user's request. */
  async switchTo(connection: Connection): Promise<void> {
    const { manager, conversation } = this.#opened;
    const { model, providerName: provider } = connection;
    const record = { kind: "model", provider, model, atMs: this.#services.clock.nowMs() } as const;
    const preview = await readInSlices(manager, () => manager.previewModelSwitch(model), NEVER_CANCELLED);
    if (preview.ok) this.switchPreviews.set(record, preview.value);
    this.#chosen.set(record, connection);
    const changed = await conversation.change([record]);
    this.#chosen.delete(record);
    if (!changed.ok) this.showFailure(changed.error);
  }

  /** Must be the first effect: later ones see the new model. */
  afterChange({ records }: Change): void {
    for (const record of records) {
      const chosen = record.kind === "model" ? this.#chosen.get(record) : undefined;
      if (chosen === undefined) continue;
      this.#services.connections.rememberChoice(chosen);
      this.connect(chosen);
    }
  }

  /** Tokens of a message as the current model counts them, framing included. */
  async tokensOf(message: Message): Promise<number> {
    return tokensOf(await this.#services.messageCounter.count(message), countingFormula(this.#connection.model));
  }

  /** Shows the error as a banner that names the provider. */
  showFailure(error: ForgeError): void {
    this.#services.view.showBanner(explain(error, this.#connection.provider.label));
  }
}
