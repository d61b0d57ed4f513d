/** Requests that conversations are exported as. */

import assert from "node:assert/strict";
import {
  exportRequest,
  type RequestOutline,
  type RequestWriter,
} from "../../../src/core/context/request/requestExport.ts";
import { messageId, modelId } from "../../../src/core/ids.ts";
import type { HistoryEntry, Message } from "../../../src/core/message.ts";
import { ok } from "../../../src/core/result.ts";
import type { WireContext } from "../../../src/core/stream/provider.ts";
import { counts } from "../session/conversation.ts";

/** A visible message, and what its entry says besides. */
export interface Exported {
  readonly message: Message;
  readonly entry?: Partial<HistoryEntry>;
}

export function outlineOf(messages: readonly Exported[], about: Partial<WireContext> = {}): RequestOutline {
  const { systemPrompt = "", tools = [] } = about;
  const visible = messages.map(({ message: { role }, entry }, index): HistoryEntry => {
    const id = messageId(index);
    return { id, role, turn: id, state: "complete", createdAtMs: 1, tokens: counts(9), model: modelId("m"), ...entry };
  });
  return { head: { model: "a-model", maxOutputTokens: 500, systemPrompt }, tools, visible };
}

/** The text of the request. */
export async function requestTextOf(
  messages: readonly Exported[],
  writer: RequestWriter,
  about?: Partial<WireContext>,
): Promise<string> {
  const pieces: string[] = [];
  const done = await exportRequest(
    outlineOf(messages, about),
    writer,
    (ids) => Promise.resolve(ok(ids.flatMap((id) => messages[id]?.message ?? []))),
    (piece) => Promise.resolve(void pieces.push(piece)),
  );
  assert.deepEqual(done, { ok: true, value: undefined });
  return pieces.join("");
}

export async function requestOf(...given: Parameters<typeof requestTextOf>): Promise<unknown> {
  return JSON.parse(await requestTextOf(...given));
}
