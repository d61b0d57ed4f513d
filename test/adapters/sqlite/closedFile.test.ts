/** A conversation that no window has open, as it is read for its replica. */

import assert from "node:assert/strict";
import { ok, type Result } from "../../../src/core/result.ts";
import { ClosedFile } from "../../../src/adapters/sqlite/closedFile.ts";
import { nodeFileCalls } from "../../../src/adapters/sqlite/engine/shim/fileCalls.ts";
import { loadSqlJs, type SqlJsShim } from "../../../src/adapters/sqlite/engine/sqlJsShim.ts";
import type { ConversationRecord } from "../../../src/core/history/records.ts";
import { messageId, type ConversationId } from "../../../src/core/ids.ts";
import { textMessage } from "../../../src/core/message.ts";
import type { PublishedRecord } from "../../../src/core/replica/wireRecord.ts";
import { SQL_JS_FILE } from "../../support/storage/sqliteStore.ts";
import { temporaryFolder } from "../../support/storage/storeBuilders.ts";

const ID = "00000000-0000-4000-8000-000000000001" as ConversationId;
const TOKENS = { cl100k: 3, o200k: 3 };

function messagesOf(lengths: readonly number[]): readonly ConversationRecord[] {
  return lengths.map((length, at) => {
    const id = messageId(at);
    const entry = { id, role: "user", turn: id, state: "complete", createdAtMs: at, tokens: TOKENS } as const;
    return { kind: "message", entry, message: textMessage("user", "ö\n".repeat(length / 2)) };
  });
}

const TITLE: ConversationRecord = { kind: "title", title: "Tides", by: "user", atMs: 1 };
const LONG = 2_500_000;

/** Lengths of messages, and how many records each page has. */
const CASES: readonly { readonly title: string; readonly lengths: readonly number[]; readonly pages: number[] }[] = [
  { title: "nothing", lengths: [], pages: [1] },
  { title: "short messages", lengths: Array.from({ length: 300 }, (_, at) => at), pages: [256, 45] },
  { title: "short ones among longer ones", lengths: [8, 20_000, 6, 40_000, 16_384, 4], pages: [7] },
  { title: "long ones, of which a page has few", lengths: [2, LONG, 4, LONG, 6, LONG, LONG, 8], pages: [5, 3, 1] },
  { title: "very long ones, one in each page", lengths: [2 * LONG, 2 * LONG, 2], pages: [2, 1, 1] },
];

describe("A closed conversation is read for its replica", () => {
  let shim: SqlJsShim;
  before(async () => {
    shim = await loadSqlJs(SQL_JS_FILE, { ...nodeFileCalls, sync: () => undefined, syncFolder: () => undefined });
  });

  for (const { title, lengths, pages } of CASES) {
    it(`with ${title}`, async () => {
      const folder = temporaryFolder();
      const file = new ClosedFile({
        id: ID,
        folder: folder.path,
        shim,
        hold: () => Promise.resolve(ok({ leaseFile: folder.path, release: () => Promise.resolve() })),
        create: (): Promise<Result<void, never>> => Promise.resolve(ok(undefined)),
        countTokens: () => Promise.resolve(TOKENS),
        nowMs: () => 0,
        pause: () => Promise.resolve(),
      });
      const messages = messagesOf(lengths);
      const stored = await file.commit([TITLE, ...messages]);
      const records: PublishedRecord[] = [];
      const counts: number[] = [];
      for (;;) {
        const page = await file.read(records.length);
        assert.ok(page.ok, JSON.stringify(page));
        if (page.value.length === 0) break;
        records.push(...page.value);
        counts.push(page.value.length);
      }
      await file.release();
      folder.remove();
      const asStored = messages.map((record) =>
        record.kind === "message"
          ? { kind: "entry", entry: record.entry, json: JSON.stringify(record.message) }
          : record,
      );
      assert.deepEqual(
        { stored, records, counts },
        { stored: ok("stored"), records: [TITLE, ...asStored], counts: pages },
      );
    });
  }
});
