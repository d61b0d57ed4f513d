/** What is added to the message that is typed, and what becomes of messages when that goes wrong. */
import assert from "node:assert/strict";
import { err } from "../../../../src/core/result.ts";
import type { AttachingOptions } from "../../../../src/host/mentions/attaching.ts";
import type { Session } from "../../../../src/host/session/session.ts";
import { withQuestions } from "../../../support/fakeQuestions.ts";

describe("a text that is pasted", () => {
  it("keeps no message back after it could not be added", async () => {
    const { Attaching: Made } = await withQuestions(() => import("../../../../src/host/mentions/attaching.ts"));
    const attaching = new Made({ dist: "/dist" } as AttachingOptions);
    const add = (): Promise<never> => Promise.reject(new Error("no room"));
    const session: unknown = { attachments: { add } };
    const paste = { kind: "attachText", pasteId: crypto.randomUUID(), text: "long" } as const;
    await assert.rejects(() => attaching.handle(paste, session as Session));
    await attaching.added();
  });

  it("says nothing in another conversation that was opened before it was added", async () => {
    const { Attaching: Made } = await withQuestions(() => import("../../../../src/host/mentions/attaching.ts"));
    const presenter = { showBanner: () => assert.fail("nothing failed") };
    const attaching = new Made({ dist: "/dist", presenter } as unknown as AttachingOptions);
    const session: unknown = { attachments: { add: () => Promise.resolve(err("closed")) } };
    await attaching.handle({ kind: "attachText", pasteId: crypto.randomUUID(), text: "long" }, session as Session);
  });
});
