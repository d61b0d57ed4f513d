/** What the user has added to the message that is being typed: kept with the conversation until it is sent or taken away. */

import type { AddedPart } from "../core/journal/addedParts.ts";
import type { Message } from "../core/message.ts";
import type { AttachmentView } from "../protocol/attachmentView.ts";
import { attachmentView } from "./attachmentViews.ts";
import type { SessionEnvironment } from "./sessionEnvironment.ts";

interface Attached {
  readonly attachmentId: string;
  readonly part: AddedPart;
  readonly tokens: number;
}

/** What attaching works with. */
export interface SessionAttachmentsParts {
  readonly environment: Pick<SessionEnvironment, "emit" | "newUuid">;
  /** Tokens of a message in the counting of the model in use. */
  readonly tokensOf: (message: Message) => Promise<number>;
}

/** So many things can be added to one message. */
const MOST = 50;

/** The attachments of one conversation's composer. */
export class SessionAttachments {
  readonly #parts: SessionAttachmentsParts;
  #attached: readonly Attached[] = [];

  constructor(parts: SessionAttachmentsParts) {
    this.#parts = parts;
  }

  /** What would be sent with the next message, in the order in which it was added. */
  get parts(): readonly AddedPart[] {
    return this.#attached.map(({ part }) => part);
  }

  /** The same, as it is shown. */
  get view(): readonly AttachmentView[] {
    return this.#attached.flatMap(({ attachmentId, part, tokens }) => attachmentView(part, attachmentId, tokens) ?? []);
  }

  /** Tokens of all of it. */
  get tokens(): number {
    return this.#attached.reduce((sum, { tokens }) => sum + tokens, 0);
  }

  /** Adds a thing; the same once more takes the place of the first. False: there are too many. */
  async add(part: AddedPart): Promise<boolean> {
    const tokens = await this.#parts.tokensOf({ role: "user", parts: [part] });
    const others = this.#attached.filter((attached) => !isSame(attached.part, part));
    if (others.length >= MOST) return false;
    this.#set([...others, { attachmentId: this.#parts.environment.newUuid(), part, tokens }]);
    return true;
  }

  /** Takes a thing away. */
  remove(attachmentId: string): void {
    this.#set(this.#attached.filter((attached) => attached.attachmentId !== attachmentId));
  }

  /** These have become a part of a message. */
  sent(parts: readonly AddedPart[]): void {
    if (parts.length > 0) this.#set(this.#attached.filter(({ part }) => !parts.includes(part)));
  }

  #set(attached: readonly Attached[]): void {
    this.#attached = attached;
    this.#parts.environment.emit({ kind: "attachments", attachments: this.view });
  }
}

function isSame(one: AddedPart, other: AddedPart): boolean {
  if (one.kind === "image") return other.kind === "image" && one.dataBase64 === other.dataBase64;
  return other.kind === "attachment" && one.label === other.label && one.uri === other.uri;
}
