/** The text of the composer, stored at each change. Text that cannot be stored is for the conversation opened next. */

import type { ComposerChange } from "../../../protocol/toHost.ts";
import type { ForgeError } from "../../../core/errors.ts";
import { ok, type Result } from "../../../core/result.ts";
import type { JournalWrite } from "../../../core/store/conversationStore.ts";
import {
  type ComposedText,
  type ComposerDocument,
  type SentMessage,
  type TextOperation,
  withAdded,
  withoutSent,
  mergedText,
  withTextChange,
} from "../../../protocol/composerDocument.ts";
import type { OpenConversation } from "../../opening/openConversation.ts";
import type { SessionModel } from "../sessionModel.ts";
import type { SessionServices } from "../sessionServices.ts";

/** Operations retained. A page's change is on its way for milliseconds, so it was typed before no more than these. */
const MAX_OPERATIONS = 5;

export class ComposerText {
  readonly #opened: OpenConversation;
  readonly #model: SessionModel;
  readonly #services: SessionServices;
  readonly #openedRevision: number;
  #revision: number;
  #composed: ComposedText;
  #isTextStored = true;
  /** Send ids received from pages, including settled ones. */
  readonly #received = new Set<string>();

  constructor(opened: OpenConversation, model: SessionModel, services: SessionServices) {
    this.#opened = opened;
    this.#model = model;
    this.#services = services;
    this.#openedRevision = services.clock.nowMs(); // greater than any revision of an earlier opening
    this.#revision = this.#openedRevision;
    this.#composed = { text: opened.store.shape.draft, sending: [], operations: [] };
  }

  get composed(): ComposedText & Pick<ComposerDocument, "revision"> {
    return { revision: this.#revision, ...this.#composed };
  }

  get text(): string {
    return this.#composed.text;
  }

  /** The text if it could not be stored and closing would lose it; else empty. */
  get unstoredText(): string {
    return this.#isTextStored ? "" : this.text;
  }

  /** Applies a page's change or send at once; resolves when it is stored, or its failure is shown. */
  async compose(change: Extract<ComposerChange, { kind: "text" | "send" }>): Promise<void> {
    // Typed on a revision of an earlier opening, without the text stored since: both are joined.
    if (change.base < this.#openedRevision) await this.setText(mergedText(this.text, change.text));
    else await this.#setComposed(this.#afterChange(change));
  }

  async setText(text: string): Promise<void> {
    if (text !== this.text) await this.#setComposed({ ...this.#composed, text });
  }

  /** Appends to the text, in every page and also to text that is still on its way to the host. */
  async addText(added: string): Promise<void> {
    await this.#setComposed(this.#afterOperation({ kind: "added", text: added }));
  }

  /** `undefined` when no message is being sent under this id. */
  messageOf(sendId: string): SentMessage | undefined {
    return this.#composed.sending.find((message) => message.sendId === sendId);
  }

  /** Registers a message as being sent if no page did. The text is not stored: the message is about to be. */
  registerSending(message: SentMessage): void {
    this.#composed = this.#afterChange({ kind: "send", base: this.#revision, ...message });
    this.tell(this.#composed);
  }

  /**
   * Has `store` commit a message together with the draft that remains. Text typed meanwhile, in any page, is preserved;
   * on failure, all text is.
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
    if (typed !== rest) await this.#storeText((rest = typed)); // typed during the commit
    const composed = this.#afterOperation({ kind: "taken", text: message.text });
    this.#composed = { ...composed, sending: without(message, composed.sending) };
    if (this.text !== rest) this.#storeText(this.text).catch(this.#services.reportBug);
    this.tell(this.#composed, sent);
    return stored;
  }

  /** Rejects the message; its text stays in the composer. */
  refuse(sendId: string): void {
    const sending = without({ sendId }, this.#composed.sending);
    this.#composed = { ...this.#composed, sending };
    this.tell({ sending });
  }

  /** Posts a change to every page with the next revision; `sent`: it comes from a message that was sent. */
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
    // Also when nothing changed: it acknowledges the page's change.
    this.tell({
      ...(composed.text === text ? {} : { text: composed.text }),
      ...(composed.sending === sending ? {} : { sending: composed.sending }),
      ...(composed.operations === operations ? {} : { operations: composed.operations }),
    });
    if (composed.text !== text) await this.#storeText(composed.text);
  }

  /** A send id is accepted once. */
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
      // A message that another page sent at the same moment has the same text.
      sending:
        operation.kind === "taken" ? sending.map((message) => ({ ...message, text: apply(message.text) })) : sending,
      operations: [...operations, { ...operation, revision: this.#revision + 1 }].slice(-MAX_OPERATIONS),
    };
  }

  async #storeText(text: string): Promise<void> {
    const { store } = this.#opened;
    const isReadOnly = store.shape.readOnly !== undefined;
    const stored = isReadOnly ? ok(undefined) : await store.commit([{ kind: "draft", text }]);
    this.#isTextStored = stored.ok && (!isReadOnly || text === store.shape.draft);
    if (!stored.ok) this.#model.showFailure(stored.error);
  }
}

function without({ sendId }: Pick<SentMessage, "sendId">, messages: readonly SentMessage[]): readonly SentMessage[] {
  return messages.filter((message) => message.sendId !== sendId);
}
