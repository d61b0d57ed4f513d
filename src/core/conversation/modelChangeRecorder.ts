/**
 * Records the model in use where the user chose none: the settings may name another one at the next start, and what is
 * sent depends on when the model changed.
 */

import type { Clock } from "../clock.ts";
import type { ContextManager } from "../context/contextManager.ts";
import { modelFromSettingsRecord } from "../history/modelChoice.ts";
import type { ConversationRecord } from "../history/records.ts";
import type { ModelId } from "../ids.ts";

/** Must be created after all stored records are applied to the context. */
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
   * Prepends the model that `records` were made for, unless it is recorded already. Call `confirm` once they are
   * stored; otherwise the model is recorded with the next ones.
   */
  withModel(records: readonly ConversationRecord[]): {
    readonly records: readonly ConversationRecord[];
    readonly confirm: () => void;
  } {
    const { model } = this.#context;
    const isRecorded = model === this.#recorded;
    return {
      records: isRecorded ? records : [modelFromSettingsRecord(model, this.#clock.nowMs()), ...records],
      confirm: () => {
        this.#recorded = model;
        this.noteStored(records);
      },
    };
  }

  /** Call for records that are stored without a model before them. */
  noteStored(records: readonly ConversationRecord[]): void {
    this.#recorded = records.findLast((record) => record.kind === "model")?.model ?? this.#recorded;
  }
}
