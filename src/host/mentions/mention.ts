import type { AttachmentKind } from "../../protocol/attachmentView.ts";
import type { ConversationId, MessageId } from "../../core/ids.ts";

/** Counted from 1, both included. */
export interface Lines {
  readonly first: number;
  readonly last: number;
}

export interface PastConversation {
  readonly id: ConversationId;
  /** Best first; absent: the conversation as a whole. */
  readonly matches?: readonly MessageId[];
}

export interface Mention {
  readonly kind: AttachmentKind;
  readonly label: string;
  readonly description: string;
  /** Of files, folders and symbols: the path as tools take it. */
  readonly path?: string;
  /** Of symbols, and of partly mentioned files. */
  readonly lines?: Lines;
  readonly conversation?: PastConversation;
}
