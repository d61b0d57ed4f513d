/** Decides whether a model's answer is usable as notes. */

import type { Answer } from "./askModel.ts";
import type { NotesFault } from "../../history/records.ts";

/** Notes may exceed their target by this factor; longer ones are rejected. */
export const TOLERANCE = 1.25;

/** Refusals in prose are short, and open the answer. */
const REFUSAL =
  /^(?:i['’]?m sorry|sorry[,.]|i am sorry|i can(?:no|['’])t|i am unable|i['’]?m unable|i won['’]t|i will not|as an ai\b|unfortunately,? i)/i;
const LONGEST_REFUSAL_UNITS = 600;
const SHORTEST_NOTES_UNITS = 8;

/** By form alone; `undefined` when the answer is usable so far. `sizeTokens` is the size of its cleaned text. */
export function complaintAbout(
  text: string,
  stopReason: Answer["stopReason"],
  sizeTokens: number,
  mostTokens: number,
): NotesFault | undefined {
  if (stopReason === "refusal") return "refused";
  if (stopReason !== "endTurn" && stopReason !== "stopSequence") return "truncated";
  if (text.length < SHORTEST_NOTES_UNITS || !/[\p{L}\p{N}]/u.test(text)) return "empty";
  if (text.length <= LONGEST_REFUSAL_UNITS && REFUSAL.test(text)) return "refused";
  return sizeTokens > mostTokens ? "tooLong" : undefined;
}

/** The notes in an answer, without wrappers that models add, such as a code fence or reasoning tags. */
export function notesIn(answer: string): string {
  const unreasoned = answer.replace(/^\s*<(think|thinking|reasoning|analysis)>[\s\S]*?<\/\1>/i, "").trim();
  const fenced = /^```(?:markdown|md|text)?[^\S\n]*\n([\s\S]*)\n```$/.exec(unreasoned)?.[1] ?? unreasoned;
  return fenced
    .replace(/^\[Earlier conversation summary\]\s*/, "")
    .replaceAll(/<\/?transcript>/gi, "")
    .trim();
}
