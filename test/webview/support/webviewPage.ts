/** The webview in a real browser, with a host that the test plays. */
import type { Browser, Locator, Page } from "playwright-core";
import type { ToHost } from "../../../src/protocol/toHost.ts";
import type { ToView, ToViewBody, ViewState } from "../../../src/protocol/toView.ts";
import themes from "../themes.json" with { type: "json" };
import type { WebviewServer } from "./webviewServer.ts";

/** The editor's default themes. */
export type ThemeName = keyof typeof themes;
/** All of them. */
export const themeNames: readonly ThemeName[] = ["dark", "light", "hcDark", "hcLight"];

/** How a page is opened. */
export interface PageOptions {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  /** What `getState` gives: a view that was destroyed before left it. */
  readonly stored?: unknown;
}

declare global {
  interface Window {
    /** What the page posted to the host. */
    posted: ToHost[];
    stored: unknown;
    /** Names of fired traps: hostile content that ran. */
    trapped: string[];
  }
}

/** One page with the webview, and the host's end of its channel. */
export class WebviewPage {
  readonly page: Page;
  /** Errors of scripts and refusals of the content security policy. */
  readonly problems: string[] = [];
  #seq = 0;

  private constructor(page: Page) {
    this.page = page;
  }

  static async open(browser: Browser, server: WebviewServer, options: PageOptions = {}): Promise<WebviewPage> {
    const { theme = "dark", width = 400, height = 1000, stored } = options;
    const context = await browser.newContext({ viewport: { width, height } });
    const page = await context.newPage();
    const opened = new WebviewPage(page);
    page.on("pageerror", (error) => opened.problems.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") opened.problems.push(message.text());
    });
    await page.addInitScript(playHost, { ...themes[theme], stored });
    await page.goto(server.origin);
    await opened.expectPosted({ kind: "ready" });
    return opened;
  }

  /** Says something as the host, with the next number, when it has heard all that the page said. */
  async say(...messages: readonly ToViewBody[]): Promise<void> {
    const heard = (await this.posted()).filter(({ kind }) => kind === "draft" || kind === "send").length;
    await this.sayAfter(heard, ...messages);
  }

  /** The same when the host has heard so many drafts and messages of the page only: the others are on their way. */
  async sayAfter(heard: number, ...messages: readonly ToViewBody[]): Promise<void> {
    const numbered: readonly ToView[] = messages.map((message) => ({ seq: this.#seq++, heard, ...message }));
    await this.page.evaluate((list) => {
      for (const message of list) window.postMessage(message, "*");
    }, numbered);
  }

  /** Shows `view`, and waits until it is drawn. */
  async show(view: ViewState): Promise<void> {
    await this.say({ kind: "snapshot", view });
    await this.settle();
  }

  /** Leaves out a number, as if a message had been lost. */
  loseOne(): void {
    this.#seq++;
  }

  /** Waits until what was said is drawn. */
  async settle(): Promise<void> {
    await this.page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 20)));
        }),
    );
  }

  posted(): Promise<ToHost[]> {
    return this.page.evaluate(() => window.posted);
  }

  /** Waits until the page has posted a message that has at least these fields. */
  async expectPosted(part: Partial<ToHost>): Promise<ToHost> {
    const found = await this.page.waitForFunction(
      (wanted) =>
        window.posted.find((message) =>
          Object.entries(wanted).every(([key, value]) =>
            Object.entries(message).some(([k, v]) => k === key && v === value),
          ),
        ),
      part,
      { timeout: 5000 },
    );
    const message = await found.jsonValue();
    if (message === undefined) throw new Error("nothing was posted");
    return message;
  }

  /** The composer. */
  get composer(): Locator {
    return this.page.getByRole("textbox", { name: "Message Forge" });
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}

/** Runs in the page before anything else: what the editor gives to a webview. */
function playHost(given: { bodyClass: string; variables: Record<string, string>; stored?: unknown }): void {
  window.posted = [];
  window.trapped = [];
  window.stored = given.stored;
  let taken = false;
  Object.assign(window, {
    acquireVsCodeApi: () => {
      if (taken) throw new Error("acquireVsCodeApi was called twice");
      taken = true;
      return {
        postMessage: (message: ToHost) => window.posted.push(message),
        getState: () => window.stored,
        setState: (state: unknown) => {
          window.stored = state;
        },
      };
    },
    trap: (name: string) => window.trapped.push(name),
  });
  document.addEventListener("DOMContentLoaded", () => {
    document.body.className = given.bodyClass;
    for (const [name, value] of Object.entries(given.variables)) {
      document.documentElement.style.setProperty(name, value);
    }
  });
}
