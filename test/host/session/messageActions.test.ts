import assert from "node:assert/strict";
import { changesIn } from "../../support/session/composed.ts";
import { describe, it } from "mocha";
import { branchPlace } from "../../../src/core/history/branches/branches.ts";
import { forkedHistory, originOf } from "../../../src/core/documents/forkedHistory.ts";
import { savedOutline, saveConversation } from "../../../src/core/documents/savedConversation.ts";
import { messageId } from "../../../src/core/ids.ts";
import { ok } from "../../../src/core/result.ts";
import { runSync } from "../../../src/core/cooperativeTask.ts";
import type { Row } from "../../../src/protocol/toView.ts";
import { openSession } from "../../support/session/openSession.ts";
import { breaking, saying, scriptedProvider } from "../../support/models/scriptedProvider.ts";
import { loadConversation } from "../../support/documents.ts";

/** Text of a row, with "version/versions" if there are several, and "pinned". */
function seen(row: Row): string {
  if (row.kind === "hidden") return `hidden ${String(row.messageId)}`;
  if (row.kind !== "message") return row.kind;
  const place = row.branch === null ? "" : ` ${String(row.branch.index + 1)}/${String(row.branch.count)}`;
  return `${row.text}${place}${row.pinned ? " pinned" : ""}`;
}

const answers = (...texts: readonly string[]) => scriptedProvider(...texts.map((text) => saying(text)));

function notTaken(): never {
  throw new Error("it was taken");
}

describe("message actions", () => {
  it("sends an edited question as a new version and switches between both versions", async () => {
    const { session, rows, disk } = await openSession(answers("one", "two", "three"));
    await session.send("1", "First?");
    await session.send("2", "Second?");
    let taken = 0;
    assert.equal(await session.actions.edit(2, "Second, better?", () => taken++), true);
    assert.equal(taken, 1);
    assert.deepEqual(rows().map(seen), ["First?", "one", "Second, better? 2/2", "three"]);
    assert.equal(disk.records.filter(({ kind }) => kind === "message").length, 6);
    assert.equal(await session.actions.showSiblingBranch(4, -1), messageId(2));
    assert.deepEqual(rows().map(seen), ["First?", "one", "Second? 1/2", "two"]);
    assert.equal(await session.actions.showSiblingBranch(2, 1), messageId(4));
    assert.deepEqual(rows().map(seen), ["First?", "one", "Second, better? 2/2", "three"]);
  });

  it("keeps both versions of a question after a hidden answer, which stays hidden", async () => {
    const first = await openSession(answers("one", "two", "three"));
    await first.session.send("1", "First?");
    await first.session.send("2", "Second?");
    await first.session.actions.setHidden(1, true);
    await first.session.actions.edit(2, "Second, better?", () => undefined);
    const { session, rows } = await openSession(answers(), structuredClone(first.disk));
    for (const shown of [first.rows(), rows()]) {
      assert.deepEqual(shown.map(seen), ["First?", "hidden 1", "Second, better? 2/2", "three"]);
    }
    await session.actions.showSiblingBranch(4, -1);
    assert.deepEqual(rows().map(seen), ["First?", "hidden 1", "Second? 1/2", "two"]);
  });

  it("adds a second version of an answer on retry and continues from the version that is shown", async () => {
    const { session, rows } = await openSession(answers("one", "another", "after one"));
    await session.send("1", "Why?");
    await session.actions.retry(1);
    assert.deepEqual(rows().map(seen), ["Why?", "another 2/2"]);
    await session.actions.showSiblingBranch(2, -1);
    await session.send("2", "And then?");
    assert.deepEqual(rows().map(seen), ["Why?", "one 1/2", "And then?", "after one"]);
    await session.actions.showSiblingBranch(1, 1);
    assert.deepEqual(rows().map(seen), ["Why?", "another 2/2"]);
    await session.actions.showSiblingBranch(2, -1);
    assert.deepEqual(rows().map(seen), ["Why?", "one 1/2", "And then?", "after one"]);
  });

  it("retries an answer after later messages were added on another branch", async () => {
    const { session, rows } = await openSession(answers("one", "two", "another", "a third"));
    await session.send("1", "First?");
    await session.send("2", "Second?");
    await session.actions.retry(0);
    await session.actions.retry(4);
    assert.deepEqual(rows().map(seen), ["First?", "a third 3/3"]);
  });

  it("retries the last answer when its question is hidden, and shows the question again", async () => {
    const { session, rows } = await openSession(answers("one", "two", "another"));
    await session.send("1", "First?");
    await session.send("2", "Second?");
    await session.actions.setHidden(2, true);
    await session.retry();
    assert.deepEqual(rows().map(seen), ["First?", "one", "Second?", "another 2/2"]);
  });

  it("restores all versions when the conversation is reopened", async () => {
    const first = await openSession(answers("one", "another"));
    await first.session.send("1", "Why?");
    await first.session.actions.retry(1);
    const again = await openSession(answers(), first.disk);
    assert.deepEqual(again.rows().map(seen), ["Why?", "another 2/2"]);
  });

  it("hides a message and shows it again after the conversation is reopened", async () => {
    const first = await openSession(answers("one", "two"));
    await first.session.send("1", "First?");
    await first.session.send("2", "Second?");
    await first.session.actions.setHidden(1, true);
    const { session, rows } = await openSession(answers("three"), first.disk);
    assert.deepEqual(rows().map(seen), ["First?", "hidden 1", "Second?", "two"]);
    await session.actions.setHidden(1, false);
    assert.deepEqual(rows().map(seen), ["First?", "one", "Second?", "two"]);
  });

  it("shows the hidden last answer again after a rebuild and a restart", async () => {
    const first = await openSession(answers("one"));
    await first.session.send("1", "First?");
    await first.session.actions.setHidden(1, true);
    await first.session.transcript.rebuild();
    assert.deepEqual(first.rows().map(seen), ["First?", "hidden 1"]);
    const { session, rows } = await openSession(answers("two"), first.disk);
    assert.deepEqual(rows().map(seen), ["First?", "hidden 1"]);
    await session.actions.setHidden(1, false);
    assert.deepEqual(rows().map(seen), ["First?", "one"]);
    await session.actions.retry(1);
    assert.deepEqual(rows().map(seen), ["First?", "two 2/2"]);
  });

  it("keeps later turns available as hidden rows when an unanswered question is retried", async () => {
    const failed = breaking({ code: "AUTH_FAILED", provider: "scripted", detail: "" });
    const first = await openSession(scriptedProvider(failed, saying("one"), saying("two")));
    await first.session.send("1", "First?");
    await first.session.send("2", "Second?");
    await first.session.actions.retry(0);
    const { session, rows } = await openSession(answers(), first.disk);
    for (const shown of [first.rows(), rows()]) {
      assert.deepEqual(shown.map(seen), ["First?", "hidden 1", "hidden 2", "two"]);
    }
    await session.actions.setHidden(1, false);
    assert.deepEqual(rows().map(seen), ["First?", "Second?", "hidden 2", "two"]);
  });

  it("pins and unpins a message", async () => {
    const { session, rows } = await openSession(answers("one"));
    await session.send("1", "First?");
    await session.actions.setPinned(0, true);
    assert.deepEqual(rows().map(seen), ["First? pinned", "one"]);
    assert.deepEqual([...session.opened.manager.history.pins], [0]);
    await session.actions.setPinned(0, false);
    assert.deepEqual(rows().map(seen), ["First?", "one"]);
  });

  it("rejects an empty edit and an edit of an answer or unknown message", async () => {
    const { session, rows } = await openSession(answers("one"));
    await session.send("1", "First?");
    assert.equal(await session.actions.edit(0, "  ", notTaken), false);
    assert.equal(await session.actions.edit(1, "Other", notTaken), false);
    assert.equal(await session.actions.edit(9, "Other", notTaken), false);
    assert.deepEqual(rows().map(seen), ["First?", "one"]);
  });

  it("sends attachments with one message only and retains them when it is edited", async () => {
    const { session, rows, emitted } = await openSession(answers("one", "two"));
    const file = { kind: "attachment", label: "a.ts", uri: "file:///shop/a.ts" } as const;
    assert.ok((await session.composer.attachments.add({ ...file, text: "let a;" })).ok);
    assert.ok((await session.composer.attachments.add({ ...file, text: "let b;" })).ok);
    const [shown, ...others] = session.composer.attachments.view;
    assert.ok(shown?.tokens && others.length === 0);
    await session.send("1", "What is it?");
    assert.deepEqual(session.composer.attachments.view, []);
    assert.ok(changesIn(emitted).some(({ attachments }) => attachments?.length === 0));
    await session.actions.edit(0, "What else is it?", () => undefined);
    const [question] = rows();
    assert.deepEqual(question?.kind === "message" && question.attachments.map(({ label }) => label), ["a.ts"]);
    const stored = await session.opened.store.readMessages([messageId(2)]);
    assert.deepEqual(stored.ok && stored.value[0]?.message.parts[0], { ...file, text: "let b;" });
  });

  it("forks a copy up to a message, with pins, hidden messages and its origin", async () => {
    const { session } = await openSession(answers("one", "two", "three"));
    await session.send("1", "First?");
    await session.send("2", "Second?");
    await session.actions.setPinned(0, true);
    await session.actions.retry(3);
    const { manager, store } = session.opened;
    const origin = { conversation: "here", title: "First?", message: 2 };
    const fork = runSync(forkedHistory(manager.history, messageId(2), origin, 7));
    let document = "";
    const saved = await saveConversation(
      runSync(savedOutline(fork)),
      async (ids) => {
        const read = await store.readMessages(ids);
        return read.ok ? ok(read.value.map(({ message }) => message)) : read;
      },
      (piece) => Promise.resolve(void (document += piece)),
    );
    assert.ok(saved.ok);
    const loaded = loadConversation(document);
    assert.ok(loaded.ok);
    assert.equal(loaded.value.filter(({ kind }) => kind === "message").length, 3);
    assert.deepEqual([...fork.pins], [0]);
    const whole = runSync(forkedHistory(manager.history, messageId(4), origin, 7));
    assert.deepEqual(branchPlace(whole, messageId(4)), { siblings: [3, 4], index: 1 });
    assert.deepEqual(
      whole.entries.filter((entry) => !whole.isVisible(entry)).map(({ id }) => id),
      [3],
    );
    assert.deepEqual(originOf(fork), origin);
  });
});
