/**
 * Pages of the chat that show one conversation, each with its real store, and the host's real part in what their composers
 * say. What they say to each other arrives when the test says so.
 */

import { composeIn, type ComposePlace } from "./composed.ts";
import type { ChatSurface } from "../../../src/host/view/chatSurface.ts";
import type { ChatViews } from "../../../src/host/view/chatViews.ts";
import type { ToHost } from "../../../src/protocol/toHost.ts";
import type { ToView, ToViewBody } from "../../../src/protocol/toView.ts";
import { Store } from "../../../src/webview/state/store.ts";
import { view } from "../../browser/support/viewBuilders.ts";
import { ManualClock } from "../clocks.ts";
import { withQuestions } from "../editor/fakeQuestions.ts";
import { memoryDisk, type MemoryDisk } from "../storage/memoryStore.ts";
import { openSession, type OpenedSession } from "./openSession.ts";
import { saying, scriptedProvider } from "../models/scriptedProvider.ts";

/** So many questions are answered. */
const MOST_QUESTIONS = 100;

const provider = () => scriptedProvider(...Array.from({ length: MOST_QUESTIONS }, () => saying("yes")));

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
    this.store?.requestSnapshot();
  }

  /** The host hears the oldest message of the page; answers whether there was one. */
  hear(): boolean {
    const message = this.toHost.shift();
    if (message !== undefined) this.#hear(message);
    return message !== undefined;
  }

  /** The editor ends, and nothing arrives any more of what was on its way; what the page left is there. */
  crash(): void {
    this.store = undefined;
    this.toHost.length = 0;
    this.toView.length = 0;
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
  pages: readonly PlayedPage[] = [];
  /** What the messages that come wait for, as for a file that is being read. */
  added: Promise<void> = Promise.resolve();
  /** The conversations that were opened so far, by their number, as they are on the disk. */
  readonly disks: MemoryDisk[] = [];
  /** Whether each conversation begins with a question. */
  readonly hasQuestion: boolean;
  readonly #sending = new Set<Promise<void>>();
  readonly #Views: typeof ChatViews;
  #views: ChatViews | undefined;
  #opened: OpenedSession | undefined;
  #isOpen = false;
  #nowMs = 1_000_000;
  readonly #clock = { nowMs: () => (this.#nowMs += 10), after: () => () => undefined };

  private constructor(Views: typeof ChatViews, hasQuestion: boolean) {
    this.#Views = Views;
    this.hasQuestion = hasQuestion;
  }

  /** Opens a conversation in two pages. */
  static async open(hasQuestion = false): Promise<PlayedPages> {
    const { ChatViews: Views } = await withQuestions(() => import("../../../src/host/view/chatViews.ts"));
    const played = new PlayedPages(Views, hasQuestion);
    await played.#open(0);
    played.#showPages([new PlayedPage(), new PlayedPage()]);
    played.arrive();
    return played;
  }

  /** The conversation that is open, or was open last. */
  get opened(): OpenedSession {
    if (this.#opened === undefined) throw new Error("none was opened");
    return this.#opened;
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

  /** Closes what is open when all that is sent is decided, and opens conversation `number`, which may be new. */
  async switchTo(number: number): Promise<void> {
    for (const page of this.pages) if (page.store === undefined) while (page.hear()); // the user's hands take longer
    await Promise.all(this.#sending);
    await this.opened.session.shutDown();
    this.#isOpen = false;
    this.#views?.refresh();
    await this.#open(number);
    this.#views?.refresh();
  }

  /** The editor ends, and begins again with what the host has heard, and what the pages have left. */
  async crash(): Promise<void> {
    // What a page that is in sight has said is lost.
    for (const page of this.pages) while (page.store === undefined ? page.hear() : page.tell());
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    const number = this.disks.indexOf(this.opened.disk);
    this.disks[number] = structuredClone(this.opened.disk);
    this.#views = undefined;
    for (const page of this.pages) page.crash();
    await this.#open(number);
    this.#showPages(this.pages);
    this.arrive();
  }

  async #open(number: number): Promise<void> {
    const disk = (this.disks[number] ??= memoryDisk());
    const tell = (body: ToViewBody): void => {
      this.#views?.post(body);
    };
    this.#opened = await openSession(provider(), disk, tell, { number: number + 1, clock: this.#clock });
    if (this.hasQuestion && this.opened.rows().length === 0) await this.opened.session.sending.sendExternal("First?");
    this.#isOpen = true;
  }

  #showPages(pages: readonly PlayedPage[]): void {
    const dist: unknown = { fsPath: "/dist" };
    const views = new this.#Views(dist as ConstructorParameters<typeof ChatViews>[0], new ManualClock());
    views.connect({
      snapshot: () => this.#snapshot(),
      handle: (message) => {
        this.#handle(message);
      },
      reject: (fault) => {
        throw new Error(fault);
      },
    });
    this.#views = views;
    this.pages = pages;
    for (const page of pages) {
      views.add(page.surface);
      page.show(true);
    }
  }

  #snapshot(): ReturnType<typeof view> {
    if (!this.#isOpen) return view([], { conversationId: "" });
    const { session, rows } = this.opened;
    return view([...rows()], { conversationId: session.opened.id, composer: session.composer.document });
  }

  #handle(message: ToHost): void {
    if (message.kind !== "compose") return;
    const place: ComposePlace = {
      session: this.#isOpen ? this.opened.session : undefined,
      world: {
        attaching: { added: () => this.added },
        presenter: { showDraftTokens: () => undefined, dropNote: () => undefined },
      },
    };
    const done = composeIn(message, place);
    this.#sending.add(done);
    void done.then(() => this.#sending.delete(done));
  }
}
