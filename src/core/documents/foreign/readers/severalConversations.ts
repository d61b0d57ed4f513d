/** Exports of a whole account: one record for each conversation. */

import { validationError } from "../../../errors.ts";
import { boundedJson } from "../../../json.ts";
import { describeValue } from "../../documentReader.ts";
import { DamagedLines } from "../damagedLines.ts";
import type { ForeignConversation } from "../foreignConversation.ts";
import type { ForeignFile, ForeignRecord } from "../foreignFile.ts";

type MadeConversation = ForeignConversation & { readonly damaged: DamagedLines };

/** The last one reports what of the file is no conversation, or has no message. `undefined` from `read`: the record is damaged. */
export function* conversationsIn(
  file: ForeignFile,
  read: (record: ForeignRecord) => MadeConversation | undefined,
): Generator<ForeignConversation> {
  const damaged = new DamagedLines();
  let last: MadeConversation | undefined;
  for (const record of file.conversations(damaged)) {
    const made = read(record);
    if (made === undefined) {
      const fault = validationError(record.path, describeValue(record.value), "a conversation");
      damaged.add({ line: record.line, text: boundedJson(record.value) }, fault);
      continue;
    }
    if (made.messages.every(({ parts }) => parts.length === 0)) {
      damaged.addAll(made.damaged);
      continue;
    }
    if (last !== undefined) yield last;
    last = made;
  }
  last ??= { title: "", messages: [], damaged: new DamagedLines() };
  last.damaged.addAll(damaged);
  yield last;
}
