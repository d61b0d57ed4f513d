/**
 * Pages that show one conversation, each with its real store, and the host's real composer code. Messages in both
 * directions are in transit until the test delivers them.
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

/** Number of scripted answers. */
const MOST_QUESTIONS = 100;

const provider = () => scriptedProvider(...Array.from({ length: MOST_QUESTIONS }, () => saying("yes")));

/** A side bar or tab, with a page while it is visible. */
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

  /** Creates or destroys the page. Messages in transit to a destroyed page are lost. */
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

  /** Delivers the page's oldest message to the host. Returns false if there was none. */
  hear(): boolean {
    const message = this.toHost.shift();
    if (message !== undefined) this.#hear(message);
    return message !== undefined;
  }

  /** Drops the page and all messages in transit. The page's saved state remains. */
  crash(): void {
    this.store = undefined;
    this.toHost.length = 0;
    this.toView.length = 0;
  }

  /** Delivers the host's oldest message to the page. Returns false if there was none. */
  tell(): boolean {
    const message = this.toView.shift();
    if (message !== undefined) this.store?.accept(message);
    return message !== undefined;
  }
}

/** The pages and their host. */
export class PlayedPages {
  pages: readonly PlayedPage[] = [];
  /** Delays incoming messages, as reading an attached file does. */
  added: Promise<void> = Promise.resolve();
  /** Disks of the conversations by number. */
  readonly disks: MemoryDisk[] = [];
  /** Whether each conversation starts with a question. */
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

  /** Opens a conversation with two pages. */
  static async open(hasQuestion = false): Promise<PlayedPages> {
    const { ChatViews: Views } = await withQuestions(() => import("../../../src/host/view/chatViews.ts"));
    const played = new PlayedPages(Views, hasQuestion);
    await played.#open(0);
    played.#showPages([new PlayedPage(), new PlayedPage()]);
    played.arrive();
    return played;
  }

  /** The conversation opened last. */
  get opened(): OpenedSession {
    if (this.#opened === undefined) throw new Error("none was opened");
    return this.#opened;
  }

  /** Text of each composer; null for a hidden page. */
  get texts(): readonly (string | null)[] {
    return this.pages.map(({ store }) => store?.composer.peek().text ?? null);
  }

  /** Texts of sent messages, in order. */
  get sent(): readonly string[] {
    return this.opened.rows().flatMap((row) => (row.kind === "message" && row.role === "user" ? [row.text] : []));
  }

  /** Delivers all messages in transit. */
  arrive(): void {
    while (this.pages.some((page) => page.hear() || page.tell()));
  }

  /** Delivers all messages until every sent one is answered. */
  async settle(): Promise<void> {
    do {
      this.arrive();
      await Promise.all(this.#sending);
      await new Promise(setImmediate);
    } while (this.#sending.size > 0 || this.pages.some(({ toHost, toView }) => toHost.length + toView.length > 0));
  }

  /** Closes the open conversation once sent messages are settled, and opens conversation `number`, which may be new. */
  async switchTo(number: number): Promise<void> {
    for (const page of this.pages) if (page.store === undefined) while (page.hear()); // faster than a user can switch
    await Promise.all(this.#sending);
    await this.opened.session.shutDown();
    this.#isOpen = false;
    this.#views?.refresh();
    await this.#open(number);
    this.#views?.refresh();
  }

  /** Restarts the editor with the host's received messages and the pages' saved states. */
  async crash(): Promise<void> {
    // Messages of a visible page are lost.
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
    const views = new this.#Views(dist as ConstructorParameters<typeof ChatViews>[0], new ManualClock(), {
      setBadge: () => undefined,
    });
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
