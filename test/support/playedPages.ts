/**
 * Pages of the chat that show one conversation, each with its real store, and the host's real part in what their composers
 * say. What they say to each other arrives when the test says so.
 */

import { keepDraft, sendMessage, type ComposingPlace } from "../../src/host/chat/composing.ts";
import type { ChatSurface } from "../../src/host/view/chatSurface.ts";
import type { ChatViews } from "../../src/host/view/chatViews.ts";
import type { WaysToViews } from "../../src/host/view/chatView.ts";
import type { ToHost } from "../../src/protocol/toHost.ts";
import type { ToView } from "../../src/protocol/toView.ts";
import { Store } from "../../src/webview/store.ts";
import { view } from "../webview/support/viewBuilders.ts";
import { ManualClock } from "./clocks.ts";
import { withQuestions } from "./fakeQuestions.ts";
import { openSession, type OpenedSession } from "./openSession.ts";
import { saying, scriptedProvider } from "./scriptedProvider.ts";

/** So many questions are answered. */
const MOST_QUESTIONS = 100;

/** A place in which the page stands while that is in sight. */
class PlayedPage {
  store: Store | undefined;
  readonly toHost: ToHost[] = [];
  readonly toView: ToView[] = [];
  readonly surface: ChatSurface;
  #hear: (message: ToHost) => void = () => undefined;
  #seen: () => void = () => undefined;
  #left: unknown;

  constructor() {
    const surface: unknown = {
      webview: {
        asWebviewUri: (uri: object) => uri,
        postMessage: (message: ToView) => Promise.resolve(this.toView.push(message) > 0),
        onDidReceiveMessage: (listener: (message: ToHost) => void) => {
          this.#hear = listener;
          return { dispose: () => undefined };
        },
      },
      isVisible: () => this.store !== undefined,
      onVisibility: (listener: () => void) => {
        const before = this.#seen;
        this.#seen = () => {
          before();
          listener();
        };
      },
      ...Object.fromEntries(["show", "setTitle", "setBadge", "onDispose"].map((name) => [name, () => undefined])),
    };
    this.surface = surface as ChatSurface;
  }

  /** The editor makes the page, or destroys it: then what was on its way to it is lost. */
  show(isSeen: boolean): void {
    if (isSeen === (this.store !== undefined)) return;
    this.store?.postDraft();
    const host = {
      postMessage: (message: ToHost) => void this.toHost.push(message),
      getState: () => this.#left,
      setState: (left: unknown) => (this.#left = left),
    };
    this.store = isSeen
      ? new Store(host, (draw) => {
          draw();
        })
      : undefined;
    this.toView.length = 0;
    this.#seen();
    this.store?.ready();
  }

  /** The host hears the oldest message of the page; answers whether there was one. */
  hear(): boolean {
    const message = this.toHost.shift();
    if (message !== undefined) this.#hear(message);
    return message !== undefined;
  }

  /** The page hears the oldest message of the host; answers whether there was one. */
  tell(): boolean {
    const message = this.toView.shift();
    if (message !== undefined) this.store?.accept(message);
    return message !== undefined;
  }
}

/** The pages, and what stands behind them. */
export class PlayedPages {
  readonly opened: OpenedSession;
  readonly pages: readonly PlayedPage[];
  /** What the messages that come wait for, as for a file that is being read. */
  added: Promise<void> = Promise.resolve();
  readonly #sending = new Set<Promise<void>>();

  private constructor(opened: OpenedSession, pages: readonly PlayedPage[]) {
    this.opened = opened;
    this.pages = pages;
  }

  /** Opens an empty conversation in two pages. */
  static async open(): Promise<PlayedPages> {
    const { ChatViews: Views } = await withQuestions(() => import("../../src/host/view/chatViews.ts"));
    const dist: unknown = { fsPath: "/dist" };
    const views: ChatViews = new Views(dist as ConstructorParameters<typeof Views>[0], new ManualClock());
    const answers = Array.from({ length: MOST_QUESTIONS }, () => saying("yes"));
    const opened = await openSession(scriptedProvider(...answers), undefined, (body) => {
      views.post(body);
    });
    const played: PlayedPages = new PlayedPages(opened, [new PlayedPage(), new PlayedPage()]);
    views.connect({
      snapshot: () => played.#snapshot(),
      handle: (message, ways) => {
        played.#handle(message, ways, views);
      },
      reject: (fault) => {
        throw new Error(fault);
      },
    });
    for (const page of played.pages) {
      views.add(page.surface);
      page.show(true);
    }
    played.arrive();
    return played;
  }

  /** What each composer holds; null where the page is not in sight. */
  get texts(): readonly (string | null)[] {
    return this.pages.map(({ store }) => store?.composer.peek().text ?? null);
  }

  /** What was sent, in its order. */
  get sent(): readonly string[] {
    return this.opened.rows().flatMap((row) => (row.kind === "message" && row.role === "user" ? [row.text] : []));
  }

  /** Lets everything arrive that is on its way. */
  arrive(): void {
    while (this.pages.some((page) => page.hear() || page.tell()));
  }

  /** Lets everything arrive, until all that was sent is answered. */
  async settle(): Promise<void> {
    do {
      this.arrive();
      await Promise.all(this.#sending);
      await new Promise(setImmediate);
    } while (this.#sending.size > 0 || this.pages.some(({ toHost, toView }) => toHost.length + toView.length > 0));
  }

  #snapshot(): ReturnType<typeof view> {
    const { session, rows } = this.opened;
    return view([...rows()], { conversationId: session.opened.id, draft: session.draft });
  }

  #handle(message: ToHost, { tellOthers }: WaysToViews, views: ChatViews): void {
    const place: ComposingPlace = {
      session: this.opened.session,
      world: {
        attaching: { added: () => this.added },
        presenter: { showDraftTokens: () => undefined },
        emit: (body) => {
          views.post(body);
        },
      },
      tellOthers,
    };
    if (message.kind !== "draft" && message.kind !== "send") return;
    const done = message.kind === "draft" ? keepDraft(message, place) : sendMessage(message, place);
    this.#sending.add(done);
    void done.then(() => this.#sending.delete(done));
  }
}
