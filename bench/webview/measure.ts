/**
 * Cost of the chat in a real browser, with 10,000 messages and with a long streaming answer, compared with a plain
 * page: all messages as HTML, and the whole answer parsed and drawn again with every piece. Giant answers are compared
 * with plain paragraphs.
 */

import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { type BenchOptions, type BenchReport, median } from "../../scripts/benchmark.ts";
import type { Row } from "../../src/protocol/toView.ts";
import { answer, status, streaming, user, view } from "../../test/browser/support/viewBuilders.ts";
import { launchBrowser } from "../../scripts/vscode/launchBrowser.ts";
import { WebviewPage } from "../../test/browser/support/webviewPage.ts";
import { startWebviewServer } from "../../test/browser/support/webviewServer.ts";
import { type Chat, PIECE_CHARACTERS, PIECES_PER_SECOND } from "./chat.ts";
import { type GiantTimes, giantTimes } from "./giantAnswers.ts";
import { type FrameTimes, frameTimes, traceCategories } from "./frameTimes.ts";
import { workTimeMs } from "./workTime.ts";
import { plainChat } from "./plainChat.ts";

const MESSAGES = 10_000;
const ANSWER_CHARACTERS = 60_000;
const APPENDED = 60;
const settledMs = 1_000;
const PARAGRAPHS = [
  "Some words with `code`, **bold** text and [a link](https://example.com) in them, as answers have.",
  "- the first point of a list\n- the second one, with `a name`\n- the third",
  "```ts\nconst answer = await forge.ask(question); // as it comes\nreturn answer.trim();\n```",
  "| what | how much |\n| --- | --- |\n| messages | 10,000 |\n| seconds | 0.2 |",
];

/** Opens, streams and appends `rounds` times (3). Reports medians, and what giant answers take (about 50 s). */
export async function run({ rounds = 3, full }: BenchOptions): Promise<BenchReport> {
  const server = await startWebviewServer();
  const lax = await startWebviewServer({ csp: false }); // the plain page writes HTML and scripts
  const browser = await launchBrowser();
  const ours: Measured[] = [];
  const plain: Measured[] = [];
  const copies: number[] = [];
  let bundleBytes = 0;
  let giants: GiantTimes;
  try {
    for (const name of ["webview.js", "webview.css"]) {
      const file = await (await fetch(`${server.origin}/${name}`)).arrayBuffer();
      bundleBytes += gzipSync(new Uint8Array(file)).length;
    }
    for (let round = 0; round < rounds; round++) {
      const opened = await WebviewPage.open(browser, server);
      const chat = forgeChat(opened);
      ours.push(await measure(browser, opened.page, chat));
      copies.push(await measureCopies(opened.page, chat));
      await opened.close();
      const page = await browser.newPage({ viewport: { width: 400, height: 1000 } });
      plain.push(await measure(browser, page, await plainChat(page, lax.origin)));
      await page.close();
    }
    giants = await giantTimes(browser, server, full);
  } finally {
    await browser.close();
    await Promise.all([server.close(), lax.close()]);
  }
  const of = (list: readonly Measured[], key: keyof Measured): number => round2(median(list.map((each) => each[key])));
  return {
    figures: {
      bundleGzKb: round2(bundleBytes / 1024),
      open10kMs: of(ours, "openMs"),
      domNodes10k: of(ours, "domNodes"),
      frameP99MsStreaming: of(ours, "frameP99Ms"),
      frameMaxMsStreaming: of(ours, "frameMaxMs"),
      frameWallP99MsStreaming: of(ours, "frameWallP99Ms"),
      framesStreaming: of(ours, "frames"),
      appendMs10k: of(ours, "appendMs"),
      giantTaskRatio: round2(giants.taskRatio),
      giantTaskMs: giants.taskMs,
    },
    peers: {
      plainOpen10kMs: of(plain, "openMs"),
      plainDomNodes10k: of(plain, "domNodes"),
      plainFrameP99MsStreaming: of(plain, "frameP99Ms"),
      plainAppendMs10k: of(plain, "appendMs"),
      copiedAppendMs10k: round2(median(copies)),
      plainTaskMs: giants.plainMs,
    },
  };
}

interface Measured {
  /** Time from the snapshot in the page to the frame that shows it. */
  readonly openMs: number;
  readonly domNodes: number;
  readonly frameP99Ms: number;
  readonly frameMaxMs: number;
  readonly frameWallP99Ms: number;
  readonly frames: number;
  /** Thread time of script, style and layout for one more message. */
  readonly appendMs: number;
}

async function measure(browser: Browser, page: Page, chat: Chat): Promise<Measured> {
  const openMs = await chat.open(conversation(MESSAGES));
  const domNodes = await page.evaluate(() => document.querySelectorAll("*").length);
  await page.waitForTimeout(settledMs); // remaining work of opening is not part of an append
  const added = Array.from({ length: APPENDED }, (_, index) => message(MESSAGES + index));
  await chat.hold(added);
  const appendedMs = await workTimeMs(page, () => chat.append());
  await chat.checkAppended();
  await chat.begin(conversation(30));
  const frames: FrameTimes = frameTimes(await traced(browser, page, () => chat.stream(longAnswer())));
  return {
    openMs,
    domNodes,
    appendMs: appendedMs / APPENDED,
    frameP99Ms: frames.p99Ms,
    frameMaxMs: frames.maxMs,
    frameWallP99Ms: frames.wallP99Ms,
    frames: frames.count,
  };
}

/** Lower bound for an append: the browser's cost of copying existing rows, without any other work. */
async function measureCopies(page: Page, chat: Chat): Promise<number> {
  await chat.open(conversation(MESSAGES));
  await page.waitForTimeout(settledMs);
  return (await workTimeMs(page, () => page.evaluate(copyRowsInPage, APPENDED))) / APPENDED;
}

async function copyRowsInPage(count: number): Promise<void> {
  const log = document.querySelector(".log");
  const rows = document.querySelector(".rows");
  if (log === null || rows === null) throw new Error("no rows");
  for (let made = 0; made < count; made++) {
    const like = [...rows.querySelectorAll("[data-key]")].at(-2); // rows alternate between questions and answers
    if (like === undefined) throw new Error("no rows");
    rows.append(like.cloneNode(true));
    while (rows.childElementCount > 60) rows.firstElementChild?.remove();
    log.scrollTop = Number.MAX_SAFE_INTEGER;
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}

function forgeChat(opened: WebviewPage): Chat {
  let seq = 0;
  let held = "";
  const show = async (rows: readonly Row[], activity: "idle" | "streaming"): Promise<number> => {
    const snapshot = { seq, kind: "snapshot", view: view(rows, { status: status({ activity }) }) } as const;
    const ms = await opened.page.evaluate(openInPage, { message: snapshot, last: rows.at(-1)?.rowId ?? "" });
    seq++;
    return ms;
  };
  return {
    open: async (rows) => {
      const ms = await show(rows, "idle");
      await opened.page.waitForFunction(allCodeIsColoured); // done when idle: not part of an append
      return ms;
    },
    hold: async (rows) => {
      const messages = rows.map((row) => ({ seq: seq++, kind: "rowsAdded", rows: [row] }) as const);
      await opened.page.evaluate((list) => (window.held = list), messages);
      held = rows.at(-1)?.rowId ?? "";
    },
    append: () => opened.page.evaluate(appendInPage),
    checkAppended: async () => {
      const last = opened.page.locator(`[data-row-id="${held}"]`);
      if ((await last.count()) !== 1) throw new Error("the message was not drawn");
    },
    begin: async (rows) => {
      await show([...rows, streaming("step_1")], "streaming");
      await opened.page.waitForTimeout(settledMs); // code in the rows loads the highlighter
    },
    stream: async (text) => {
      const pieces = Math.ceil(text.length / PIECE_CHARACTERS);
      await opened.page.evaluate(
        async ({ first, whole, size, rate }) => {
          const count = Math.ceil(whole.length / size);
          const start = performance.now();
          for (let made = 0; made < count;) {
            const due = Math.min(count, Math.floor(((performance.now() - start) / 1000) * rate));
            for (; made < due; made++) {
              const piece = whole.slice(made * size, (made + 1) * size);
              window.postMessage({ seq: first + made, kind: "delta", rowId: "step_1", part: "text", text: piece }, "*");
            }
            await new Promise((resolve) => setTimeout(resolve, 4));
          }
          await new Promise((resolve) => setTimeout(resolve, 200));
        },
        { first: seq, whole: text, size: PIECE_CHARACTERS, rate: PIECES_PER_SECOND },
      );
      seq += pieces;
      const drawn = await opened.page.locator("[data-message-id=step_1] pre").count();
      if (drawn !== text.split("```ts").length - 1) throw new Error("the answer was not drawn whole");
    },
  };
}

function openInPage({ message, last }: { readonly message: unknown; readonly last: string }): Promise<number> {
  return new Promise((resolve) => {
    const start = performance.now();
    window.postMessage(message, "*");
    const look = (): void => {
      if (document.querySelector(`[data-row-id="${last}"]`) === null) requestAnimationFrame(look);
      else setTimeout(() => resolve(performance.now() - start), 0);
    };
    requestAnimationFrame(look);
  });
}

function allCodeIsColoured(): boolean {
  return [...document.querySelectorAll(".code-block code")].every((code) => code.firstElementChild !== null);
}

/** Appends one by one, each when the previous one is drawn. Waits instead of checking, which would be measured, too. */
async function appendInPage(): Promise<void> {
  for (const message of window.held) {
    window.postMessage(message, "*");
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}

/** Browser trace of `work`. */
async function traced(browser: Browser, page: Page, work: () => Promise<void>): Promise<string> {
  await browser.startTracing(page, { categories: [...traceCategories] });
  await work();
  return (await browser.stopTracing()).toString("utf8");
}

function conversation(count: number): readonly Row[] {
  return Array.from({ length: count }, (_, index) => message(index));
}

function message(index: number): Row {
  if (index % 2 === 0) return user(index, `Question ${index}: how does this part work, and why?`);
  const text = PARAGRAPHS.map((_, at) => PARAGRAPHS[(index + at) % PARAGRAPHS.length]).join("\n\n");
  return answer(index, `Answer ${index}.\n\n${text}`, { meta: "claude-haiku-4-5 · 412 tokens · 3.1 s" });
}

function longAnswer(): string {
  const once = `${PARAGRAPHS.join("\n\n")}\n\n`;
  return once.repeat(Math.ceil(ANSWER_CHARACTERS / once.length));
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
