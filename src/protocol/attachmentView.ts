/** What the view knows of things that are added to a message: files, selections, images. Plain data, made for showing. */

/** An attachment of a message, or of what is being typed. */
export interface AttachmentView {
  /** Unique among those beside it. */
  readonly attachmentId: string;
  readonly kind: AttachmentKind;
  /** "src/upload.ts", "Problems", "image.png" */
  readonly label: string;
  /** What it adds to the request; null where that is not known. */
  readonly tokens: number | null;
  /** It was sent, and the user took it out of what is sent since. */
  readonly leftOut: boolean;
}

/** A pasted text from this length on, in UTF-16 units, is added to the message instead of being put into the composer. */
export const LONG_PASTE_LENGTH = 20_000;
/** So many things can be added to one message. */
export const MOST_ATTACHMENTS = 50;

/** What it is, for its icon. */
export type AttachmentKind =
  "file" | "folder" | "symbol" | "selection" | "problems" | "diff" | "terminal" | "editors" | "image" | "pasted";

/** Something that can be added, as an item of the menu behind "@". */
export interface MentionView {
  /** What the host is told when it is chosen. */
  readonly mentionId: string;
  readonly kind: AttachmentKind;
  /** "upload.ts" */
  readonly label: string;
  /** "src/net", "3 errors" */
  readonly description: string;
}
