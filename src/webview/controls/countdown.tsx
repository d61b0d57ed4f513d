import { useEffect, useState } from "preact/hooks";
import { nextChangeMs, timeLeft } from "../../protocol/waitTime.ts";
import { words } from "../words/words.ts";

/** Counts down for the eye only: the text before it tells the time of day, a screen reader too. */
export function Countdown({ atMs }: { readonly atMs: number }) {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const delayMs = nextChangeMs(atMs - nowMs);
    if (delayMs === undefined) return undefined;
    const timer = setTimeout(() => {
      setNowMs(Date.now());
    }, delayMs);
    return () => {
      clearTimeout(timer);
    };
  }, [atMs, nowMs]);
  const leftMs = atMs - nowMs;
  return (
    <p class="meta countdown" aria-hidden="true">
      {leftMs > 0 ? timeLeft(leftMs) : words.waitIsOver}
    </p>
  );
}
