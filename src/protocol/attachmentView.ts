/** View data of attachments: files, selections, images. */

/** Of a message, or of the composer. */
export interface AttachmentView {
  /** Unique within its message, or the composer. */
  readonly attachmentId: string;
  readonly kind: AttachmentKind;
  /** "src/upload.ts", "Problems", "image.png" */
  readonly label: string;
  /** Null when unknown. */
  readonly tokens: number | null;
  /** It was sent, and the user has excluded it from requests since. */
  readonly isExcluded: boolean;
}

/** A pasted text of this length or more, in UTF-16 units, becomes an attachment. */
export const LONG_PASTE_LENGTH = 20_000;
/** Per message. */
export const MAX_ATTACHMENTS = 50;

/** Selects the icon. */
export type AttachmentKind =
  | "file"
  | "folder"
  | "symbol"
  | "selection"
  | "problems"
  | "diff"
  | "terminal"
  | "editors"
  | "image"
  | "pasted"
  | "conversation";

/** An item of the "@" menu. */
export interface MentionView {
  /** Sent to the host when the item is chosen. */
  readonly mentionId: string;
  readonly kind: AttachmentKind;
  /** "upload.ts" */
  readonly label: string;
  /** "src/net", "3 errors" */
  readonly description: string;
}
