/** Texts about the work of models on the user's machines: how fast they are, and what is waited for. */

import type { KnownModel } from "../../core/models/modelRegistry.ts";
import type { ModelSpeed } from "../../core/models/modelSpeeds.ts";
import type { PromptReading } from "../../core/stream/streamEvent.ts";
import { localize } from "../../protocol/localize.ts";
import { formatCount, formatDecimal } from "../../protocol/numberFormat.ts";
import { formatDuration, formatTokens } from "./formatting.ts";

/** Fewer are read before anybody could read that they are. */
const FEWEST_TOLD = 100;

/** "Reading 3,712 tokens, about 11 s."; empty when nothing is left to read, or next to nothing. */
export function readingText({ freshTokens, readTokens, perSecond }: PromptReading, { reads }: ModelSpeed): string {
  const restTokens = freshTokens - readTokens;
  if (freshTokens < FEWEST_TOLD || restTokens <= 0) return "";
  const speed = perSecond ?? reads;
  if (speed === undefined) {
    return readTokens === 0
      ? localize("Reading {0} tokens.", formatTokens(freshTokens))
      : localize("Reading {0} of {1} tokens.", formatTokens(readTokens), formatTokens(freshTokens));
  }
  const seconds = Math.max(1, Math.round(restTokens / speed));
  const time = seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1_000);
  return readTokens === 0
    ? localize("Reading {0} tokens, about {1}.", formatCount(freshTokens), time)
    : localize("Reading {0} of {1} tokens, about {2}.", formatCount(readTokens), formatCount(freshTokens), time);
}

/** "34 tokens/s", for a list; `undefined` while it is not known. */
export function speedInList({ writes }: ModelSpeed): string | undefined {
  return writes === undefined ? undefined : localize("{0} tokens/s", perSecond(writes));
}

/** "Local model: 34 tokens a second, window 8,192"; `undefined` of models that no local server has reported on. */
export function localModelText({ writes }: ModelSpeed, { limits, source }: KnownModel): string | undefined {
  if (writes === undefined) return undefined;
  const speed = perSecond(writes);
  return source === "fallback"
    ? localize("Local model: {0} tokens a second", speed)
    : localize("Local model: {0} tokens a second, window {1}", speed, formatCount(limits.contextWindow));
}

function perSecond(speed: number): string {
  return speed < 10 ? formatDecimal(speed, 1, 0) : formatCount(Math.round(speed));
}
