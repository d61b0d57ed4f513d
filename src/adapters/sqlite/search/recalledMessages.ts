/** The messages of a closed conversation as a model that answers in another one may be told them. */

import type { CooperativeTask } from "../../../core/cooperativeTask.ts";
import { HiddenMessages } from "../../../core/history/branches/hiddenMessages.ts";
import { entryWithExclusion, storedWithoutExcluded } from "../../../core/history/exclusion.ts";
import { isLeftOutOfRecall, RECALL_SETTING } from "../../../core/history/recallState.ts";
import type { ExclusionRecord } from "../../../core/history/records.ts";
import type { StoredMessage } from "../../../core/message.ts";
import type { Engine } from "../engine/engine.ts";
import { knownRecord, recordJson } from "../rowCodec.ts";

/** Records looked at between two pauses. */
const RECORDS_AT_ONCE = 2_000;

export class RecalledMessages {
  readonly #read: (id: number) => StoredMessage | undefined;
  readonly #hidden = new HiddenMessages();
  readonly #exclusions = new Map<number, ExclusionRecord>();

  private constructor(read: (id: number) => StoredMessage | undefined) {
    this.#read = read;
  }

  /** `undefined` when the user has left the conversation out. Throws when records cannot be read. */
  static *of(
    engine: Engine,
    recordCount: number,
    read: (id: number) => StoredMessage | undefined,
  ): CooperativeTask<RecalledMessages | undefined> {
    const messages = new RecalledMessages(read);
    let setting: string | undefined;
    for (let from = 0; from < recordCount; from += RECORDS_AT_ONCE) {
      for (const row of engine.all(CHANGES, [from, from + RECORDS_AT_ONCE])) {
        const record = knownRecord(recordJson(row));
        if (record?.kind === "visibility") messages.#hidden.set(record.range, record.hidden);
        else if (record?.kind === "leftOut") messages.#exclusions.set(record.id, record);
        else if (record?.kind === "setting" && record.name === RECALL_SETTING) setting = record.value;
      }
      yield;
    }
    return isLeftOutOfRecall(setting) ? undefined : messages;
  }

  /** Without attachments that were excluded; `undefined` if it is hidden, missing or cannot be read. */
  read(id: number): StoredMessage | undefined {
    const stored = this.#read(id);
    if (stored === undefined || this.#hidden.has(stored.entry)) return undefined;
    const exclusion = this.#exclusions.get(id);
    const { entry } = stored;
    return exclusion === undefined ? stored : storedWithoutExcluded(stored, entryWithExclusion(entry, exclusion));
  }
}

const CHANGES = `SELECT number, body, checksum FROM record
 WHERE number >= ? AND number < ? AND kind IN ('visibility', 'leftOut', 'setting') ORDER BY number`;
