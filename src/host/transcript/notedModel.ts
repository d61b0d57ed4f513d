/**
 * Notes for which model records are made, where the user chose none: it may be another one at the next start, and what is
 * sent depends on when it changed.
 */

import type { ContextManager } from "../../core/context/contextManager.ts";
import { answersBySettings } from "../../core/history/answeringModel.ts";
import type { ModelId } from "../../core/ids.ts";
import type { Clock } from "../../core/clock.ts";
import type { ConversationStore, StoreWrite } from "../../core/store/conversationStore.ts";

/** `store`, which puts a note before what is recorded for another model than before; `manager` holds all its records. */
export function notingModel(
  store: ConversationStore,
  manager: Pick<ContextManager, "model">,
  clock: Pick<Clock, "nowMs">,
): ConversationStore {
  let noted = manager.model;
  const note = (): readonly StoreWrite[] => {
    if (manager.model === noted) return [];
    noted = manager.model;
    return [{ kind: "record", record: answersBySettings(noted, clock.nowMs()) }];
  };
  const commit: ConversationStore["commit"] = async (writes) => {
    if (!writes.some(({ kind }) => kind === "record")) return store.commit(writes);
    const before = noted;
    const notes = note();
    noted = modelChosenIn(writes) ?? noted;
    const committed = await store.commit([...notes, ...writes]);
    if (!committed.ok) noted = before;
    return committed;
  };
  return {
    shape: store.shape,
    gone: store.gone,
    commit,
    erase: async (erasure) => {
      const before = noted;
      const notes = note();
      const committed = notes.length === 0 ? { ok: true } : await store.commit(notes);
      if (!committed.ok) noted = before; // what cannot be noted is erased all the same
      return store.erase(erasure);
    },
    readIndex: (from, limit) => store.readIndex(from, limit),
    readMessages: (ids) => store.readMessages(ids),
    search: (query, options) => store.search(query, options),
    close: () => store.close(),
  };
}

function modelChosenIn(writes: readonly StoreWrite[]): ModelId | undefined {
  return writes.reduce<ModelId | undefined>(
    (model, write) => (write.kind === "record" && write.record.kind === "model" ? write.record.model : model),
    undefined,
  );
}
