/** Nothing that a model writes may run, load or open anything, with the content security policy and without it. */
import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import { hostileGroups, type HostileSample } from "../support/texts/hostileContent.ts";
import { answer, original, streaming, summary, summaryDetail, user, view } from "./support/viewBuilders.ts";
import { launchBrowser } from "../../scripts/vscode/launchBrowser.ts";
import { WebviewPage } from "./support/webviewPage.ts";
import { startWebviewServer, type WebviewServer } from "./support/webviewServer.ts";

/** The only elements that the transcript may contain. */
const html = "div h2 p span button a strong em s code br pre ul ol li blockquote hr table thead tbody tr th td";
const math = "math mrow mi mn mo mtext mspace msup";
const allowed = new Set(`${html} ${math}`.split(" "));

describe("webview: hostile answers", function () {
  this.timeout(60_000);
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(async () => {
    await browser.close();
  });

  const check = async (server: WebviewServer, opened: WebviewPage, fill: () => Promise<void>): Promise<void> => {
    const requests: string[] = [];
    opened.page.on("request", (request) => {
      if (!/\/(?:highlight|math)\.js$/.test(request.url())) requests.push(request.url());
    });
    await fill();
    await opened.settle();
    const { page } = opened;
    await page.locator(".dead-link").evaluateAll((links) => {
      for (const link of links) link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    });
    const found = await page.evaluate(() => {
      const elements = [...document.querySelectorAll(".rows *")];
      return {
        trapped: window.trapped,
        names: [...new Set(elements.map((element) => element.localName))],
        handlers: elements.flatMap((element) =>
          element.getAttributeNames().filter((name) => /^on|^style$|^src/.test(name)),
        ),
        addresses: [...document.querySelectorAll<HTMLAnchorElement>(".rows a")].map((link) => link.href),
      };
    });
    assert.deepEqual(found.trapped, []);
    assert.deepEqual(
      found.names.filter((name) => !allowed.has(name)),
      [],
    );
    assert.deepEqual(found.handlers, []);
    assert.deepEqual(
      found.addresses.filter((href) => !/^https?:\/\/(?!user)/.test(href)),
      [],
    );
    assert.deepEqual(requests, []);
    assert.deepEqual(server.unexpected, []);
    assert.deepEqual(opened.problems, []);
    assert.deepEqual(
      (await opened.posted()).filter((message) => message.kind === "openLink"),
      [],
    );
    assert.equal(page.url(), `${server.origin}/`);
  };

  for (const csp of [true, false]) {
    describe(csp ? "with the content security policy" : "without the content security policy", () => {
      let server: WebviewServer;
      let opened: WebviewPage;
      let all: readonly HostileSample[];
      let samples: readonly string[];
      before(async () => {
        server = await startWebviewServer({ csp });
        all = hostileGroups(server.origin).flatMap((group) => group.samples);
        samples = all.map(({ text }) => text);
      });
      after(async () => {
        await server.close();
      });
      beforeEach(async () => {
        opened = await WebviewPage.open(browser, server);
      });
      afterEach(async () => {
        await opened.close();
      });

      it("are shown as plain text when complete", async () => {
        for (let first = 0; first < all.length; first += 30) {
          const some = all.slice(first, first + 30);
          await check(server, opened, async () => {
            const rows = some.map(({ text }, index) =>
              answer(index, text, { thinking: text, meta: text, stateText: text }),
            );
            await opened.show(view(rows));
            await opened.page.getByRole("button", { name: "Thoughts" }).first().click();
          });
          for (const [index, { shows }] of some.entries()) {
            const shown = await opened.page.locator(`[data-message-id='${String(index)}'] .markdown`).innerText();
            assert.ok(shown.includes(shows), `${shows} in ${shown}`);
          }
        }
      });

      it("are harmless in user messages, summaries, problems and titles", async () => {
        await check(server, opened, async () => {
          const all = samples.join("\n\n");
          const problem = { tone: "error", text: all, actions: [{ label: all, command: "retry" }] } as const;
          await opened.show(
            view([user(1, all), summary(1, { meta: all }), answer(2, "x", { state: "failed", problem })], {
              draft: all,
            }),
          );
          // Not by the mouse: formulas and colours that arrive late move the rows.
          await opened.page.locator("[data-summary-id] button").first().press("Enter");
          const detail = summaryDetail(all, {
            facts: [{ title: all, facts: [all] }],
            unverified: [all],
            versions: [0, 1].map((summaryId) => ({ summaryId, label: all, isShown: summaryId === 1 })),
            models: [{ id: all, label: all }],
          });
          await opened.say({ kind: "summaryDetail", summaryId: 1, detail });
          const messages = (["user", "assistant", "tool"] as const).map((role, at) =>
            original(at, role, all, { who: all }),
          );
          const originals = { from: 0, total: 1, messages };
          await opened.say({ kind: "summaryOriginals", summaryId: 1, originals });
          for (const tab of ["facts", "unverified", "originals", "versions", "summary"]) {
            await opened.page.locator(`[data-tab="${tab}"]`).click();
          }
          await opened.say({ kind: "status", status: { title: all, model: { label: all, providerLabel: all } } });
        });
      });

      it("are harmless when streamed in pieces", async () => {
        await check(server, opened, async () => {
          await opened.show(view([streaming("step_1")]));
          const text = samples.join("\n\n");
          for (let at = 0; at < text.length; at += 7) {
            await opened.say({ kind: "delta", rowId: "step_1", part: "text", text: text.slice(at, at + 7) });
          }
        });
      });
    });
  }
});
