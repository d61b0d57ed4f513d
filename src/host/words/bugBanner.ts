import type { Banner } from "../../protocol/toView.ts";
import { localize } from "../../protocol/localize.ts";

/** Something threw that never should: the user sees that it happened, what is safe and what can be done. */
export const BUG_BANNER: Banner = {
  tone: "error",
  text: localize("Forge made a mistake. Everything shown so far is kept; the log says more."),
  actions: [
    { label: localize("Try again"), command: "reopen" },
    { label: localize("Show log"), command: "showLog" },
  ],
};
