/** Why an action has to wait: an answer is streamed, a summary is written, or a change is stored. */

import type { Activity } from "../background/exclusiveRun.ts";
import type { Action, Banner } from "../../protocol/toView.ts";
import { localize } from "../../protocol/localize.ts";
import { info } from "./banners.ts";

/** `duringAnswer` is the text while an answer is streamed. */
export function busyBanner(activity: Activity, duringAnswer: string): Banner {
  switch (activity) {
    case "summarizing":
      return {
        ...info(localize("A summary is being written. Cancel it, or wait until it is done, then try again.")),
        actions: [CANCEL],
      };
    case "applying":
      return info(localize("The conversation is just being changed. Try again in a moment."));
    case "streaming":
    case "idle":
      return info(duringAnswer);
  }
}

const CANCEL: Action = { label: localize("Cancel summarizing"), command: "cancelSummary" };
