/** What stands in the composer, stored at each change. Where nothing can be stored, it is for the conversation opened next. */

import type { ForgeError } from "../../../core/errors.ts";
import { ok, type Result } from "../../../core/result.ts";
import type { JournalWrite } from "../../../core/store/conversationStore.ts";
import {
  type ComposedText,
  type ComposerChange,
  type ComposerDocument,
  type SentMessage,
  type TextOperation,
  withAdded,
  withoutSent,
  withTextAlong,
  withTextChange,
} from "../../../protocol/composerDocument.ts";
import type { OpenConversation } from "../../opening/openConversation.ts";
import type { SessionModel } from "../sessionModel.ts";
import type { SessionServices } from "../sessionServices.ts";

/** A change of the text by a page is on its way for milliseconds: it was typed before no more operations than these. */
const MOST_OPERATIONS = 5;

/** The text of one conversation's composer, and what of it is being sent. */
export class ComposerText {
  readonly #opened: OpenConversation;
  readonly #model: SessionModel;
  readonly #services: SessionServices;
  readonly #openedRevision: number;
  #revision: number;
  #composed: ComposedText;
  #isTextStored = true;
  /** Messages that pages have sent, also those that are decided. */
  readonly #received = new Set<string>();

  constructor(opened: OpenConversation, model: SessionModel, services: SessionServices) {
    this.#opened = opened;
    this.#model = model;
    this.#services = services;
    this.#openedRevision = services.clock.nowMs(); // greater than any that it had when it was open before
    this.#revision = this.#openedRevision;
    this.#composed = { text: opened.store.shape.draft, sending: [], operations: [] };
  }

  /** All of it, as pages know it. */
  get composed(): ComposedText & Pick<ComposerDocument, "revision"> {
    return { revision: this.#revision, ...this.#composed };
  }

  /** What stands in it, as far as the host was told. */
  get text(): string {
    return this.#composed.text;
  }

  /** The same where it could not be stored: closing would lose it. Else empty. */
  get unstoredText(): string {
    return this.#isTextStored ? "" : this.text;
  }

  /** Applies what a page typed or sent, at once; resolves when it is stored, or could not be, which is shown. */
  async compose(change: Extract<ComposerChange, { kind: "text" | "send" }>): Promise<void> {
    // Typed before the conversation was closed and opened again: a page that knows of that has the text, and sends it.
    if (change.base < this.#openedRevision) await this.setText(withTextAlong(this.text, change.text));
    else await this.#setComposed(this.#afterChange(change));
  }

  /** Puts another text in its place. */
  async setText(text: string): Promise<void> {
    if (text !== this.text) await this.#setComposed({ ...this.#composed, text });
  }

  /** Puts something at the end of what was typed, in whichever page and also where that is still on its way. */
  async addText(added: string): Promise<void> {
    await this.#setComposed(this.#afterOperation({ kind: "added", text: added }));
  }

  /** The message that is being sent so; `undefined` when it is not, or no longer. */
  messageOf(sendId: string): SentMessage | undefined {
    return this.#composed.sending.find((message) => message.sendId === sendId);
  }

  /** Has it hold a message that no page has told. It is not stored: the message is about to be. */
  hold(message: SentMessage): void {
    this.#composed = this.#afterChange({ kind: "send", base: this.#revision, ...message });
    this.tell(this.#composed);
  }

  /**
   * Has `store` make a message durable, with the write that takes its text out of the draft. What else was typed stays, in
   * whichever page, also while it is being stored; when that fails, all of it.
   */
  async take<T>(
    message: SentMessage,
    sent: "now" | "queued",
    store: (rest: JournalWrite) => Promise<Result<T, ForgeError>>,
  ): Promise<Result<T, ForgeError>> {
    let rest = withoutSent(this.text, message.text);
    const stored = await store({ kind: "draft", text: rest });
    if (!stored.ok) return stored;
    this.#isTextStored = true;
    const typed = withoutSent(this.text, message.text);
    if (typed !== rest) await this.#storeText((rest = typed)); // while it was being stored, with the message before it
    const composed = this.#afterOperation({ kind: "taken", text: message.text });
    this.#composed = { ...composed, sending: without(message, composed.sending) };
    if (this.text !== rest) this.#storeText(this.text).catch(this.#services.reportBug);
    this.tell(this.#composed, sent);
    return stored;
  }

  /** The message is not sent: its text stays. */
  refuse(sendId: string): void {
    const sending = without({ sendId }, this.#composed.sending);
    this.#composed = { ...this.#composed, sending };
    this.tell({ sending });
  }

  /** Tells every page what changed, and that it was because a message was sent. */
  tell(changed: Partial<ComposerDocument>, sent?: "now" | "queued"): void {
    this.#revision += 1;
    this.#services.view.post({
      kind: "composer",
      conversationId: this.#opened.id,
      changed: { ...changed, revision: this.#revision },
      ...(sent === undefined ? {} : { sent }),
    });
  }

  async #setComposed(composed: ComposedText): Promise<void> {
    const { text, sending, operations } = this.#composed;
    this.#composed = composed;
    // Also where nothing changed: the page that said it is told that it arrived.
    this.tell({
      ...(composed.text === text ? {} : { text: composed.text }),
      ...(composed.sending === sending ? {} : { sending: composed.sending }),
      ...(composed.operations === operations ? {} : { operations: composed.operations }),
    });
    if (composed.text !== text) await this.#storeText(composed.text);
  }

  /** A message is received once, however often it is said. */
  #afterChange(change: Extract<ComposerChange, { kind: "text" | "send" }>): ComposedText {
    if (change.kind === "send") {
      if (this.#received.has(change.sendId)) return this.#composed;
      this.#received.add(change.sendId);
    }
    return withTextChange(this.#composed, change);
  }

  #afterOperation(operation: Omit<TextOperation, "revision">): ComposedText {
    const { text, sending, operations } = this.#composed;
    const apply = (to: string): string =>
      operation.kind === "taken" ? withoutSent(to, operation.text) : withAdded(to, operation.text);
    return {
      text: apply(text),
      // One that another page sent at the same moment held the same text.
      sending:
        operation.kind === "taken" ? sending.map((message) => ({ ...message, text: apply(message.text) })) : sending,
      operations: [...operations, { ...operation, revision: this.#revision + 1 }].slice(-MOST_OPERATIONS),
    };
  }

  /** Where nothing can be stored, the text is for the conversation that is opened next. */
  async #storeText(text: string): Promise<void> {
    const { store } = this.#opened;
    const isReadOnly = store.shape.readOnly === true;
    const stored = isReadOnly ? ok(undefined) : await store.commit([{ kind: "draft", text }]);
    this.#isTextStored = stored.ok && (!isReadOnly || text === store.shape.draft);
    if (!stored.ok) this.#model.showFailure(stored.error);
  }
}

function without({ sendId }: Pick<SentMessage, "sendId">, messages: readonly SentMessage[]): readonly SentMessage[] {
  return messages.filter((message) => message.sendId !== sendId);
}
