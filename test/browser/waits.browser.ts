import assert from "node:assert/strict";
import { notice, status, streaming, user, view } from "./support/viewBuilders.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

describe("webview: waiting for a service", function () {
  this.timeout(60_000);
  let opened: WebviewPage;
  const webview = useWebview((page) => (opened = page));

  it("E:402 counts down to a time of day, for the eye only", async () => {
    opened = await webview.open({ width: 400, height: 600 });
    const text = "Anthropic asks to slow down; it can be tried again at 14:05.";
    await opened.show(view([user(0, "Why?"), notice(text, { retryAtMs: Date.now() + 3_599_000 })]));
    const countdown = opened.page.locator(".countdown");
    assert.match((await countdown.textContent()) ?? "", /^in 59 minutes$/);
    assert.equal(await countdown.getAttribute("aria-hidden"), "true");
    await opened.show(view([user(0, "Why?"), notice(text, { retryAtMs: Date.now() + 2_500 })]));
    await opened.page.getByText("It can be tried again now.").waitFor();
  });

  it("E:402 a retry can be cancelled, or its question edited", async () => {
    opened = await webview.open({ width: 400, height: 600 });
    const wait = { stateText: "The service is busy; it is asked again at 14:05:10.", retryAtMs: Date.now() + 30_000 };
    await opened.show(
      view([user(0, "Why?"), streaming("step_1", "", wait)], { status: status({ activity: "streaming" }) }),
    );
    await opened.page.getByRole("button", { name: "Do not ask again" }).click();
    await opened.page.getByRole("button", { name: "Edit", exact: true }).click();
    const posted = (await opened.posted()).map((message) =>
      message.kind === "command" ? `command ${message.command}` : message.kind,
    );
    assert.deepEqual(
      posted.filter((name) => name === "stop" || name.startsWith("command")),
      ["stop", "command editQuestion"],
    );
  });
});
