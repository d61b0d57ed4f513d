/** How long a message that is sent waits for what was just added to it. */
import assert from "node:assert/strict";
import { PendingAttachments } from "../../../src/host/mentions/pendingAttachments.ts";

/** Something to add, by hand. */
function reading(): { readonly read: Promise<void>; readonly end: () => void; readonly fail: () => void } {
  let [end, fail] = [(): void => undefined, (): void => undefined];
  const read = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = () => {
      reject(new Error("unreadable"));
    };
  });
  return { read, end, fail };
}

describe("a message that is sent while something is being added to it", () => {
  it("waits for all that was added before it, and for nothing that was added behind it", async () => {
    const [added, told] = [new PendingAttachments(), new Array<string>()];
    const [first, second, late] = [reading(), reading(), reading()];
    void added.add(() => first.read).then(() => told.push("first"));
    const failing = assert.rejects(() => added.add(() => second.read));
    const sent = added.settled().then(() => told.push("sent"));
    void added.add(() => late.read);
    second.fail();
    await failing;
    setImmediate(first.end);
    await sent;
    assert.deepEqual(told, ["first", "sent"]);
    late.end();
  });

  it("waits for the user's answer to a question, however long that takes, and for what is read then", async () => {
    const [added, told] = [new PendingAttachments(), new Array<string>()];
    const [before, answer, behind] = [reading(), reading(), reading()];
    const adding = added.add(async (asks) => {
      await before.read;
      await asks(() => answer.read);
      told.push("answered");
      await behind.read;
      told.push("added");
    });
    const sent = added.settled(100).then(() => told.push("sent"));
    before.end();
    await new Promise((resolve) => setTimeout(resolve, 150));
    answer.end();
    await new Promise((resolve) => setTimeout(resolve, 20));
    behind.end();
    await Promise.all([adding, sent]);
    assert.deepEqual(told, ["answered", "added", "sent"]);
  });

  it("is sent where a question cannot be asked", async () => {
    const added = new PendingAttachments();
    const failing = assert.rejects(() => added.add((asks) => asks(() => Promise.reject(new Error("no window")))));
    await added.settled();
    await failing;
  });

  it("does not wait for ever for what cannot be read", async () => {
    const added = new PendingAttachments();
    void added.add(() => reading().read);
    await added.settled(1);
  });

  it("waits no second time for what took too long", async () => {
    const added = new PendingAttachments();
    void added.add(() => reading().read);
    await added.settled(1);
    let isSent = false;
    void added.settled().then(() => (isSent = true));
    await new Promise(setImmediate);
    assert.ok(isSent);
  });

  it("is told of a failure once, by whoever adds", async () => {
    const unheard: unknown[] = [];
    const hear = (error: unknown): unknown => unheard.push(error);
    process.on("unhandledRejection", hear);
    await assert.rejects(() => new PendingAttachments().add(() => Promise.reject(new Error("unreadable"))));
    await new Promise(setImmediate);
    process.off("unhandledRejection", hear);
    assert.deepEqual(unheard, []);
  });
});
