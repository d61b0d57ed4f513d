import assert from "node:assert/strict";
import { until } from "../../../../scripts/vscode/until.ts";
import type { StorageFailed } from "../../../../src/core/errors.ts";
import { parseStepId } from "../../../../src/core/ids.ts";
import type { MessageRow, Row } from "../../../../src/protocol/toView.ts";
import { fakeTool, hanging } from "../../../support/editor/fakeTools.ts";
import { memoryDisk } from "../../../support/storage/memoryStore.ts";
import { openSession, type OpenedSession } from "../../../support/session/openSession.ts";
import { breaking, calling, saying, scriptedProvider } from "../../../support/models/scriptedProvider.ts";

const diskFull: StorageFailed = { code: "STORAGE_FAILED", reason: "diskFull", detail: "" };

function rowOf({ rows }: OpenedSession, at: number): MessageRow {
  const row = rows().at(at);
  assert.ok(row?.kind === "message", JSON.stringify(row));
  return row;
}
const words = (row: Row | undefined): string => (row?.kind === "notice" ? row.text : "");

describe("unfinished batch of tool calls", () => {
  for (const choice of ["resume", "discard", "type on"] as const) {
    it(`is offered for recovery after a crash and follows the choice: ${choice}`, async () => {
      const disk = memoryDisk();
      const slow = hanging();
      const [quick, stuck] = [fakeTool("quick"), fakeTool("slow", { effect: "runs", run: slow.run })];
      const calls = ["quick", "slow", "quick"].map((name, index) => ({ id: String(index), name, input: {} }));
      const always = new Set(["slow"]);
      const setup = { tools: [quick, stuck], always };
      const before = await openSession(scriptedProvider(calling("I look.", ...calls)), disk, undefined, setup);
      void before.session.send("1", "Q");
      await until(() => (stuck.ran.length === 1 ? true : undefined));
      assert.deepEqual([quick.ran.length, stuck.ran.length], [1, 1]);

      const crashed = structuredClone(disk);
      const after = await openSession(
        scriptedProvider(saying("Done."), saying("And then?")),
        crashed,
        undefined,
        setup,
      );
      const row = rowOf(after, -1);
      assert.deepEqual([row.text, row.pendingRecovery, row.state], ["I look.", "tools", "interrupted"]);
      assert.deepEqual(
        row.calls.map(({ state }) => state),
        ["done", "unknown", "waiting"],
      );
      assert.deepEqual([quick.ran.length, stuck.ran.length], [1, 1], "nothing runs by itself");
      assert.equal(after.session.recoverableCount, 1);
      const step = parseStepId(row.messageId);
      assert.ok(step);
      if (choice === "type on") await after.session.send("2", "R");
      else await after.session.recover(step, choice);
      assert.equal(stuck.ran.length, 1, "what may have run is not run again");
      assert.deepEqual(crashed.journal, []);
      const texts = after.rows().map((each) => (each.kind === "message" ? each.text : words(each)));
      switch (choice) {
        case "resume":
          assert.equal(quick.ran.length, 2);
          assert.deepEqual(texts, ["Q", "I look.", "Done."]);
          assert.deepEqual(
            rowOf(after, 1).calls.map(({ state }) => state),
            ["done", "interrupted", "done"],
          );
          break;
        case "discard":
          assert.deepEqual(texts, ["Q", "This message has no answer yet."]);
          break;
        case "type on":
          assert.deepEqual(texts, ["Q", "I look.", "R", "Done."]);
          assert.deepEqual(
            rowOf(after, 1).calls.map(({ state }) => state),
            ["done", "interrupted", "notRun"],
          );
      }
      const later = await openSession(scriptedProvider(), crashed);
      assert.deepEqual(
        later.rows().map((each) => (each.kind === "message" ? each.text : words(each))),
        texts,
      );
    });
  }

  it("resumes after a storage failure midway without running a call twice", async () => {
    const read = fakeTool("read");
    const calls = ["a", "b"].map((id) => ({ id, name: "read", input: { id } }));
    const opened = await openSession(
      scriptedProvider(calling("I look.", ...calls), saying("Done.")),
      memoryDisk(),
      (body) => {
        if (body.kind === "call" && body.call.state === "done" && body.call.callId === "a")
          opened.store.failNext = diskFull;
      },
      { tools: [read] },
    );
    await opened.session.send("1", "Q");
    assert.match(opened.banners.at(-1)?.text ?? "", /disk is full/);
    assert.deepEqual(
      rowOf(opened, -1).calls.map(({ state }) => state),
      ["done", "waiting"],
    );
    const step = parseStepId(rowOf(opened, -1).messageId);
    assert.ok(step);
    await opened.session.recover(step, "resume");
    assert.deepEqual(read.ran, ['{"id":"a"}', '{"id":"b"}']);
    assert.equal(rowOf(opened, -1).text, "Done.");
  });

  it("is sent to the model again after a failed request, without running its tools again", async () => {
    const read = fakeTool("read");
    const provider = scriptedProvider(
      calling("I look.", { id: "a", name: "read", input: {} }),
      breaking({ code: "AUTH_FAILED", provider: "scripted", detail: "" }),
      saying("Done."),
    );
    const disk = memoryDisk();
    const opened = await openSession(provider, disk, undefined, { tools: [read] });
    await opened.session.send("1", "Q");
    assert.match(words(opened.rows().at(-1)), /refused the key/);
    const later = await openSession(scriptedProvider(), structuredClone(disk), undefined, { tools: [read] });
    assert.match(words(later.rows().at(-1)), /stopped after its tools had run/);
    await opened.session.retry();
    assert.deepEqual(
      opened.rows().map((row) => row.kind === "message" && row.text),
      ["Q", "I look.", "Done."],
    );
    assert.equal(read.ran.length, 1);
  });

  it("stops at the limit of tool rounds with a notice and continues on retry", async () => {
    const read = fakeTool("read");
    const again = (p: number) => calling("", { id: "a", name: "read", input: { p } });
    const setup = { tools: [read], settings: { "tools.maxRounds": 2 } };
    const provider = scriptedProvider(again(1), again(2), again(3), saying("Done."));
    const opened = await openSession(provider, memoryDisk(), undefined, setup);
    await opened.session.send("1", "Q");
    assert.match(words(opened.rows().at(-1)), /used tools 2 times/);
    await opened.session.retry();
    assert.equal(rowOf(opened, -1).text, "Done.");
    assert.equal(read.ran.length, 3);
  });
});
