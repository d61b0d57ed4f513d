/** What a row shows of the history beside the message itself: cost, pin, branch, its model. */

import { branchPlace } from "../../core/history/branches/branches.ts";
import type { FullHistory } from "../../core/history/fullHistory.ts";
import type { MessageId, ModelId } from "../../core/ids.ts";
import type { HistoryEntry } from "../../core/message.ts";
import type { MessageRowOptions } from "./rows.ts";

/** `localModelText`: speed and window of a model on the user's machine, for the foot of its first answer. */
export function placeInHistory(
  history: FullHistory,
  id: MessageId,
  localModelText: (model: ModelId) => string | undefined,
): Pick<MessageRowOptions, "spent" | "pinned" | "branch" | "localModel"> {
  const { model } = history.entry(id);
  const text = model === undefined ? undefined : localModelText(model);
  const isFirst = model !== undefined && text !== undefined && firstAnswerOf(history, model) === id;
  const place = branchPlace(history, id);
  return {
    spent: history.spending.of(id),
    pinned: history.pins.has(id),
    branch: place === undefined ? null : { index: place.index, count: place.siblings.length },
    ...(isFirst ? { localModel: text } : {}),
  };
}

/** Of those that are shown. Looked up once per model and state of the history: pages are read one after the other. */
function firstAnswerOf(history: FullHistory, model: ModelId): MessageId | undefined {
  let known = firstAnswers.get(history);
  if (known?.revision !== history.revision) {
    known = { revision: history.revision, of: new Map() };
    firstAnswers.set(history, known);
  }
  if (!known.of.has(model)) {
    const isAnswer = (entry: HistoryEntry): boolean => entry.model === model && entry.role === "assistant";
    known.of.set(model, history.entries.find((entry) => isAnswer(entry) && history.isVisible(entry))?.id);
  }
  return known.of.get(model);
}

const firstAnswers = new WeakMap<
  FullHistory,
  { readonly revision: number; readonly of: Map<ModelId, MessageId | undefined> }
>();
