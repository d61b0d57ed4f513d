import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { ForgeError, StorageFailed } from "../../../src/core/errors.ts";
import { recoverAnswers } from "../../../src/core/journal/recoverAnswers.ts";
import { textOf } from "../../../src/core/message.ts";
import type { MessageRow, Row, ToViewBody } from "../../../src/protocol/toView.ts";
import { sendingIn, sentIn } from "../../support/session/composed.ts";
import { memoryDisk, type MemoryDisk } from "../../support/storage/memoryStore.ts";
import { openSession } from "../../support/session/openSession.ts";
import { breaking, saying, scriptedProvider, type ScriptedAnswer } from "../../support/models/scriptedProvider.ts";

const diskFull: StorageFailed = { code: "STORAGE_FAILED", reason: "diskFull", detail: "no space" };

const cutOff: ForgeError = { code: "SERVICE_UNAVAILABLE", provider: "scripted", reason: "cutOff", detail: "" };

/** Role, state and text of a row. */
function seen(row: Row): readonly [string, string, string] {
  return row.kind === "message"
    ? [row.role, row.state, row.text]
    : [row.kind, "", row.kind === "notice" ? row.text : ""];
}
const storedText = (disk: MemoryDisk): readonly string[] =>
  disk.records.flatMap((record) => (record.kind === "message" ? [textOf(record.message)] : []));
const shownText = (emitted: readonly ToViewBody[]): string =>
  emitted.flatMap((body) => (body.kind === "delta" ? [body.text] : [])).join("");
const lastRow = (rows: readonly Row[]): MessageRow => {
  const row = rows.at(-1);
  assert.ok(row?.kind === "message");
  return row;
};

describe("Session", () => {
  it("sends a question, streams the answer and stores both", async () => {
    const { session, rows, disk, emitted } = await openSession(scriptedProvider(saying("The ", "answer.")));
    await session.send("1", "Why?");
    assert.deepEqual(rows().map(seen), [
      ["user", "complete", "Why?"],
      ["assistant", "complete", "The answer."],
    ]);
    assert.deepEqual(storedText(disk), ["Why?", "The answer."]);
    assert.deepEqual(disk.journal, []);
    assert.equal(shownText(emitted), "The answer.");
    assert.equal(session.title, "Why?");
    assert.equal(session.activity, "idle");
  });

  it("posts a delta only after its commit, and never shows text of a failed commit", async () => {
    const disk = memoryDisk();
    let shown = "";
    const opened = await openSession(scriptedProvider(saying("one ", "two ", "three")), disk, (body) => {
      if (body.kind !== "delta") return;
      shown += body.text;
      const stored = recoverAnswers(disk.journal)
        .map((step) => textOf(step.message))
        .join("");
      assert.ok(stored.startsWith(shown), `"${shown}" is shown, "${stored}" is stored`);
      if (shown === "one ") opened.store.failNext = diskFull;
    });
    await opened.session.send("1", "Count.");
    assert.equal(shown, "one ");
    assert.deepEqual(
      recoverAnswers(disk.journal).map((step) => textOf(step.message)),
      ["one "],
    );
    assert.match(opened.banners.at(-1)?.text ?? "", /disk is full.*safe/);
    assert.deepEqual(seen(lastRow(opened.rows())), ["assistant", "interrupted", "one "]);
  });

  it("sends a message once when the view repeats the request", async () => {
    const provider = scriptedProvider(saying("once"));
    const { session, disk, emitted } = await openSession(provider);
    await session.send("1", "hi");
    await session.send("1", "hi");
    assert.equal(provider.asked(), 1);
    assert.deepEqual(storedText(disk), ["hi", "once"]);
    assert.deepEqual(sentIn(emitted), ["now"]);
  });

  it("does not send a rejected message when the view repeats the request", async () => {
    const { session, store, disk, emitted } = await openSession(scriptedProvider());
    store.failNext = { code: "STORAGE_FAILED", reason: "diskFull", detail: "" };
    await session.send("1", "hi");
    await session.send("1", "hi");
    assert.deepEqual([sentIn(emitted), sendingIn(emitted), storedText(disk)], [[], [], []]);
    assert.equal(session.composer.text, "hi");
  });

  it("rejects an empty or oversized message without storing anything", async () => {
    const { session, disk, emitted, banners } = await openSession(scriptedProvider());
    await session.send("1", " \n ");
    await session.send("2", "word ".repeat(200_000));
    assert.deepEqual(storedText(disk), []);
    assert.deepEqual([sentIn(emitted), sendingIn(emitted)], [[], []]);
    assert.match(banners.at(-1)?.text ?? "", /does not fit.*226k tokens.*129k.*kept/);
  });

  it("stores the received part of an answer when it is stopped", async () => {
    const { session, rows, disk } = await openSession(
      scriptedProvider(saying("some ", "never shown")),
      undefined,
      (body) => {
        if (body.kind === "delta") session.stop();
      },
    );
    await session.send("1", "Go.");
    assert.deepEqual(seen(lastRow(rows())), ["assistant", "cancelled", "some "]);
    assert.deepEqual(storedText(disk), ["Go.", "some "]);
  });

  it("shows why an answer never began, and sends the question again on Retry", async () => {
    const provider = scriptedProvider(
      breaking({ code: "AUTH_FAILED", provider: "scripted", detail: "" }),
      saying("now"),
    );
    const { session, rows, disk } = await openSession(provider);
    await session.send("1", "hi");
    assert.match(seen(rows().at(-1) ?? lastRow([]))[2], /refused the key/);
    await session.retry();
    assert.deepEqual(rows().map(seen), [
      ["user", "complete", "hi"],
      ["assistant", "complete", "now"],
    ]);
    assert.deepEqual(storedText(disk), ["hi", "now"]);
  });

  it("offers the received part of an answer for recovery when the service stalls", async () => {
    const stalled: ForgeError = {
      code: "SERVICE_UNAVAILABLE",
      provider: "scripted",
      reason: "stalled",
      detail: "Nothing arrived for 300 seconds.",
    };
    const { session, rows } = await openSession(scriptedProvider(breaking(stalled, "half")));
    await session.send("1", "Q");
    const row = lastRow(rows());
    assert.deepEqual([row.text, row.state, row.pendingRecovery], ["half", "failed", "answer"]);
    assert.match(row.problem?.text ?? "", /stopped responding\. Nothing is lost\. Nothing arrived for 300 seconds\.$/);
  });

  it("shows a notice at a question stopped before its answer began, also after a restart", async () => {
    const disk = memoryDisk();
    let stop = (): void => undefined;
    const silent: ScriptedAnswer = async function* (beat) {
      stop();
      await beat();
      yield { kind: "failed", error: { code: "CANCELLED" } };
    };
    const before = await openSession(scriptedProvider(silent), disk);
    stop = () => {
      before.session.stop();
    };
    await before.session.send("1", "Q");
    assert.deepEqual(before.rows().map(seen), [
      ["user", "complete", "Q"],
      ["notice", "", "Stopped before the answer began. Your message is kept."],
    ]);
    const after = await openSession(scriptedProvider(saying("now")), disk);
    assert.deepEqual(after.rows().map(seen), [
      ["user", "complete", "Q"],
      ["notice", "", "This message has no answer yet."],
    ]);
    await after.session.retry();
    assert.deepEqual(after.rows().map(seen), [
      ["user", "complete", "Q"],
      ["assistant", "complete", "now"],
    ]);
  });

  it("offers an answer for recovery that was interrupted by closing the conversation", async () => {
    const disk = memoryDisk();
    let closing = Promise.resolve();
    const before = await openSession(scriptedProvider(saying("half ", "never shown")), disk, (body) => {
      if (body.kind === "delta") closing = before.session.shutDown();
    });
    await before.session.send("1", "Q");
    await closing;
    assert.deepEqual(storedText(disk), ["Q"]);
    for (const { rows } of [before, await openSession(scriptedProvider(), disk)]) {
      const row = lastRow(rows());
      assert.deepEqual(
        [row.text, row.state, row.pendingRecovery, row.problem],
        ["half ", "interrupted", "answer", null],
      );
    }
  });

  it("reports an unstored draft until it is stored", async () => {
    const { session, store } = await openSession(scriptedProvider());
    store.failNext = diskFull;
    await session.composer.setText("typed");
    assert.deepEqual([session.composer.text, session.composer.unstoredText], ["typed", "typed"]);
    await session.composer.setText("typed again");
    assert.deepEqual([session.composer.text, session.composer.unstoredText], ["typed again", ""]);
  });

  const decisions = [
    { choice: "keep", rows: [["assistant", "interrupted", "half"]], stored: ["Q", "half"] },
    {
      choice: "continue",
      rows: [
        ["assistant", "interrupted", "half"],
        ["assistant", "complete", "whole"],
      ],
      stored: ["Q", "half", "whole"],
    },
    { choice: "askAgain", rows: [["assistant", "complete", "whole"]], stored: ["Q", "half", "whole"] },
  ] as const;
  for (const { choice, rows: expected, stored } of decisions) {
    it(`offers a broken answer for recovery after a restart and applies the choice: ${choice}`, async () => {
      const disk = memoryDisk();
      const before = await openSession(scriptedProvider(breaking(cutOff, "half")), disk);
      await before.session.send("1", "Q");
      const { session, rows } = await openSession(scriptedProvider(saying("whole")), disk);
      const row = lastRow(rows());
      assert.deepEqual([row.text, row.pendingRecovery], ["half", "answer"]);
      const [leftover] = session.recoverable;
      assert.ok(leftover);
      await session.recover(leftover.stepId, choice);
      assert.deepEqual(rows().slice(1).map(seen), expected);
      assert.deepEqual(storedText(disk), stored);
      assert.deepEqual(disk.journal, []);

      const after = await openSession(scriptedProvider(), disk);
      assert.deepEqual(after.rows().slice(1).map(seen), expected);
    });
  }

  it("saves a recoverable answer when the user sends another message", async () => {
    const disk = memoryDisk();
    const { session, rows } = await openSession(scriptedProvider(breaking(cutOff, "half"), saying("next")), disk);
    await session.send("1", "Q");
    await session.send("2", "R");
    assert.deepEqual(rows().map(seen), [
      ["user", "complete", "Q"],
      ["assistant", "interrupted", "half"],
      ["user", "complete", "R"],
      ["assistant", "complete", "next"],
    ]);
  });
});
