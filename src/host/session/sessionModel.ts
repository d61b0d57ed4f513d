/** Which model answers in the open conversation, and what happens when that changes. */

import type { SwitchPreview } from "../../core/context/request/switchPreview.ts";
import type { Change, ConversationEffect } from "../../core/conversation/conversation.ts";
import type { ForgeError } from "../../core/errors.ts";
import type { ModelRecord } from "../../core/history/records.ts";
import type { Message } from "../../core/message.ts";
import { countingFormula, tokensOf } from "../../core/tokens/countingFormula.ts";
import { Emitter } from "../background/emitter.ts";
import { lookInSlices, NEVER_CANCELLED } from "../background/lookInSlices.ts";
import type { Connection } from "../connections/connections.ts";
import type { OpenConversation } from "../opening/openConversation.ts";
import { explain } from "../words/explain.ts";
import type { SessionServices } from "./sessionServices.ts";

/** The model of one conversation. */
export class SessionModel implements ConversationEffect {
  readonly #connected = new Emitter<void>();
  /** Fires when another connection answers from now on. */
  readonly onDidConnect = this.#connected.event;
  /** What switches of the model did to what is sent, as far as that was seen. */
  readonly switchPreviews = new Map<ModelRecord, SwitchPreview>();
  readonly #opened: OpenConversation;
  readonly #services: SessionServices;
  #connection: Connection;
  /** To be used as soon as its record is stored. */
  readonly #chosen = new Map<ModelRecord, Connection>();

  constructor(opened: OpenConversation, connection: Connection, services: SessionServices) {
    this.#opened = opened;
    this.#connection = connection;
    this.#services = services;
  }

  /** Who answers. */
  get connection(): Connection {
    return this.#connection;
  }

  /** Has the same choice of model answer through another connection, as after a key or a setting changed. */
  connect(connection: Connection): void {
    const { settings, view } = this.#services;
    this.#connection = connection;
    this.#opened.manager.switchModel(connection.model);
    this.#opened.manager.configure({ settings: settings.current.context });
    this.#connected.fire();
    view.update();
  }

  /** Has another model answer from now on, on the user's word. */
  async switchTo(connection: Connection): Promise<void> {
    const { manager, conversation } = this.#opened;
    const { model, providerName: provider } = connection;
    const record = { kind: "model", provider, model, atMs: this.#services.clock.nowMs() } as const;
    const preview = await lookInSlices(manager, () => manager.previewingModel(model), NEVER_CANCELLED);
    if (preview.ok) this.switchPreviews.set(record, preview.value);
    this.#chosen.set(record, connection);
    const changed = await conversation.change([record]);
    this.#chosen.delete(record);
    if (!changed.ok) this.showFailure(changed.error);
  }

  /** The first effect of a switch: what comes after it sees who answers now. */
  afterChange({ records }: Change): void {
    for (const record of records) {
      const chosen = record.kind === "model" ? this.#chosen.get(record) : undefined;
      if (chosen === undefined) continue;
      this.#services.connections.remember(chosen);
      this.connect(chosen);
    }
  }

  /** Tokens of a message in the counting of the model in use, framing included. */
  async tokensOf(message: Message): Promise<number> {
    return tokensOf(await this.#services.messageCounter.count(message), countingFormula(this.#connection.model));
  }

  /** Says in the chat what failed, and which service had a part in it. */
  showFailure(error: ForgeError): void {
    this.#services.view.showBanner(explain(error, this.#connection.provider.label));
  }
}
