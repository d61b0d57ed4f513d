/** Which model answers in the open conversation, and what happens when that changes. */

import type { OpenConversation } from "../transcript/openConversation.ts";
import type { Connection } from "../connections/connections.ts";
import { explain } from "../words/explain.ts";
import { lookInSlices, NEVER_CANCELLED } from "../background/lookInSlices.ts";
import { lastShown } from "../transcript/foldIndex.ts";
import { modelNotice } from "../transcript/modelNotice.ts";
import type { SessionEnvironment } from "./sessionEnvironment.ts";
import type { Transcript } from "../transcript/transcript.ts";

/** What a change of the model works with. */
export interface SessionModelParts {
  readonly opened: OpenConversation;
  readonly transcript: Transcript;
  readonly environment: SessionEnvironment;
  /** Who answers at first. */
  readonly connection: Connection;
  /** Another connection answers from now on: what is offered to the model may be different. */
  readonly connected: () => void;
  /** Whether anything stands in the transcript, so that a notice has a place. */
  readonly hasRows: () => boolean;
}

/** The model of one conversation. */
export class SessionModel {
  readonly #parts: SessionModelParts;
  #connection: Connection;

  constructor(parts: SessionModelParts) {
    this.#parts = parts;
    this.#connection = parts.connection;
  }

  /** Who answers. */
  get connection(): Connection {
    return this.#connection;
  }

  /** Has the same choice of model answer through another connection, as after a key or a setting changed. */
  connect(connection: Connection): void {
    const { opened, environment, connected } = this.#parts;
    this.#connection = connection;
    opened.manager.switchModel(connection.model);
    opened.manager.configure({ settings: environment.settings().context });
    connected();
    environment.changed();
  }

  /** Has another model answer from now on, on the user's word; the chat says what that does to what is sent. Answers
   * whether it does. */
  async switchTo(connection: Connection): Promise<boolean> {
    const { opened, environment, transcript, hasRows } = this.#parts;
    const { manager, store } = opened;
    const { model, providerName: provider } = connection;
    const atMs = environment.clock.nowMs();
    const record = { kind: "model", provider, model, atMs } as const;
    const looked = await lookInSlices(manager, () => manager.previewingModel(model), NEVER_CANCELLED);
    const committed = await store.commit([{ kind: "record", record }]);
    if (!committed.ok) {
      environment.showBanner(explain(committed.error, this.#connection.provider.label));
      return false;
    }
    manager.apply(record);
    environment.picked(connection);
    this.connect(connection);
    const change = {
      behind: lastShown(manager.history),
      record,
      ...(looked.ok ? { preview: looked.value } : {}),
    };
    opened.modelChanges.push(change);
    if (hasRows() && transcript.hasBehind) {
      await transcript.reload();
      environment.refreshView();
    } else if (hasRows()) transcript.add([modelNotice(change)]);
    return true;
  }
}
