/** Versions that another machine wrote beside what is shown here, until somebody has looked at them. */

import type { Change, ConversationEffect } from "../../core/conversation/conversation.ts";
import type { FullHistory } from "../../core/history/fullHistory.ts";
import { isFromElsewhere } from "../../core/history/writtenElsewhere.ts";
import type { MessageId } from "../../core/ids.ts";
import type { NoticeRow } from "../../protocol/toView.ts";
import { isShownAlone, versionNotice } from "../transcript/machineNotices.ts";

interface PlacedVersion {
  readonly machine: string;
  /** Messages that came while it was not shown. */
  readonly count: number;
}

export class PlacedVersions implements ConversationEffect {
  readonly #history: FullHistory;
  /** By their first message; those that grew last come last. */
  readonly #unseen = new Map<MessageId, PlacedVersion>();

  constructor(history: FullHistory) {
    this.#history = history;
  }

  /** Must come before the rows. */
  afterChange({ records }: Change): void {
    const history = this.#history;
    for (const root of [...this.#unseen.keys()]) if (history.isVisible(history.entry(root))) this.#unseen.delete(root);
    if (!isFromElsewhere(records)) return;
    const placed = records.flatMap((record) => (record.kind === "message" ? [record.entry] : []));
    const last = placed.at(-1);
    if (last === undefined || placed.some((entry) => history.isVisible(entry))) return; // what is shown went on
    const root = this.#rootOf(last.id);
    const added = placed.filter((entry) => isShownAlone(entry) && this.#rootOf(entry.id) === root).length;
    const count = (this.#unseen.get(root)?.count ?? 0) + added;
    this.#unseen.delete(root);
    this.#unseen.set(root, { machine: history.elsewhere.machineOf(last.id) ?? "", count });
  }

  /** The first message of the newest one. */
  get newest(): MessageId | undefined {
    return [...this.#unseen.keys()].at(-1);
  }

  /** Of the newest one: those before it are told of once that was seen. */
  rows(): readonly NoticeRow[] {
    return [...this.#unseen.values()].slice(-1).map(versionNotice);
  }

  /** The first message that is not shown, of those that lead to message `id`. */
  #rootOf(id: MessageId): MessageId {
    const { branches } = this.#history;
    let root = id;
    for (let at: MessageId | undefined = id; at !== undefined; at = branches.parentOf(at)) {
      if (this.#history.isVisible(this.#history.entry(at))) break;
      root = at;
    }
    return root;
  }
}
