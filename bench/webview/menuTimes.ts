/** Time from a key behind "@" to the frame that shows the menu, in the real page, with real keys. */

import { launchBrowser } from "../../scripts/vscode/launchBrowser.ts";
import type { MentionView } from "../../src/protocol/attachmentView.ts";
import { user, view } from "../../test/browser/support/viewBuilders.ts";
import { WebviewPage } from "../../test/browser/support/webviewPage.ts";
import { startWebviewServer } from "../../test/browser/support/webviewServer.ts";

/** In milliseconds. */
export interface KeyTimes {
  /** From the key to the frame in which its menu is drawn. */
  readonly wholeMs: number;
  /** Of that, from the page's request to the answer in the page. */
  readonly hostMs: number;
}

/** Finds what the page is to list. */
export type Ask = (query: string) => Promise<readonly MentionView[]>;

declare global {
  interface Window {
    ask: Ask;
    /** Of the last key, when its menu is drawn. */
    drawn: Promise<KeyTimes>;
  }
}

/** Types each query letter by letter, each letter when the menu of the one before is drawn. */
export async function menuTimes(ask: Ask, queries: readonly string[]): Promise<readonly KeyTimes[]> {
  const server = await startWebviewServer();
  const browser = await launchBrowser();
  try {
    const opened = await WebviewPage.open(browser, server);
    await opened.page.exposeFunction("ask", ask);
    await opened.show(view([user(0, "a")]));
    await opened.page.evaluate(answerInPage);
    const times: KeyTimes[] = [];
    for (const query of queries) {
      await opened.composer.fill("");
      await opened.composer.focus();
      await opened.page.keyboard.type("@");
      await opened.page.evaluate(() => window.drawn);
      for (const letter of query) {
        await opened.page.keyboard.type(letter);
        times.push(await opened.page.evaluate(() => window.drawn));
      }
    }
    return times;
  } finally {
    await browser.close();
    await server.close();
  }
}

/** Has `ask` answer the page's searches, and notes when a menu is drawn. */
function answerInPage(): void {
  let keyMs = 0;
  let seq = 1;
  document.addEventListener("keydown", ({ timeStamp }) => (keyMs = timeStamp), true);
  const isDrawn = (): boolean => document.querySelector(".composer-menu") !== null;
  const frame = (): Promise<void> =>
    new Promise((resolve) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          resolve(); // the frame is drawn
        };
        port2.postMessage(null);
      });
    });
  const answered = async (requestId: number, query: string): Promise<KeyTimes> => {
    const [begunMs, askedMs] = [keyMs, performance.now()];
    const mentions = await window.ask(query);
    const hostMs = performance.now() - askedMs;
    const handled = new Promise((resolve) => {
      window.addEventListener("message", resolve, { once: true });
    });
    window.postMessage({ seq: seq++, kind: "mentions", requestId, mentions }, "*");
    await handled;
    do await frame();
    while (!isDrawn());
    return { wholeMs: performance.now() - begunMs, hostMs };
  };
  const { posted } = window;
  const push = posted.push.bind(posted);
  posted.push = (...messages) => {
    for (const message of messages)
      if (message.kind === "findMentions") window.drawn = answered(message.requestId, message.query);
    return push(...messages);
  };
}
