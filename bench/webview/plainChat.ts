import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import type { Row } from "../../src/protocol/toView.ts";
import { type Chat, PIECE_CHARACTERS, PIECES_PER_SECOND } from "./chat.ts";

/** A plain chat with the same parser and styles: all messages as HTML, the whole answer redrawn with every piece. */
export async function plainChat(page: Page, origin: string): Promise<Chat> {
  await page.goto(origin); // for its styles; its script gets no messages and draws nothing more
  const library = createRequire(import.meta.url).resolve("marked");
  const parser = await readFile(library.replace(/marked\.\w+\.js$/, "marked.umd.js"), "utf8");
  await page.setContent(
    `<link rel="stylesheet" href="${origin}/editor.css"><link rel="stylesheet" href="${origin}/webview.css">
     <div id="plain" style="height:900px;overflow:auto"></div>`,
  );
  await page.addScriptTag({ content: parser });
  await page.evaluate(() => {
    const log = document.querySelector("#plain");
    if (!(log instanceof HTMLElement)) throw new Error("no log");
    const drawn = (): Promise<void> =>
      new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(), 0)));
    const html = (text: string): string =>
      `<div class="row message"><div class="markdown">${marked.parse(text)}</div></div>`;
    window.plain = {
      open: async (texts) => {
        const start = performance.now();
        log.innerHTML = texts.map(html).join("");
        log.scrollTop = log.scrollHeight;
        await drawn();
        return performance.now() - start;
      },
      begin: async (texts) => {
        log.innerHTML = [...texts, ""].map(html).join("");
        await drawn();
      },
      held: [],
      append: async () => {
        for (const text of window.plain.held) {
          log.insertAdjacentHTML("beforeend", html(text));
          log.scrollTop = log.scrollHeight;
          await drawn();
        }
      },
      stream: async (whole, size, rate) => {
        const last = log.lastElementChild;
        if (last === null) throw new Error("no row");
        const start = performance.now();
        for (let made = 0; made < whole.length;) {
          made = Math.min(whole.length, Math.floor(((performance.now() - start) / 1000) * rate) * size);
          last.innerHTML = marked.parse(whole.slice(0, made));
          log.scrollTop = log.scrollHeight;
          await drawn();
        }
      },
    };
  });
  const texts = (rows: readonly Row[]): string[] => rows.map((row) => (row.kind === "message" ? row.text : ""));
  return {
    open: (rows) => page.evaluate((list) => window.plain.open(list), texts(rows)),
    hold: (rows) =>
      page.evaluate((list) => {
        window.plain.held = list;
      }, texts(rows)),
    append: () => page.evaluate(() => window.plain.append()),
    checkAppended: async () => {
      const shown = await page.evaluate(() => document.querySelector("#plain")?.lastElementChild?.textContent ?? "");
      const last = await page.evaluate(() => window.plain.held.at(-1)?.split("\n")[0] ?? "");
      if (!shown.startsWith(last)) throw new Error("the message was not drawn");
    },
    begin: (rows) => page.evaluate((list) => window.plain.begin(list), texts(rows)),
    stream: async (text) => {
      await page.evaluate(([whole, size, rate]) => window.plain.stream(whole, size, rate), [
        text,
        PIECE_CHARACTERS,
        PIECES_PER_SECOND,
      ] as const);
    },
  };
}

declare global {
  interface Window {
    plain: {
      open(texts: readonly string[]): Promise<number>;
      begin(texts: readonly string[]): Promise<void>;
      held: readonly string[];
      append(): Promise<void>;
      stream(whole: string, size: number, rate: number): Promise<void>;
    };
  }
  /** The parser, loaded as a script. */
  const marked: { parse(text: string): string };
}
