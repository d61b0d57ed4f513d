/** Attachments of the message being typed: on disk until they are sent or removed. */

import type { ForgeError, StorageFailed } from "../../../core/errors.ts";
import { stepId, type StepId } from "../../../core/ids.ts";
import type { AddedPart } from "../../../core/journal/addedParts.ts";
import { PendingAttachments, type PendingAttachment } from "../../../core/journal/pendingAttachments.ts";
import type { JournalWrite } from "../../../core/store/conversationStore.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import { type AttachmentKind, type AttachmentView, MAX_ATTACHMENTS } from "../../../protocol/attachmentView.ts";
import { attachmentView } from "../../transcript/attachmentViews.ts";
import type { OpenConversation } from "../../opening/openConversation.ts";
import type { SessionModel } from "../sessionModel.ts";
import type { SessionServices } from "../sessionServices.ts";
import type { ComposerText } from "./composerText.ts";

/**
 * Why an attachment was rejected: the number or total size is too large, it could not be stored, or the conversation
 * was closed while it was read.
 */
export type AttachmentRejection = "tooMany" | "tooLarge" | "closed" | StorageFailed;

/** Total limit in bytes: each is written to disk when added, and all are read when the conversation opens. */
const MAX_TOTAL_BYTES = 25_000_000;

/** Kinds of which several may share a label: files from two folders outside of the workspace, or two terminals. */
const NAMED_ALIKE: readonly AttachmentKind[] = ["file", "pasted", "symbol", "terminal"];

/** Longest wait for pending additions on closing: a disk may hang. */
const ADDING_TIMEOUT_MS = 5_000;

export class ComposerAttachments {
  readonly #composer: Pick<ComposerText, "tell">;
  readonly #model: SessionModel;
  readonly #services: SessionServices;
  readonly #waiting: PendingAttachments;
  readonly #adding = new Set<Promise<unknown>>();
  /** Send ids of messages that wait for attachments being added. */
  readonly #messages = new Set<string>();
  /** Attachments added after such messages were sent, with the send ids of those: they go with a later message. */
  readonly #after = new Map<StepId, ReadonlySet<string>>();
  #isClosed = false;

  constructor(
    composer: Pick<ComposerText, "tell">,
    { store }: OpenConversation,
    model: SessionModel,
    services: SessionServices,
  ) {
    this.#composer = composer;
    this.#model = model;
    this.#services = services;
    this.#waiting = new PendingAttachments(store, services.clock, store.shape.journal);
  }

  /** Attachments of the next message, in the order of addition. */
  get parts(): readonly AddedPart[] {
    return this.#waiting.items.map(({ part }) => part);
  }

  get view(): readonly AttachmentView[] {
    return this.#waiting.items.flatMap(({ addedId, part, tokens }) => attachmentView(part, addedId, tokens) ?? []);
  }

  part(attachmentId: string): AddedPart | undefined {
    return this.#waiting.items.find(({ addedId }) => addedId === attachmentId)?.part;
  }

  /** Tokens of all attachments, as counted on addition, without the framing of a message. */
  async tokens(): Promise<number> {
    if (this.#waiting.items.length === 0) return 0;
    const framing = await this.#model.tokensOf({ role: "user", parts: [] });
    return this.#waiting.items.reduce((sum, { tokens }) => sum + Math.max(0, tokens - framing), 0);
  }

  get messagesWaiting(): ReadonlySet<string> {
    return new Set(this.#messages);
  }

  /** Notes that a message waits for attachments being added, or no longer does. */
  setMessageWaiting(sendId: string, isWaiting: boolean): void {
    if (isWaiting) this.#messages.add(sendId);
    else this.#messages.delete(sendId);
    if (this.#messages.size === 0) this.#after.clear();
  }

  /**
   * Adds an attachment, durable before it is shown; replaces an equal one. `uuid` is fresh; {@link attachmentIdOf}
   * makes the id of it. `after`: messages that waited when the user added it; it goes with none of them.
   */
  async add(
    part: AddedPart,
    uuid = this.#services.newUuid(),
    after: ReadonlySet<string> = new Set(),
  ): Promise<Result<void, AttachmentRejection>> {
    if (this.#isClosed) return err("closed");
    // An attachment that the waiting message has as well goes with that message.
    const isThere = this.#waiting.items.some(
      (item) => isSameAttachment(item.part, part) && !this.#after.has(item.addedId),
    );
    if (after.size > 0 && !isThere) this.#after.set(stepId(uuid), after);
    const adding = this.#add(part, uuid);
    this.#adding.add(adding);
    try {
      return await adding;
    } finally {
      this.#adding.delete(adding);
    }
  }

  /** Makes closing wait for `reading`, whose result will be added. */
  trackPending(reading: Promise<unknown>): void {
    const read = reading.catch(() => undefined).finally(() => this.#adding.delete(read)); // its reader reports failures
    this.#adding.add(read);
  }

  /** Waits for pending additions, up to a limit; rejects further ones. */
  async close(): Promise<void> {
    let stop = (): void => undefined;
    const tooLong = new Promise<void>((resolve) => {
      stop = this.#services.clock.after(ADDING_TIMEOUT_MS, resolve);
    });
    await Promise.race([this.#settled(), tooLong]);
    stop();
    this.#isClosed = true;
  }

  async remove(attachmentId: string): Promise<void> {
    const item = this.#waiting.items.find(({ addedId }) => addedId === attachmentId);
    if (item === undefined) return;
    const removed = await this.#waiting.remove(item.addedId);
    if (removed.ok) this.#tell();
    else this.#model.showFailure(removed.error);
  }

  /**
   * Takes the attachments of message `sendId`, except those added after it, and has `store` save them together with
   * their removal from here. On failure they stay.
   */
  async send<T>(
    sendId: string,
    store: (parts: readonly AddedPart[], drops: readonly JournalWrite[]) => Promise<Result<T, ForgeError>>,
  ): Promise<Result<T, ForgeError>> {
    const shown = this.#waiting.items.length;
    const later = [...this.#after].flatMap(([addedId, messages]) => (messages.has(sendId) ? [addedId] : []));
    const sent = await this.#waiting.take((items, drops) => {
      return store(
        items.map(({ part }) => part),
        drops,
      );
    }, new Set(later));
    this.setMessageWaiting(sendId, false);
    if (this.#waiting.items.length < shown) this.#tell();
    return sent;
  }

  async #add(part: AddedPart, uuid: string): Promise<Result<void, AttachmentRejection>> {
    const tokens = await this.#model.tokensOf({ role: "user", parts: [part] });
    const item: PendingAttachment = { addedId: stepId(uuid), part, tokens };
    const added = await this.#waiting.add((waiting) => admitAttachment(item, waiting));
    if (added.ok) this.#tell();
    return added;
  }

  async #settled(): Promise<void> {
    while (this.#adding.size > 0) await Promise.allSettled(this.#adding);
  }

  #tell(): void {
    this.#composer.tell({ attachments: this.view });
  }
}

export function attachmentIdOf(uuid: string): string {
  return stepId(uuid);
}

function admitAttachment(
  item: PendingAttachment,
  waiting: readonly PendingAttachment[],
): Result<{ readonly item: PendingAttachment; readonly replaced: readonly StepId[] }, "tooMany" | "tooLarge"> {
  const replaced = waiting.filter(({ part }) => isSameAttachment(part, item.part));
  const others = waiting.filter((other) => !replaced.includes(other));
  if (others.length >= MAX_ATTACHMENTS) return err("tooMany");
  const bytes = [...others, item].reduce((sum, { part }) => sum + bytesOf(part), 0);
  if (bytes > MAX_TOTAL_BYTES) return err("tooLarge");
  return ok({ item, replaced: replaced.map(({ addedId }) => addedId) });
}

/** An estimate: most characters of a text take one byte. */
function bytesOf(part: AddedPart): number {
  return part.kind === "image" ? (part.dataBase64.length * 3) / 4 : part.text.length;
}

function isSameAttachment(one: AddedPart, other: AddedPart): boolean {
  if (one.kind === "image") return other.kind === "image" && one.dataBase64 === other.dataBase64;
  if (other.kind !== "attachment" || one.label !== other.label || one.uri !== other.uri) return false;
  if (one.uri !== undefined || !NAMED_ALIKE.includes(attachmentView(one, "", null)?.kind ?? "file")) return true;
  return one.text === other.text;
}
