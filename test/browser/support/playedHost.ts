/**
 * A simulated host for the composer: it applies changes to the open conversation and accepts each message once. Messages
 * in both directions stay in transit until the test delivers them.
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

/** One page, its host and the messages in transit between them. */
export class PlayedHost {
  store: Store;
  /** Composers by conversation, as received by the host. */
  readonly composers = new Map<string, ComposerDocument>();
  /** Texts of accepted messages, in order. */
  readonly sent: string[] = [];
  /** Id of the open conversation; "" if none is open. */
  open = "";
  readonly #toHost: ToHost[] = [];
  readonly #toView: ToView[] = [];
  #contains = 0;
  #closed: readonly ClosedComposer[] = [];
  #seq = 0;
  /** The page's persisted state. */
  #left: unknown;

  constructor() {
    this.store = this.#newPage();
  }

  /** Replaces the page by a new one. Delivers the messages in transit first, unless `isQuick`. */
  reload(isQuick = false): void {
    if (isQuick) this.#toView.length = 0;
    else {
      this.snapshot();
      this.arrive();
    }
    this.store = this.#newPage();
  }

  get text(): string {
    return this.store.composer.peek().text;
  }

  draftOf(conversationId: string): string | undefined {
    return this.composers.get(conversationId)?.text;
  }

  /** Whether the page waits for the host's reply to a sent message. */
  get isSending(): boolean {
    return this.store.composer.peek().sending.length > 0;
  }

  /** Posts a snapshot. */
  snapshot(): void {
    const { open: conversationId } = this;
    const shown = view([], { conversationId, composer: this.#composer });
    this.#say({ kind: "snapshot", view: shown, contains: this.#contains, closed: this.#closed });
  }

  /** Accepts the pending message, closes the open conversation and opens another. */
  switchTo(conversationId: string): void {
    this.decide(true);
    if (this.open !== "")
      this.#closed = [...this.#closed, { conversationId: this.open, operations: this.#composer.operations }];
    this.open = "";
    this.snapshot();
    this.open = conversationId;
    this.snapshot();
  }

  /** Appends a text to the composer, as the host. */
  put(added: string): void {
    const { text, operations, revision } = this.#composer;
    const operation = { kind: "added", text: added, revision: revision + 1 } as const;
    this.#change({ text: withAdded(text, added), operations: [...operations, operation] });
  }

  /** Accepts or refuses the message that has arrived. */
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

  /** Delivers the oldest message to the host. Returns false if there was none. */
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

  /** Delivers the oldest message to the page. Returns false if there was none. */
  tell(): boolean {
    const message = this.#toView.shift();
    if (message !== undefined) this.store.accept(message);
    return message !== undefined;
  }

  /** Drops the oldest message to the page. */
  lose(): void {
    this.#toView.shift();
  }

  /** Delivers all messages in transit. */
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
