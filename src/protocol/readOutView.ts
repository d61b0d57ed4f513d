/** How much a screen reader hears of the chat by itself, by Forge's setting and those of the editor. */
export interface ReadOutView {
  /** `short`: what happens, without the words of answers. `off`: only what answers an act of the user. */
  readonly amount: "off" | "short" | "all";
  /** Announcements that the editor's settings turn off. */
  readonly silent: readonly ("sent" | "waiting" | "complete" | "question")[];
}
