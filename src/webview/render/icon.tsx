/** The codicons in use; `icons.css` has a glyph for each. */
export type IconName =
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
  | "editor"
  | "image"
  | "edit"
  | "close"
  | "copy"
  | "quote"
  | "refresh"
  | "more"
  | "pin"
  | "file"
  | "folder"
  | "symbol"
  | "selection"
  | "problems"
  | "diff"
  | "terminal"
  | "editors"
  | "mention"
  | "chevronLeft"
  | "taskDone"
  | "taskOpen"
  | "back"
  | "unpinned"
  | "sent"
  | "notSent";

/** A glyph that says nothing by itself: the control that holds it has the name. */
export function Icon({ name }: { readonly name: IconName }) {
  return <span class={`icon icon-${name}`} aria-hidden="true" />;
}
