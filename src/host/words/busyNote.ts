/** Why something cannot be done at this moment: an answer is given, or a summary is written. */

import type { Activity } from "../background/exclusiveRun.ts";
import type { Banner } from "../../protocol/toView.ts";
import { localize } from "../../protocol/localize.ts";
import { info } from "./banners.ts";

/** The note on what `activity` stands in the way of; `duringAnswer` is what is said of an answer. */
export function busyNote(activity: Activity, duringAnswer: string): Banner {
  if (activity !== "summarizing") return info(duringAnswer);
  return info(localize("A summary is being written. Cancel it, or wait until it is done, then try again."));
}
