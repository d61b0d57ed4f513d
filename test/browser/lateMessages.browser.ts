/** Messages that the host posted before it received the latest text: none may remove text from the composer. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { ToViewBody } from "../../src/protocol/toView.ts";
import { answer, composer, idleStatus, user, view } from "./support/viewBuilders.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

/** Messages of the host by name. `draft` is the composer's text as last received by the host. */
const said: Readonly<Record<string, (draft: string) => ToViewBody>> = {
  snapshot: (draft) => ({ kind: "snapshot", view: view([user(1, "a"), answer(2, "b")], { draft }) }),
  draft: (draft) => composer({ text: draft }),
  status: () => ({ kind: "status", status: { activity: "streaming", draftTokens: 3 } }),
  idle: () => ({ kind: "status", status: { ...idleStatus, draftTokens: null } }),
  focus: () => ({ kind: "focusComposer" }),
  refused: () => composer({ sending: [] }),
  taken: () => composer({ sending: [], operations: [{ kind: "taken", text: "of another page", revision: 0 }] }, "now"),
  attachments: () => composer({ attachments: [] }),
};

const step = fc.oneof(
  fc.record({ types: fc.constantFrom("x", "@", " ", "\n", "yz ") }),
  fc.record({ fills: fc.constantFrom("It goes on", "/", "Another\nline") }),
  fc.record({ says: fc.constantFrom(...Object.keys(said)), isLate: fc.boolean(), isSeen: fc.boolean() }),
);

describe("webview: late messages of the host", function () {
  this.timeout(60_000);
  let opened: WebviewPage;
  useWebview(async (page) => {
    opened = page;
    await opened.show(view([user(1, "a"), answer(2, "b")]));
  });

  it("never change newer typed text", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        await opened.composer.fill("");
        await opened.settle();
        let expected = "";
        const changes = async () => (await opened.posted()).filter((message) => message.kind === "compose");
        let heard = (await changes()).at(-1)?.number ?? 0;
        for (const done of steps) {
          if ("types" in done) {
            await opened.page.keyboard.insertText(done.types);
            expected += done.types;
          } else if ("fills" in done) {
            await opened.composer.fill(done.fills);
            expected = done.fills;
          } else {
            const told = await changes();
            if (!done.isLate) heard = told.at(-1)?.number ?? 0;
            const change = told.findLast(({ number }) => number <= heard)?.change;
            const message = said[done.says]?.(change?.kind === "text" ? change.text : "");
            assert.ok(message);
            await opened.sayAfter(heard, message);
            if (done.isSeen) await opened.settle();
          }
        }
        await opened.settle();
        assert.equal(await opened.composer.inputValue(), expected);
        assert.equal((await opened.drafts()).at(-1) ?? "", expected);
      }),
      { numRuns: 12 },
    );
  });
});
