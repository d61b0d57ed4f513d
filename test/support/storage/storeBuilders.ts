/** Builders for records and writes. */

import { rmSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MessageRecord } from "../../../src/core/history/records.ts";
import { messageId, stepId, type StepId } from "../../../src/core/ids.ts";
import type { JournalEventType } from "../../../src/core/store/journalRow.ts";
import type { StoreWrite } from "../../../src/core/store/conversationStore.ts";

/** A step id from a small number. */
export function step(number: number): StepId {
  return stepId(`00000000-0000-4000-8000-${String(number).padStart(12, "0")}`);
}

export function messageRecord(id: number, text = `message ${id}`, from?: StepId): MessageRecord {
  return {
    kind: "message",
    entry: {
      id: messageId(id),
      role: from === undefined ? "user" : "assistant",
      turn: messageId(id),
      state: "complete",
      createdAtMs: 1_700_000_000_000 + id,
      tokens: { cl100k: text.length, o200k: text.length },
      ...(from === undefined ? {} : { step: from }),
    },
    message: { role: from === undefined ? "user" : "assistant", parts: [{ kind: "text", text }] },
  };
}

export function addMessage(id: number, text?: string, from?: StepId): StoreWrite {
  return { kind: "record", record: messageRecord(id, text, from) };
}

export function addRow(
  of: StepId,
  seq: number,
  content = `row ${seq}`,
  eventType: JournalEventType = "text",
): StoreWrite {
  return { kind: "journalRow", row: { stepId: of, seq, eventType, content, createdAtMs: 1_700_000_000_000 + seq } };
}

/** A temporary folder, which `remove` deletes. */
export function temporaryFolder(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "forge-test-"));
  return {
    path,
    remove: () => {
      rmSync(path, { recursive: true, force: true });
    },
  };
}
