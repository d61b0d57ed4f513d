/** Input and result of a tool call, read when its card is opened: rows do not carry whole results. */

import { shorten } from "../../core/cutText.ts";
import { parseShallowJson } from "../../core/json.ts";
import type { StorageFailed } from "../../core/errors.ts";
import { messageId } from "../../core/ids.ts";
import type { RecoverableAnswer } from "../../core/journal/recoverAnswers.ts";
import type { Message, ToolCallPart, ToolResultPart } from "../../core/message.ts";
import { ok, type Result } from "../../core/result.ts";
import { stepOfBatch } from "../../core/turn/toolRound.ts";
import type { ToolCallDetail } from "../../protocol/toolCallView.ts";
import type { OpenConversation } from "../opening/openConversation.ts";

/** Limit at first, of input and result each, in UTF-16 units. */
const SHOWN_CHARS = 4_000;
/** Final limit: what a page can draw without a pause. The rest is in the history, and in an export. */
const MAX_CHARS = 400_000;

export interface CallSource {
  readonly opened: OpenConversation;
  /** Interrupted answers in the journal. */
  readonly recoverable: readonly RecoverableAnswer[];
}

export interface CallPlace {
  /** `message-7`, or the step of an answer that is not in the history. */
  readonly rowId: string;
  readonly callId: string;
  /** Up to the final limit, and not only the beginning. */
  readonly whole: boolean;
}

/** Empty when the call is unknown. */
export async function callDetail(source: CallSource, place: CallPlace): Promise<Result<ToolCallDetail, StorageFailed>> {
  const found = await partsOf(source, place.rowId);
  if (!found.ok) return found;
  const call = found.value.find(
    (part): part is ToolCallPart => part.kind === "toolCall" && part.callId === place.callId,
  );
  const result = found.value.find(
    (part): part is ToolResultPart => part.kind === "toolResult" && part.callId === place.callId,
  );
  const most = place.whole ? MAX_CHARS : SHOWN_CHARS;
  const [input, text] = [readable(call?.inputJson ?? ""), result?.text ?? ""];
  const isCut = input.length > most || text.length > most;
  return ok({ input: shorten(input, most), result: shorten(text, most), isCut });
}

async function partsOf(
  { opened, recoverable }: CallSource,
  rowId: string,
): Promise<Result<Message["parts"], StorageFailed>> {
  const { manager, store, toolJournal } = opened;
  const number = /^message-(\d{1,15})$/.exec(rowId)?.[1];
  if (number === undefined) {
    const { batch } = toolJournal;
    if (batch !== undefined && stepOfBatch(batch) === rowId) {
      return ok([...batch.assistant.parts, ...batch.calls.flatMap(({ result }) => (result ? [result] : []))]);
    }
    return ok(recoverable.find(({ stepId }) => stepId === rowId)?.message.parts ?? []);
  }
  const id = messageId(Number(number));
  if (id >= manager.history.length) return ok([]);
  const { start, end } = manager.history.atomOf(id);
  const ids = Array.from({ length: end - start }, (_, index) => messageId(start + index));
  const read = await store.readMessages(ids);
  return read.ok ? ok(read.value.flatMap(({ message }) => message.parts)) : read;
}

/** Indented JSON; incomplete and deeply nested JSON is left unchanged. */
function readable(inputJson: string): string {
  const input = parseShallowJson(inputJson);
  return input.ok ? JSON.stringify(input.value, undefined, 2) : inputJson;
}
