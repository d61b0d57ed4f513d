/** The draft in the page's saved state, which survives when the editor destroys the page. */
import assert from "node:assert/strict";
import { Store } from "../../../src/webview/state/store.ts";
import { until } from "../../../scripts/vscode/until.ts";
import { view } from "../../browser/support/viewBuilders.ts";

describe("draft in the page's state", () => {
  const typing = () => {
    const remembered: string[] = [];
    const host = {
      postMessage: () => undefined,
      getState: () => undefined,
      setState: (state: unknown) => {
        remembered.push(JSON.stringify(state));
      },
    };
    const store = new Store(host, (draw) => {
      draw();
    });
    store.accept({ seq: 0, kind: "snapshot", view: view([]) });
    remembered.length = 0;
    return { store, remembered };
  };

  it("is saved at each key press", () => {
    const { store, remembered } = typing();
    for (const text of ["a", "ab", "abc"]) store.typed(text);
    assert.equal(remembered.length, 3);
  });

  it("is saved once after a pause when it has a megabyte, so that typing stays fast", async () => {
    const { store, remembered } = typing();
    const pasted = "x".repeat(1_000_000);
    for (const typed of ["a", "ab", "abc"]) store.typed(pasted + typed);
    assert.equal(remembered.length, 0);
    await until(() => Promise.resolve(remembered.length > 0 ? true : undefined));
    assert.equal(remembered.length, 1);
    assert.ok(remembered[0]?.includes("xabc"));
  });
});
