import type { AttachmentKind } from "../../protocol/attachmentView.ts";

/** Codicons in use; `icons.css` has a glyph for each. */
export type IconName =
  | AttachmentKind
  | "arrowUp"
  | "arrowDown"
  | "stop"
  | "chevronRight"
  | "chevronDown"
  | "error"
  | "warning"
  | "info"
  | "key"
  | "server"
  | "download"
  | "editor"
  | "edit"
  | "close"
  | "copy"
  | "quote"
  | "refresh"
  | "more"
  | "pin"
  | "mention"
  | "chevronLeft"
  | "taskDone"
  | "taskOpen"
  | "back"
  | "unpinned"
  | "sent"
  | "notSent"
  | "done"
  | "insert"
  | "newFile"
  | "apply"
  | "run"
  | "diagram";

/** Decorative: the control around it has the accessible name. */
export function Icon({ name }: { readonly name: IconName }) {
  return <span class={`icon icon-${name}`} aria-hidden="true" />;
}
