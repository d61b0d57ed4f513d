/**
 * The host's part in what the composer says, played as it is done: drafts and messages are for the conversation that is
 * open, a message is taken once, and what both sides say is on its way for as long as the test likes.
 */
import type { ToHost } from "../../../src/protocol/toHost.ts";
import { restOfDraft, type SendAnswer } from "../../../src/protocol/sendAnswer.ts";
import type { ToView, ToViewBody } from "../../../src/protocol/toView.ts";
import { Store } from "../../../src/webview/store.ts";
import { view } from "./viewBuilders.ts";

/** One page and its host, with all that is on its way between them. */
export class PlayedHost {
  store: Store;
  /** Of each conversation what its composer holds, as far as the host heard. */
  readonly drafts = new Map<string, string>();
  /** What was sent, in its order. */
  readonly sent: string[] = [];
  /** The open conversation; empty while there is none. */
  open = "";
  readonly #toHost: ToHost[] = [];
  readonly #toView: ToView[] = [];
  readonly #taken = new Map<string, string>();
  readonly #refused = new Set<string>();
  #answered: readonly SendAnswer[] = [];
  #undecided: { readonly sendId: string; readonly text: string } | undefined;
  #heard = 0;
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

  /** Sends everything anew. */
  snapshot(): void {
    this.#say({
      kind: "snapshot",
      view: view([], { conversationId: this.open, draft: this.drafts.get(this.open) ?? "" }),
      answered: this.#answered,
      ...(this.#undecided === undefined ? {} : { sending: this.#undecided }),
    });
  }

  /** Closes what is open, and opens another conversation; what the user sent before is decided first. */
  switchTo(conversationId: string): void {
    this.decide(true);
    this.open = "";
    this.snapshot();
    this.open = conversationId;
    this.snapshot();
  }

  /** Puts a text into the composer, behind what stands there. */
  put(added: string): void {
    const text = `${this.drafts.get(this.open) ?? ""}${added}`;
    this.drafts.set(this.open, text);
    this.#say({ kind: "draft", text, added });
  }

  /** Takes the message that has come, or refuses it. */
  decide(isTaken: boolean): void {
    const message = this.#undecided;
    if (message === undefined) return;
    this.#undecided = undefined;
    if (isTaken) {
      this.#taken.set(message.sendId, message.text);
      this.sent.push(message.text);
      this.drafts.set(this.open, restOfDraft(this.drafts.get(this.open) ?? "", message.text));
    } else {
      this.#refused.add(message.sendId);
    }
    this.#say({ kind: isTaken ? "sendTaken" : "sendRefused", sendId: message.sendId });
    if (isTaken) this.#say({ kind: "draft", text: this.drafts.get(this.open) ?? "" });
  }

  /** Hears the oldest message of the page; answers whether there was one. */
  hear(): boolean {
    const message = this.#toHost.shift();
    if (message === undefined) return false;
    const isTyped = message.kind === "draft" || message.kind === "send";
    if (isTyped && message.conversationId === this.open) this.#heard = message.said;
    if (message.kind === "ready") {
      this.#heard = Math.min(this.#heard, message.said);
      this.snapshot();
    } else if (message.kind === "draft" && message.conversationId === this.open) {
      const taken = this.#taken.get(message.behind ?? "");
      this.drafts.set(this.open, taken === undefined ? message.text : restOfDraft(message.text, taken));
    } else if (message.kind === "send") {
      const { sendId, text } = message;
      if (message.conversationId !== this.open || this.#refused.has(sendId)) this.#say({ kind: "sendRefused", sendId });
      else if (this.#taken.has(sendId)) this.#say({ kind: "sendTaken", sendId });
      else if (this.#undecided === undefined) {
        this.#undecided = { sendId, text };
        if (!(this.drafts.get(this.open) ?? "").startsWith(text)) this.drafts.set(this.open, text);
      }
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
    store.ready();
    return store;
  }

  #say(body: ToViewBody): void {
    if (body.kind === "sendTaken" || body.kind === "sendRefused") this.#answered = [...this.#answered, body];
    this.#toView.push({ seq: this.#seq++, heard: this.#heard, ...body });
  }
}
