/**
 * The host's part in what the composer says, played as it is done: changes are for the conversation that is open, a message
 * is taken once, and what both sides say is on its way for as long as the test likes.
 */
import {
  type ComposerDocument,
  emptyDocument,
  type SentMessage,
  withAdded,
  withChange,
  withoutSent,
} from "../../../src/protocol/composerDocument.ts";
import type { ToHost } from "../../../src/protocol/toHost.ts";
import type { ClosedComposer, ToView, ToViewBody } from "../../../src/protocol/toView.ts";
import { Store } from "../../../src/webview/state/store.ts";
import { view } from "./viewBuilders.ts";

/** One page and its host, with all that is on its way between them. */
export class PlayedHost {
  store: Store;
  /** The composers of conversations, as far as the host heard. */
  readonly composers = new Map<string, ComposerDocument>();
  /** What was sent, in its order. */
  readonly sent: string[] = [];
  /** The open conversation; empty while there is none. */
  open = "";
  readonly #toHost: ToHost[] = [];
  readonly #toView: ToView[] = [];
  #contains = 0;
  #closed: readonly ClosedComposer[] = [];
  #seq = 0;
  /** What the page leaves for a later life. */
  #left: unknown;

  constructor() {
    this.store = this.#newPage();
  }

  /** The editor destroys the page, which knows all and has said all unless `isQuick`, and makes another. */
  reload(isQuick = false): void {
    if (isQuick) this.#toView.length = 0;
    else {
      this.snapshot();
      this.arrive();
    }
    this.store = this.#newPage();
  }

  /** What the composer holds. */
  get text(): string {
    return this.store.composer.peek().text;
  }

  /** What the host has of the composer of a conversation. */
  draftOf(conversationId: string): string | undefined {
    return this.composers.get(conversationId)?.text;
  }

  /** Whether a message of the page is undecided, as far as that knows. */
  get isSending(): boolean {
    return this.store.composer.peek().sending.length > 0;
  }

  /** Sends everything anew. */
  snapshot(): void {
    const { open: conversationId } = this;
    const shown = view([], { conversationId, composer: this.#composer });
    this.#say({ kind: "snapshot", view: shown, contains: this.#contains, closed: this.#closed });
  }

  /** Closes what is open, and opens another conversation; what the user sent before is decided first. */
  switchTo(conversationId: string): void {
    this.decide(true);
    if (this.open !== "")
      this.#closed = [...this.#closed, { conversationId: this.open, operations: this.#composer.operations }];
    this.open = "";
    this.snapshot();
    this.open = conversationId;
    this.snapshot();
  }

  /** Puts a text into the composer, after what stands there. */
  put(added: string): void {
    const { text, operations, revision } = this.#composer;
    const operation = { kind: "added", text: added, revision: revision + 1 } as const;
    this.#change({ text: withAdded(text, added), operations: [...operations, operation] });
  }

  /** Takes the message that has arrived, or refuses it. */
  decide(isTaken: boolean): void {
    const { text, sending, operations, revision } = this.#composer;
    const [message] = sending;
    if (message === undefined) return;
    const others: readonly SentMessage[] = sending.slice(1);
    if (!isTaken) {
      this.#change({ sending: others });
      return;
    }
    this.sent.push(message.text);
    const operation = { kind: "taken", text: message.text, revision: revision + 1 } as const;
    this.#change(
      { text: withoutSent(text, message.text), sending: others, operations: [...operations, operation] },
      "now",
    );
  }

  /** Hears the oldest message of the page; answers whether there was one. */
  hear(): boolean {
    const message = this.#toHost.shift();
    if (message === undefined) return false;
    if (message.kind === "ready") {
      this.#contains = Math.min(this.#contains, message.changes);
      this.snapshot();
    } else if (message.kind === "compose" && message.conversationId === this.open && message.number > this.#contains) {
      this.#contains = message.number;
      this.#change(withChange(this.#composer, message.change));
    }
    return true;
  }

  /** The page gets the oldest message of the host; answers whether there was one. */
  tell(): boolean {
    const message = this.#toView.shift();
    if (message !== undefined) this.store.accept(message);
    return message !== undefined;
  }

  /** The oldest message to the page is lost. */
  lose(): void {
    this.#toView.shift();
  }

  /** Lets everything arrive that is on its way. */
  arrive(): void {
    while (this.hear() || this.tell());
  }

  get #composer(): ComposerDocument {
    return this.composers.get(this.open) ?? emptyDocument;
  }

  #change(fields: Partial<ComposerDocument>, sent?: "now"): void {
    const changed = { ...fields, revision: this.#composer.revision + 1 };
    this.composers.set(this.open, { ...this.#composer, ...changed });
    const { open: conversationId } = this;
    const isSent = sent === undefined ? {} : { sent };
    this.#say({ kind: "composer", conversationId, changed, contains: this.#contains, ...isSent });
  }

  #newPage(): Store {
    const host = {
      postMessage: (message: ToHost) => void this.#toHost.push(message),
      getState: () => this.#left,
      setState: (left: unknown) => {
        this.#left = left;
      },
    };
    const store = new Store(host, (draw) => {
      draw();
    });
    store.requestSnapshot();
    return store;
  }

  #say(body: ToViewBody): void {
    this.#toView.push({ seq: this.#seq++, ...body });
  }
}
