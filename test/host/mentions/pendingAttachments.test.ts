import assert from "node:assert/strict";
import { PendingAttachments } from "../../../src/host/mentions/pendingAttachments.ts";

/** A read that the test settles by hand. */
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

describe("a message sent while attachments are being read", () => {
  it("waits for everything added before it, and for nothing added after it", async () => {
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

  it("waits without a limit for the user's answer to a question, and for the read that follows", async () => {
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

  it("is sent when a question cannot be asked", async () => {
    const added = new PendingAttachments();
    const failing = assert.rejects(() => added.add((asks) => asks(() => Promise.reject(new Error("no window")))));
    await added.settled();
    await failing;
  });

  it("stops waiting for a read that takes too long", async () => {
    const added = new PendingAttachments();
    void added.add(() => reading().read);
    await added.settled(1);
  });

  it("does not wait a second time for a read that took too long", async () => {
    const added = new PendingAttachments();
    void added.add(() => reading().read);
    await added.settled(1);
    let isSent = false;
    void added.settled().then(() => (isSent = true));
    await new Promise(setImmediate);
    assert.ok(isSent);
  });

  it("leaves a failed read to the caller that added it", async () => {
    const unheard: unknown[] = [];
    const hear = (error: unknown): unknown => unheard.push(error);
    process.on("unhandledRejection", hear);
    await assert.rejects(() => new PendingAttachments().add(() => Promise.reject(new Error("unreadable"))));
    await new Promise(setImmediate);
    process.off("unhandledRejection", hear);
    assert.deepEqual(unheard, []);
  });
});
