/** A hostile model in the packaged editor: its answers run and fetch nothing, and can be read. */

import assert from "node:assert/strict";
import type { Frame, Page } from "playwright-core";
import { hostileGiants, hostileGroups, type HostileSample } from "../support/texts/hostileContent.ts";
import { until } from "../../scripts/vscode/until.ts";
import { answer, messages, modelButton, send } from "./support/chat.ts";
import { HostileWatch, type Listener, startListener } from "./support/hostileWatch.ts";
import { useModelSession } from "./support/modelSession.ts";
import { picture } from "./support/pictures.ts";
import { pick, runCommand, toast } from "./support/workbench.ts";

/** How answers arrive: at once, or in pieces of at least seven characters and at most 80 pieces, more than frames. */
const WAYS = [
  { name: "whole", pieces: (length: number) => length, delayMs: 0 },
  { name: "in pieces", pieces: (length: number) => Math.max(7, Math.ceil(length / 80)), delayMs: 2 },
] as const;

/** One of each kind: slow to parse, to draw, to highlight. `hostileGiants.browser.ts` has all, in the page alone. */
const GIANTS: ReadonlySet<string> = new Set([
  "end of the long line",
  "end of the small tables",
  "end of the brackets in code",
]);

describe("hostile content", () => {
  let listener: Listener;
  let page: Page;
  let chat: Frame;
  let watch: HostileWatch;

  before(async () => {
    listener = await startListener();
  });
  after(() => listener.close());
  const session = useModelSession("hostile-content");
  before(async function () {
    this.timeout(90_000);
    await HostileWatch.prepare(session.user);
    ({ page, chat } = await session.openChat());
    watch = HostileWatch.begin(page);
  });
  beforeEach(() => {
    session.models.reset();
  });

  /** Asserts that nothing ran, nothing was fetched, and nothing happened in the workbench. */
  async function didNothing(): Promise<void> {
    assert.deepEqual(await watch.ran(), []);
    assert.deepEqual(listener.arrived, []);
    const isOwn = (address: string): boolean =>
      new URL(address).host === `localhost:${session.server.port}` || /\/dist\/(?:highlight|math)\.js$/.test(address);
    assert.deepEqual(watch.requests(isOwn), []);
    assert.equal(await page.locator(".editor-group-container .tab").count(), 0, "nothing was opened");
    assert.equal(await page.locator(".part.panel:visible").count(), 0, "no terminal was opened");
  }

  /** Has the model answer with `text`, and waits until the answer is drawn. */
  async function said(text: string, way: (typeof WAYS)[number]): Promise<void> {
    session.models.script({
      answer: { text, chunkChars: way.pieces(text.length) },
      framing: { delayMs: way.delayMs },
      times: 1,
    });
    const before = await messages(chat).count();
    await send(chat, "What do you say?");
    await messages(chat)
      .nth(before + 1)
      .and(messages(chat, "assistant", "complete"))
      .waitFor();
    // Code is highlighted when the page is idle.
    await chat.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 })));
  }

  it("is detected when it runs", async () => {
    await chat.evaluate(() => window.trap?.("proof"));
    assert.deepEqual(await watch.ran(), ["proof"]);
    await chat.evaluate(() => window.forgeTrapped?.splice(0));
  });

  it("is not a link in a notification with the conversation's title", async () => {
    await send(chat, "[Look](command:workbench.action.terminal.new)");
    await answer(chat);
    await runCommand(page, "Forge: Delete Conversation");
    await pick(page, "[Look]");
    const told = toast(page, "was moved to the trash");
    await told.getByText("[Look]").waitFor();
    assert.equal(await told.locator("a[href], a[data-href]").filter({ hasText: "Look" }).count(), 0);
    await picture(page, "hostile-title");
    await messages(chat).first().waitFor({ state: "detached" });
    await didNothing();
  });

  for (const way of WAYS) {
    for (const { name } of hostileGroups("")) {
      it(`is harmless: ${name}, ${way.name}`, async function () {
        this.timeout(60_000);
        await beginAnew(page, chat);
        const { samples } = hostileGroups(listener.origin).find((group) => group.name === name) ?? { samples: [] };
        await said(samples.map(({ text }) => text).join("\n\n***\n\n"), way);
        const shown = await answer(chat);
        for (const sample of samples) assert.ok(shown.includes(sample.shows), `${sample.shows} in ${shown}`);
        for (const dead of await messages(chat, "assistant").last().locator(".dead-link").all()) await dead.click();
        await didNothing();
        await picture(page, `hostile-${name.replaceAll(" ", "-")}-${way.name.replaceAll(" ", "-")}`);
      });
    }

    for (const sample of hostileGiants().filter(({ shows }) => GIANTS.has(shows))) {
      it(`can be read: ${sample.shows}, ${way.name}`, async function () {
        this.timeout(60_000);
        await beginAnew(page, chat);
        await said(sample.text, way);
        await canBeRead(chat, sample);
        await didNothing();
      });
    }
  }
});

/** Begins another conversation by the button above the chat: all samples in one would fill its context. */
async function beginAnew(page: Page, chat: Frame): Promise<void> {
  await page.locator(".part.sidebar .title-actions").getByRole("button", { name: "New Conversation" }).click();
  await messages(chat).first().waitFor({ state: "detached" });
  await modelButton(chat).waitFor();
}

/** Asserts that the end of the answer can be scrolled into view. */
async function canBeRead(chat: Frame, { shows }: HostileSample): Promise<void> {
  const whole = chat.getByRole("button", { name: /^Show all/ });
  if (await whole.isVisible()) await whole.click(); // long code is folded
  const isInSight = await until(() =>
    chat.evaluate((wanted) => {
      const log = document.querySelector("[role=log]")?.getBoundingClientRect();
      const answers = document.querySelectorAll(".message.assistant .markdown");
      const walker = document.createTreeWalker(answers[answers.length - 1] ?? document.body, NodeFilter.SHOW_TEXT);
      for (let text = walker.lastChild(); text !== null; text = walker.previousNode()) {
        const at = text.textContent?.lastIndexOf(wanted) ?? -1;
        if (at < 0) continue;
        text.parentElement?.scrollIntoView({ block: "end" });
        const range = document.createRange();
        range.setStart(text, at);
        range.setEnd(text, at + wanted.length);
        const box = range.getBoundingClientRect();
        return (box.width > 0 && log !== undefined && box.bottom <= log.bottom && box.top >= log.top) || undefined;
      }
      return undefined;
    }, shows),
  );
  assert.ok(isInSight === true, `${shows} is not in sight`);
}
