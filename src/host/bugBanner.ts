import type { Banner } from "../protocol/toView.ts";

/** Something threw that never should: the user sees that it happened, what is safe and what can be done. */
export const BUG_BANNER: Banner = {
  tone: "error",
  text: "Forge made a mistake. Everything shown so far is kept; the log says more.",
  actions: [
    { label: "Try again", command: "reopen" },
    { label: "Show log", command: "showLog" },
  ],
};
