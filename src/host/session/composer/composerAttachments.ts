/** What the user has added to the message that is being typed: on the disk until it is sent or removed. */

import type { ForgeError, StorageFailed } from "../../../core/errors.ts";
import { stepId, type StepId } from "../../../core/ids.ts";
import type { AddedPart } from "../../../core/journal/addedParts.ts";
import { WaitingParts, type WaitingPart } from "../../../core/journal/waitingParts.ts";
import type { JournalWrite } from "../../../core/store/conversationStore.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import { type AttachmentKind, type AttachmentView, MOST_ATTACHMENTS } from "../../../protocol/attachmentView.ts";
import { attachmentView } from "../../transcript/attachmentViews.ts";
import type { OpenConversation } from "../../opening/openConversation.ts";
import type { SessionModel } from "../sessionModel.ts";
import type { SessionServices } from "../sessionServices.ts";
import type { ComposerText } from "./composerText.ts";

/**
 * Why a thing was not added: there are too many, or together they would be too large, or it could not be stored, or the
 * conversation was closed while it was read.
 */
export type NotAdded = "tooMany" | "tooLarge" | "closed" | StorageFailed;

/** So large may they be together, in bytes: each is written to the disk when it is added, and all are read at the opening. */
const MOST_BYTES = 25_000_000;

/** Of these several may have one name: files from two folders outside of the workspace, or two terminals. */
const NAMED_ALIKE: readonly AttachmentKind[] = ["file", "pasted", "symbol", "terminal"];

/** The closing of a conversation waits no longer for what is being added: a disk may hang. */
const LONGEST_ADDING_MS = 5_000;

/** The attachments of one conversation's composer. */
export class ComposerAttachments {
  readonly #composer: Pick<ComposerText, "tell">;
  readonly #model: SessionModel;
  readonly #services: SessionServices;
  readonly #waiting: WaitingParts;
  readonly #adding = new Set<Promise<unknown>>();
  /** Messages that wait for what is being added to them. */
  readonly #messages = new Set<string>();
  /** What was added after such messages were sent, and after which: it goes with the next one. */
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
    this.#waiting = new WaitingParts(store, services.clock, store.shape.journal);
  }

  /** What would be sent with the next message, in the order in which it was added. */
  get parts(): readonly AddedPart[] {
    return this.#waiting.items.map(({ part }) => part);
  }

  /** The same, as it is shown. */
  get view(): readonly AttachmentView[] {
    return this.#waiting.items.flatMap(({ addedId, part, tokens }) => attachmentView(part, addedId, tokens) ?? []);
  }

  /** What of it has this id; `undefined` when it is gone. */
  part(attachmentId: string): AddedPart | undefined {
    return this.#waiting.items.find(({ addedId }) => addedId === attachmentId)?.part;
  }

  /** Tokens of all of it, each as it was counted when it was added; those that frame a message are in none. */
  async tokens(): Promise<number> {
    if (this.#waiting.items.length === 0) return 0;
    const framing = await this.#model.tokensOf({ role: "user", parts: [] });
    return this.#waiting.items.reduce((sum, { tokens }) => sum + Math.max(0, tokens - framing), 0);
  }

  /** The messages that wait now for what is being added to them. */
  get messagesWaiting(): ReadonlySet<string> {
    return new Set(this.#messages);
  }

  /** A message waits for what is being added; or, where it was not sent, does so no longer. */
  messageWaits(sendId: string, isWaiting: boolean): void {
    if (isWaiting) this.#messages.add(sendId);
    else this.#messages.delete(sendId);
    if (this.#messages.size === 0) this.#after.clear();
  }

  /**
   * Adds a thing, durable before it is shown; the same once more takes the place of the first. `uuid` is fresh, and makes its
   * id: {@link attachmentIdOf}. `after`: the messages that waited when the user added it, with none of which it goes.
   */
  async add(
    part: AddedPart,
    uuid = this.#services.newUuid(),
    after: ReadonlySet<string> = new Set(),
  ): Promise<Result<void, NotAdded>> {
    if (this.#isClosed) return err("closed");
    // What the message that waits has, too, goes with that.
    const isThere = this.#waiting.items.some((item) => isSame(item.part, part) && !this.#after.has(item.addedId));
    if (after.size > 0 && !isThere) this.#after.set(stepId(uuid), after);
    const adding = this.#add(part, uuid);
    this.#adding.add(adding);
    try {
      return await adding;
    } finally {
      this.#adding.delete(adding);
    }
  }

  /** Has the closing wait for what is being read, to be added here. */
  expect(reading: Promise<unknown>): void {
    const read = reading.catch(() => undefined).finally(() => this.#adding.delete(read)); // who reads it hears of failures
    this.#adding.add(read);
  }

  /** Resolves when all that is being added is on the disk, was refused, or hangs; nothing more is added then. */
  async close(): Promise<void> {
    let stop = (): void => undefined;
    const tooLong = new Promise<void>((resolve) => {
      stop = this.#services.clock.after(LONGEST_ADDING_MS, resolve);
    });
    await Promise.race([this.#settled(), tooLong]);
    stop();
    this.#isClosed = true;
  }

  /** Removes a thing. */
  async remove(attachmentId: string): Promise<void> {
    const item = this.#waiting.items.find(({ addedId }) => addedId === attachmentId);
    if (item === undefined) return;
    const removed = await this.#waiting.remove(item.addedId);
    if (removed.ok) this.#tell();
    else this.#model.showFailure(removed.error);
  }

  /**
   * Has `store` make a part of the message `sendId` of all of it but what was added after that, with what takes it out of
   * here; when that fails, it stays.
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
    this.messageWaits(sendId, false);
    if (this.#waiting.items.length < shown) this.#tell();
    return sent;
  }

  async #add(part: AddedPart, uuid: string): Promise<Result<void, NotAdded>> {
    const tokens = await this.#model.tokensOf({ role: "user", parts: [part] });
    const item: WaitingPart = { addedId: stepId(uuid), part, tokens };
    const added = await this.#waiting.add((waiting) => placeFor(item, waiting));
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

/** The id of what was added with this UUID. */
export function attachmentIdOf(uuid: string): string {
  return stepId(uuid);
}

function placeFor(
  item: WaitingPart,
  waiting: readonly WaitingPart[],
): Result<{ readonly item: WaitingPart; readonly replaced: readonly StepId[] }, "tooMany" | "tooLarge"> {
  const replaced = waiting.filter(({ part }) => isSame(part, item.part));
  const others = waiting.filter((other) => !replaced.includes(other));
  if (others.length >= MOST_ATTACHMENTS) return err("tooMany");
  const bytes = [...others, item].reduce((sum, { part }) => sum + bytesOf(part), 0);
  if (bytes > MOST_BYTES) return err("tooLarge");
  return ok({ item, replaced: replaced.map(({ addedId }) => addedId) });
}

/** Texts are mostly of characters that take a byte. */
function bytesOf(part: AddedPart): number {
  return part.kind === "image" ? (part.dataBase64.length * 3) / 4 : part.text.length;
}

function isSame(one: AddedPart, other: AddedPart): boolean {
  if (one.kind === "image") return other.kind === "image" && one.dataBase64 === other.dataBase64;
  if (other.kind !== "attachment" || one.label !== other.label || one.uri !== other.uri) return false;
  if (one.uri !== undefined || !NAMED_ALIKE.includes(attachmentView(one, "", null)?.kind ?? "file")) return true;
  return one.text === other.text;
}
