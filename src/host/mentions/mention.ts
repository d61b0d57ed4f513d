import type { AttachmentKind } from "../../protocol/attachmentView.ts";

/** Lines of a file, counted from 1. */
export interface Lines {
  readonly first: number;
  readonly last: number;
}

/** Something that can be added to a message. */
export interface Mention {
  readonly kind: AttachmentKind;
  readonly label: string;
  readonly description: string;
  /** Of files, folders and symbols: the path as tools take it. */
  readonly path?: string;
  /** Of symbols, and of files of which only a part is meant. */
  readonly lines?: Lines;
}
