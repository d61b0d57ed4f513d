/**
 * Sent form of an answer in which the model repeated itself: each loop holds its unit once, marked, as a model goes
 * on with what it reads. The history holds all of it. Data stays as it is: it can rightly repeat.
 */

import { placeBefore } from "../cutText.ts";
import type { Message, Part } from "../message.ts";
import { LEAST_UNITS, type Loop, LoopDetector } from "./loopDetector.ts";

/** The same object when nothing in it is repeated. */
export function messageWithoutLoops(message: Message): Message {
  if (message.role !== "assistant") return message;
  const parts = message.parts.map((part): Part => {
    // Signed thinking is refused when it is changed.
    const isOpen = part.kind === "text" || (part.kind === "thinking" && part.signature === undefined);
    const text = isOpen ? withoutLoops(part.text) : "";
    return isOpen && text !== part.text ? { ...part, text } : part;
  });
  return parts.every((part, index) => part === message.parts[index]) ? message : { ...message, parts };
}

export function withoutLoops(text: string): string {
  if (text.length < LEAST_UNITS) return text;
  const detector = new LoopDetector();
  detector.push(text);
  let sent = "";
  let from = 0;
  for (const loop of detector.loops) {
    const start = Math.max(from, unitStart(text, loop));
    const unitEnd = start + loop.unitLength;
    const end = loop.end === text.length ? loop.end : unitsEnd(start, loop);
    if (loop.where === "data" || end < unitEnd + loop.unitLength) continue;
    const unit = text.slice(start, unitEnd);
    sent += text.slice(from, unitEnd) + markAfter(unit, loop.times);
    from = end;
  }
  return sent + text.slice(from);
}

/** Where the unit is cut: before its first paragraph, line, or character. */
function unitStart(text: string, { start, unitLength, isRunning }: Loop): number {
  // Units with a running number are not equally long.
  if (isRunning) return start;
  const unit = text.slice(start, start + unitLength);
  for (const end of ["\n\n", "\n"]) {
    const at = unit.indexOf(end);
    if (at >= 0) return start + at + end.length;
  }
  return placeBefore(text, start);
}

function unitsEnd(start: number, { end, unitsEnd, unitLength, isRunning }: Loop): number {
  return isRunning ? unitsEnd : end - ((end - start) % unitLength);
}

function markAfter(unit: string, times: number): string {
  const mark = `[repeated ${String(times)} times]`;
  if (!unit.includes("\n")) return unit.endsWith(" ") ? `${mark} ` : ` ${mark} `;
  return unit.endsWith("\n") ? `${mark}\n` : `\n${mark}`;
}
