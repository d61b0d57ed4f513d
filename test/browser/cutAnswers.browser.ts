import assert from "node:assert/strict";
import { answer, status, streaming, user, view } from "./support/viewBuilders.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

describe("webview: cut answers", function () {
  this.timeout(60_000);
  let opened: WebviewPage;
  const webview = useWebview((page) => (opened = page));

  const said = "Answer cut at its limit of 300 tokens. Everything you saw is kept.";
  const cut = answer(1, "Here:\n\n```ts\nconst po", { stopReason: "maxTokens", stateText: said });

  /** Each shown answer: why it stopped, its text, and its buttons. */
  async function shown(): Promise<unknown> {
    return opened.page
      .locator("[data-role=assistant]")
      .evaluateAll((rows) =>
        rows.map((row) => [
          row.getAttribute("data-stop-reason"),
          row.querySelector("pre")?.textContent,
          row.querySelector(".ending p")?.textContent ?? "",
          [...row.querySelectorAll(".ending button")].map((button) => button.textContent),
        ]),
      );
  }

  it("L1 say why, with Continue while nothing follows", async () => {
    opened = await webview.open({ width: 400, height: 600 });
    await opened.show(view([user(0, "Code?"), cut]));
    assert.deepEqual(await shown(), [["maxTokens", "const po", said, ["Continue"]]]);
    await opened.page.getByRole("button", { name: "Continue" }).click();
    const posted = (await opened.posted()).flatMap((message) => (message.kind === "command" ? [message.command] : []));
    assert.deepEqual(posted, ["continueAnswer"]);
    await opened.show(view([user(0, "Code?"), cut, user(2, "Thanks.")]));
    assert.deepEqual(await shown(), [["maxTokens", "const po", said, []]]);
  });

  it("L1 refused ones offer no Continue", async () => {
    opened = await webview.open({ width: 400, height: 600 });
    const refused = { state: "failed", stopReason: "refusal", stateText: "The provider refused to go on." } as const;
    await opened.show(view([user(0, "Code?"), answer(1, "```\nNo", refused)]));
    assert.deepEqual(await shown(), [["refusal", "No", "The provider refused to go on.", ["Retry"]]]);
  });

  it("L1 go on in the same block of code", async () => {
    opened = await webview.open({ width: 400, height: 600 });
    const rest = { continues: "message-1" };
    const busy = { status: status({ activity: "streaming" }) };
    await opened.show(view([user(0, "Code?"), cut, streaming("step_2", "", rest)], busy));
    await opened.say({ kind: "delta", rowId: "step_2", part: "text", text: "rt = 8471;\n```\n" });
    await opened.page.getByText("const port = 8471;").waitFor();
    assert.deepEqual(await shown(), [[null, "const port = 8471;", "", []]]);
    const whole = answer(2, "rt = 8471;\n```\n", { ...rest, stopReason: "endTurn" });
    await opened.say({ kind: "rowChanged", rowId: "step_2", row: whole });
    await opened.page.locator("[data-stop-reason=endTurn]").waitFor();
    assert.deepEqual(await shown(), [["endTurn", "const port = 8471;", "", []]]);
  });
});
