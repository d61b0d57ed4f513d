/** The webview in a real browser, with the test as its host. */
import type { Browser, Locator, Page } from "playwright-core";
import {
  type EditView,
  emptyDocument,
  type SentMessage,
  withChange,
  withEditSent,
  withoutSent,
} from "../../../src/protocol/composerDocument.ts";
import type { ToHost, ComposerChange, EditChange } from "../../../src/protocol/toHost.ts";
import type { ToView, ToViewBody, ViewState } from "../../../src/protocol/toView.ts";
import themes from "../themes.json" with { type: "json" };
import { composer } from "./viewBuilders.ts";
import type { WebviewServer } from "./webviewServer.ts";

export type ThemeName = keyof typeof themes;
export const themeNames: readonly ThemeName[] = ["dark", "light", "hcDark", "hcLight"];

export interface PageOptions {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  /** Result of `getState`: the state of an earlier, destroyed view. */
  readonly stored?: unknown;
}

declare global {
  interface Window {
    /** Messages of the page to the host. */
    posted: ToHost[];
    stored: unknown;
    /** Names of traps fired by hostile content that ran. */
    trapped: string[];
  }
}

export class WebviewPage {
  readonly page: Page;
  /** Script errors and content security policy violations. */
  readonly problems: string[] = [];
  #seq = 0;
  /** The host's composer, and the number of the page's last change that it contains. */
  #document = emptyDocument;
  #contains = 0;
  #conversationId = "";

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

  /** Posts messages as a host that has received all composer changes of the page. */
  async say(...messages: readonly ToViewBody[]): Promise<void> {
    await this.sayAfter(Infinity, ...messages);
  }

  /** Posts messages as a host that has received composer changes up to number `last` only. */
  async sayAfter(last: number, ...messages: readonly ToViewBody[]): Promise<void> {
    for (const message of await this.posted())
      if (message.kind === "compose" && message.number <= last) this.#hear(message);
    const numbered: readonly ToView[] = messages.map((message) => ({ seq: this.#seq++, ...this.#composed(message) }));
    await this.page.evaluate((list) => {
      for (const message of list) window.postMessage(message, "*");
    }, numbered);
  }

  async show(view: ViewState): Promise<void> {
    await this.say({ kind: "snapshot", view });
    await this.settle();
  }

  /** Accepts the oldest sent message, as the host does. */
  async take(sent: "now" | "queued" = "now", ...others: readonly ToViewBody[]): Promise<void> {
    await this.say(); // receives the message
    const { text, sending, operations, revision } = this.#document;
    const [message] = sending;
    if (message === undefined) throw new Error("nothing was sent");
    const taken = { kind: "taken", text: message.text, revision: revision + 1 } as const;
    const rest = { text: withoutSent(text, message.text), sending: sending.slice(1) };
    await this.say(composer({ ...rest, operations: [...operations, taken] }, sent), ...others);
  }

  async refuse(): Promise<void> {
    await this.say();
    const edits = this.#document.edits.reduce<readonly EditView[]>(
      (all, edit) => withEditSent(all, edit, undefined),
      this.#document.edits,
    );
    await this.say(composer({ sending: [], edits }));
  }

  /** Composer changes posted by the page, oldest first. */
  async changes(): Promise<readonly ComposerChange[]> {
    return (await this.posted()).flatMap((message) => (message.kind === "compose" ? [message.change] : []));
  }

  /** Composer texts posted by the page, oldest first. */
  async drafts(): Promise<readonly string[]> {
    return (await this.changes()).flatMap((change) => (change.kind === "text" ? [change.text] : []));
  }

  /** Sent messages, oldest first. */
  async sent(): Promise<readonly SentMessage[]> {
    return (await this.changes()).filter((change) => change.kind === "send");
  }

  /** Posted edits of messages and summaries, oldest first. */
  async edits(): Promise<readonly EditChange[]> {
    return (await this.changes()).flatMap((change) => (change.kind === "edit" ? [change.edit] : []));
  }

  /** Skips a sequence number, as if a message had been lost. */
  loseOne(): void {
    this.#seq++;
  }

  /** Waits until all posted messages are drawn. */
  async settle(): Promise<void> {
    await this.page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 20)));
        }),
    );
  }

  #hear({ conversationId, number, change }: Extract<ToHost, { kind: "compose" }>): void {
    if (conversationId !== this.#conversationId || number <= this.#contains) return;
    this.#contains = number;
    this.#document = { ...withChange(this.#document, change), revision: this.#document.revision + 1 };
  }

  /** Updates the host's composer by a message about it. */
  #composed(body: ToViewBody): ToViewBody {
    const revision = this.#document.revision + 1;
    if (body.kind === "snapshot") {
      this.#conversationId = body.view.conversationId;
      this.#document = { ...body.view.composer, revision };
      return { ...body, view: { ...body.view, composer: this.#document }, contains: this.#contains };
    }
    if (body.kind !== "composer") return body;
    const operations = (body.changed.operations ?? this.#document.operations).map((each) =>
      each.revision === 0 ? { ...each, revision } : each,
    );
    this.#document = { ...this.#document, ...body.changed, operations, revision };
    return { ...body, changed: this.#document, contains: this.#contains };
  }

  posted(): Promise<ToHost[]> {
    return this.page.evaluate(() => window.posted);
  }

  /** Waits for a posted message with at least these fields. */
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

  get composer(): Locator {
    return this.page.getByRole("textbox", { name: "Message Forge" });
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}

/** Runs in the page before its scripts: the editor's API for webviews. */
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
