import assert from "node:assert/strict";
import type { AttachmentView } from "../../src/protocol/attachmentView.ts";
import type { Banner } from "../../src/protocol/toView.ts";
import { allScenes } from "./support/allScenes.ts";
import { showScene } from "./support/scenes.ts";
import { useWebview } from "./support/useWebview.ts";
import { answer, status, user, view } from "./support/viewBuilders.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

/** The side bar's size in CSS pixels in a window of 1280 × 800 px at 200 %. */
const small = { width: 297, height: 294 };
const usage = { ...status({}).usage, text: "112.7k / 1.05M (12%) [12S 3P]" };
const rows = [user(0, "What is it?"), answer(1, "It is this, and this is why. ".repeat(30))];
const chips: readonly AttachmentView[] = Array.from({ length: 6 }, (_, index) => ({
  attachmentId: String(index),
  kind: "file",
  label: `src/net/part${String(index)}.ts`,
  tokens: 1_240,
  isExcluded: false,
}));
const banner: Banner = {
  tone: "error",
  text: "The server cannot be reached. Nothing is lost. ".repeat(4),
  actions: [
    { label: "Retry", command: "retry" },
    { label: "Switch model", command: "switchModel" },
    { label: "Settings", command: "openSettings" },
  ],
};

describe("webview: small views", function () {
  this.timeout(60_000);
  let opened: WebviewPage;
  const suite = useWebview((page) => (opened = page));

  const show = (changes: Parameters<typeof view>[1]): Promise<void> => opened.show(view(rows, changes));

  it("shows the Send button completely beside long figures at widths of 180 to 460 px", async () => {
    await show({ attachments: chips, draft: "And these?", status: status({ draftTokens: 112_450, usage }) });
    for (let width = 180; width <= 460; width += 20) {
      await opened.page.setViewportSize({ width, height: 600 });
      const cut = await opened.page.evaluate(() => {
        const field = document.querySelector(".field")?.getBoundingClientRect();
        return [...document.querySelectorAll(".tools > button")]
          .filter((button) => button.getBoundingClientRect().right > (field?.right ?? 0) - 4)
          .map((button) => button.className);
      });
      assert.deepEqual({ width, cut }, { width, cut: [] });
    }
  });

  it("shortens the model's name before the usage figure", async () => {
    const model = { label: "a-model-with-a-long-name", providerLabel: "Anthropic" };
    await show({ status: status({ model, usage: { ...usage, text: "3k / 23k (13%) [1S]" } }) });
    let shortened = 0;
    for (let width = 200; width <= 460; width += 10) {
      await opened.page.setViewportSize({ width, height: 600 });
      const [name = 0, missing = 0] = await opened.page.locator(".model, .figure > span").evaluateAll((parts) =>
        parts.map((part) => {
          const range = document.createRange();
          range.selectNodeContents(part);
          const { width: shown } = part.getBoundingClientRect();
          return part.matches(".model") ? shown : range.getBoundingClientRect().width - shown;
        }),
      );
      if (name <= 41) continue; // as short as it gets
      shortened++;
      assert.ok(missing <= 0, `${String(missing)} px are missing at ${String(width)} px`);
    }
    assert.ok(shortened > 10);
  });

  for (const [beside, changes, figure] of [
    ["the draft's tokens", { draftTokens: 12 }, "+12 · 2%"],
    ["the Stop button", { activity: "streaming" }, "2%"],
    ["the full usage figure", {}, "12.7k / 967k (2%)"],
  ] as const) {
    it(`shows the model's full name in a side bar of default width beside ${beside}`, async () => {
      await opened.page.setViewportSize({ width: 300, height: 600 });
      const model = { label: "gpt-6.1-sol", providerLabel: "Your server" };
      const total = { ...usage, text: "12.7k / 967k (2%)" };
      const draft = "draftTokens" in changes ? "And these?" : "";
      await show({ draft, status: status({ model, usage: total, ...changes }) });
      const shown = await opened.page
        .locator(".model-name")
        .evaluate((name) => [name.textContent, name.scrollWidth <= name.clientWidth]);
      assert.deepEqual(
        { shown, figure: await opened.page.locator(".figure").innerText() },
        { shown: ["gpt-6.1-sol", true], figure },
      );
    });
  }

  it("leaves the conversation at least 64 px beside attachments and a banner", async () => {
    opened = await suite.open(small);
    const note: Banner = {
      tone: "info",
      text: "Summarized: 3.6k → 2.7k tokens are sent. The originals stay.",
      actions: [{ label: "Show summary", command: "showContext" }],
    };
    await show({ attachments: chips, draft: "And these?\nWhat of them?", status: status({ banner: note }) });
    const height = await opened.page.locator(".log").evaluate((log) => log.clientHeight);
    assert.ok(height >= 64, `the conversation has ${String(height)} px`);
    await opened.say({ kind: "status", status: { banner: null } });
    await opened.composer.fill("/");
    await opened.page.getByRole("option").first().waitFor();
    const hidden = await opened.page.locator(".page").evaluate((page) => page.scrollHeight - page.clientHeight);
    assert.equal(hidden, 0, "nor does the list of commands take the page's room");
  });

  it("scrolls each focused control into view, even with every part of the composer shown", async () => {
    opened = await suite.open(small);
    await show({
      attachments: chips,
      draft: "line\n".repeat(20),
      queue: {
        items: [1, 2, 3].map((id) => ({ queueId: `step_${String(id)}`, text: "also for 429 ".repeat(9) })),
        isHeld: true,
      },
      status: status({ draftTokens: 112_450, usage, banner, activity: "streaming" }),
    });
    const unseen: string[] = [];
    const reached: string[] = [];
    for (let stop = 0; stop < 40; stop++) {
      await opened.page.keyboard.press("Tab");
      const { name, isSeen } = await opened.page.evaluate(() => {
        const focused = document.activeElement;
        const box = focused?.getBoundingClientRect();
        if (!focused || !box || focused === document.body) return { name: "", isSeen: true };
        const at = document.elementFromPoint((box.left + box.right) / 2, Math.min(box.top + 8, box.bottom - 2));
        return {
          name: focused.getAttribute("aria-label") ?? focused.textContent,
          isSeen: at !== null && focused.contains(at),
        };
      });
      reached.push(name);
      if (!isSeen) unseen.push(name);
    }
    for (const name of ["Conversation", "Retry", "Settings", "Message Forge", "Stop", "Send"])
      assert.ok(reached.includes(name), `${name} in ${reached.join(", ")}`);
    assert.deepEqual(unseen, []);
    assert.ok((await opened.page.locator(".log").evaluate((log) => log.clientHeight)) >= 60);
  });

  it("does not overflow its height in any state, and shows the composer's buttons", async () => {
    opened = await suite.open(small);
    for (const [name, scene] of Object.entries(allScenes)) {
      await showScene(opened, name, scene);
      const found = await opened.page.evaluate(() => ({
        tooLong: Math.max(0, document.documentElement.scrollHeight - innerHeight),
        hidden: [...document.querySelectorAll<HTMLElement>(".composer button")]
          .filter((button) => button.closest(".attachments, .queue") === null)
          .filter((button) => button.getBoundingClientRect().bottom > innerHeight)
          .map((button) => button.ariaLabel ?? button.innerText),
      }));
      assert.deepEqual({ name, ...found }, { name, tooLong: 0, hidden: [] });
    }
  });

  it("keeps a button with a long word inside its banner", async () => {
    opened = await suite.open({ width: 200, height: 600 });
    const actions = [{ label: "Zusammenfassungseinstellungen", command: "openSettings" }] as const;
    await show({ status: status({ banner: { ...banner, actions } }) });
    const [note, button] = await Promise.all(
      [".banner", ".banner .button"].map((selector) => opened.page.locator(selector).boundingBox()),
    );
    assert.ok(note && button && button.x + button.width <= note.x + note.width - 10, JSON.stringify({ note, button }));
  });

  it("breaks no word in the names of context parts at 200 px", async () => {
    opened = await suite.open({ width: 200, height: 600 });
    await showScene(opened, "context", allScenes["context"] ?? assert.fail("a context"));
    const broken = await opened.page.locator(".part-name").evaluateAll((names) =>
      names.flatMap(({ firstChild: text }) =>
        [...(text?.nodeValue ?? "").matchAll(/\S+/g)].flatMap((word) => {
          const range = document.createRange();
          range.setStart(text ?? document, word.index);
          range.setEnd(text ?? document, word.index + word[0].length);
          return range.getClientRects().length > 1 ? word : [];
        }),
      ),
    );
    assert.deepEqual(broken, []);
    const [tokens, share] = await Promise.all(
      [".part-tokens", ".part-share"].map((selector) => opened.page.locator(selector).first().boundingBox()),
    );
    assert.ok(tokens && share && share.y >= tokens.y + tokens.height - 1, "the share is below");
  });

  it("makes each item of a message's menu reachable by scrolling", async () => {
    opened = await suite.open(small);
    await show({});
    await opened.page.hover('[data-row-id="message-1"]');
    await opened.page.click('[data-row-id="message-1"] [aria-haspopup=menu]');
    const last = opened.page.getByRole("menuitem").last();
    const box = await opened.page.getByRole("menu").boundingBox();
    assert.ok(box);
    await opened.page.mouse.move(box.x + 40, box.y + 10);
    await opened.page.mouse.wheel(0, 1_000);
    await opened.settle();
    const isSeen = await last.evaluate((line) => {
      const { left, top, bottom } = line.getBoundingClientRect();
      return line.contains(document.elementFromPoint(left + 20, (top + bottom) / 2));
    });
    assert.ok(isSeen, "the last line can be clicked");
  });

  for (const width of [200, 260, 300])
    it(`keeps a message's menu inside a view of ${String(width)} px`, async () => {
      opened = await suite.open({ width, height: 600 });
      await show({});
      await opened.page.hover('[data-row-id="message-1"]');
      await opened.page.click('[data-row-id="message-1"] [aria-haspopup=menu]');
      const box = await opened.page.getByRole("menu").boundingBox();
      assert.ok(box !== null && box.x >= 4 && box.x + box.width <= width, JSON.stringify(box));
    });
});
