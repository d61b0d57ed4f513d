/** Repetition in an answer, as it is told. */

import type { Message } from "../message.ts";
import { type Loop, LoopDetector } from "./loopDetector.ts";

/** The loop that the answer was stopped in; else its longest one that is sent once. */
export function answeredLoop({ parts }: Message, isStopped: boolean): Loop | undefined {
  const detectors = parts.flatMap((part): readonly LoopDetector[] => {
    if (part.kind !== "text" && part.kind !== "thinking") return [];
    const detector = new LoopDetector();
    detector.push(part.text);
    return [detector];
  });
  const last = detectors.at(-1)?.current;
  if (isStopped && last !== undefined) return last;
  const inProse = detectors.flatMap(({ loops }) => loops.filter(({ where }) => where === "prose"));
  return inProse.reduce<Loop | undefined>(
    (longest, loop) => (longest === undefined || lengthOf(loop) > lengthOf(longest) ? loop : longest),
    undefined,
  );
}

function lengthOf({ start, end }: Loop): number {
  return end - start;
}
