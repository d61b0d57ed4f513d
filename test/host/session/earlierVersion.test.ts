/**
 * Conversations written by Forge 0.1, before the ownership of changes was redesigned (November 2026). Two were closed, of
 * which `changed` had moved to a smaller model; the windows of the others were killed while a tool waited for approval
 * (`interrupted`) and while an answer was written (`cut`). The expected files hold what 0.1 showed and sent after a restart;
 * tokens are counted as Claude bills them since then, and `summarized` tells what is sent, not what a summary covers.
 */

import assert from "node:assert/strict";
import { cpSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Row } from "../../../src/protocol/toView.ts";
import { fakeTool } from "../../support/editor/fakeTools.ts";
import { asynchronous } from "../../support/storage/localStore.ts";
import { useLocalStores } from "../../support/storage/localStores.ts";
import { memoryDisk } from "../../support/storage/memoryStore.ts";
import { openSession, type OpenedSession } from "../../support/session/openSession.ts";
import { scriptedProvider } from "../../support/models/scriptedProvider.ts";

const FIXTURES = join(dirname(fileURLToPath(import.meta.url)), "../../fixtures/conversations");
const NAMES = ["changed", "summarized", "interrupted", "cut"] as const;
const SETUP = {
  tools: [fakeTool("look"), fakeTool("edit", { effect: "writes" })],
  clock: { nowMs: () => 2_000_000, after: () => () => undefined },
};

/** A row without the fields that the redesign added. */
function shown(row: Row): unknown {
  switch (row.kind) {
    case "message":
      return {
        row: row.rowId,
        role: row.role,
        state: row.state,
        text: row.text,
        meta: row.meta,
        pinned: row.pinned,
        summarized: row.sent === "summary",
        calls: row.calls.map(({ name, title, state }) => [name, title, state]),
        attachments: row.attachments.map(({ kind, label, isExcluded }) => [
          kind,
          label,
          isExcluded ? "excluded" : "sent",
        ]),
        version: row.branch === null ? null : [row.branch.index, row.branch.count],
        recovery: row.pendingRecovery,
      };
    case "summary":
      return {
        row: row.rowId,
        state: row.state,
        versions: row.versionCount,
        facts: [row.factsKept, row.factsTotal],
      };
    case "hidden":
      return { row: row.rowId };
    case "notice":
      return { row: row.rowId, text: row.text };
  }
}

async function stateOf({ session, rows }: OpenedSession): Promise<unknown> {
  const { manager } = session.opened;
  const prepared = manager.prepare();
  assert.ok(prepared.kind === "ready");
  const sent = await prepared.context.apiMessages();
  assert.ok(sent.ok);
  const { text, attachments, queue, edits } = session.composer.document;
  return {
    rows: rows().map(shown),
    sent: sent.value,
    usage: manager.usage(),
    draft: text,
    attachments: attachments.map(({ label, kind }) => [kind, label]),
    queue: queue.items.map((item) => item.text),
    edits,
    undecided: session.recoverableCount,
    title: manager.history.title?.title ?? null,
    model: session.connection.model,
  };
}

/** For JSON: that version had no such part of the usage. */
function withoutRecalled(key: string, value: unknown): unknown {
  return key === "recalled" && value === 0 ? undefined : value;
}

describe("a conversation written by an earlier version", () => {
  const suite = useLocalStores();

  for (const name of NAMES) {
    it(`shows and sends the same rows as that version: ${name}`, async () => {
      cpSync(join(FIXTURES, name), suite.path, { recursive: true });
      const store = suite.open();
      const model = name === "changed" ? "small" : "claude-haiku-4-5";
      const opened = await openSession(scriptedProvider(), memoryDisk(), undefined, {
        ...SETUP,
        model,
        stored: asynchronous(store),
      });
      const expected: unknown = JSON.parse(readFileSync(join(FIXTURES, `${name}.json`), "utf8"));
      assert.deepEqual(JSON.parse(JSON.stringify(await stateOf(opened), withoutRecalled)), expected);
      store.close();
    });
  }
});
