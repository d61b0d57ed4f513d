import type { Banner } from "../../protocol/toView.ts";
import { localize } from "../../protocol/localize.ts";

/** Shown after an unexpected exception: what happened, what is safe, what can be done. */
export const BUG_BANNER: Banner = {
  tone: "error",
  text: localize("An internal error occurred in Forge. Everything shown so far is kept; its log has details."),
  actions: [
    { label: localize("Try again"), command: "reopen" },
    { label: localize("Show log"), command: "showLog" },
  ],
};
