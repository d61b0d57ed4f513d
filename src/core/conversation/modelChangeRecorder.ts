/**
 * Records which model answers where the user chose none: the settings may name another one at the next start, and what is
 * sent depends on when the model changed.
 */

import type { Clock } from "../clock.ts";
import type { ContextManager } from "../context/contextManager.ts";
import { answersBySettings } from "../history/answeringModel.ts";
import type { ConversationRecord } from "../history/records.ts";
import type { ModelId } from "../ids.ts";

/** Follows the model of one conversation, whose context has all stored records applied when this is made. */
export class ModelChangeRecorder {
  readonly #context: Pick<ContextManager, "model">;
  readonly #clock: Pick<Clock, "nowMs">;
  #recorded: ModelId;

  constructor(context: Pick<ContextManager, "model">, clock: Pick<Clock, "nowMs">) {
    this.#context = context;
    this.#clock = clock;
    this.#recorded = context.model;
  }

  /**
   * `records` with the model that they were made for before them, where that is not recorded yet. `confirm` is to be called
   * once they are stored; else the model is recorded with the next ones.
   */
  withModel(records: readonly ConversationRecord[]): {
    readonly records: readonly ConversationRecord[];
    readonly confirm: () => void;
  } {
    const { model } = this.#context;
    const isRecorded = model === this.#recorded;
    const chosen = records.findLast((record) => record.kind === "model")?.model;
    return {
      records: isRecorded ? records : [answersBySettings(model, this.#clock.nowMs()), ...records],
      confirm: () => {
        this.#recorded = chosen ?? model;
      },
    };
  }
}
