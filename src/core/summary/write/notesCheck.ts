/** Checks a model's notes against their source: removes orders that come from data, marks inventions, and judges them. */

import type { Cancelled } from "../../errors.ts";
import type { NotesFault } from "../../history/records.ts";
import { ok, type Result } from "../../result.ts";
import { inSlices, type CooperativeTask } from "../../cooperativeTask.ts";
import { markFabrications, type MarkedText, withoutUnverified } from "../facts/fabrication.ts";
import { CheckedText } from "../facts/factCheck.ts";
import { FactCollector } from "../facts/facts.ts";
import { sourceTextsOf, withoutInjections } from "../facts/injectionPatterns.ts";
import { withoutCopiedLists } from "../facts/ledger.ts";
import { complaintAgainst } from "../quality/notesQuality.ts";
import type { TokenCounter } from "../../tokens/tokenCounter.ts";
import { complaintAbout, TOLERANCE } from "./acceptance.ts";
import type { Answer } from "./askModel.ts";
import { extractNotes, extractSource } from "./extract.ts";
import type { JudgedNotes, NotesServices } from "./notesAsker.ts";
import type { Passage, ReadSource } from "./source.ts";
import { linesWithin, sizeUpTo } from "./textSize.ts";

/** Removes instructions that come from data, and marks details that the span does not have. */
export function* checkedNotes(notes: string, sources: readonly ReadSource[]): CooperativeTask<MarkedText> {
  const passages = sources.flatMap((source) => source.passages);
  const everything = yield* CheckedText.of(passages.map(vouchedText));
  const isOverSummaries = passages.some(({ origin }) => origin === "summary");
  const own = isOverSummaries ? withoutCopiedLists(notes) : notes;
  const obedient = yield* withoutInjections(own, yield* sourceTextsOf(sources));
  return yield* markFabrications(obedient, everything);
}

/** The words that a passage vouches for: not the details that an earlier check marked. */
function vouchedText({ origin, text }: Passage): string {
  if (origin === "summary") return withoutUnverified(text);
  // The input of a call is JSON; notes name its commands as they are typed.
  return origin === "toolCall" && text.includes("\\") ? `${text}\n${unescaped(text)}` : text;
}

function unescaped(json: string): string {
  return json.replaceAll(/\\([nt"\\])/g, (_, sign: string) => (sign === "n" || sign === "t" ? " " : sign));
}

/** Judges an answer that should be notes of `sources`. One that is too long is cut, and used if that is worth its place. */
export async function judgedNotes(
  answer: { readonly notes: string; readonly stopReason: Answer["stopReason"] },
  { sources, notesTokens }: { readonly sources: readonly ReadSource[]; readonly notesTokens: number },
  deps: NotesServices,
): Promise<Result<JudgedNotes, Cancelled>> {
  const { stopReason } = answer;
  const mostTokens = notesTokens * TOLERANCE;
  const sizeTokens = sizeUpTo(answer.notes, mostTokens, deps.counter);
  const byForm = complaintAbout(answer.notes, stopReason, sizeTokens, mostTokens);
  if (byForm !== undefined && byForm !== "tooLong") return ok({ notes: answer.notes, fault: byForm });
  const notes = byForm === undefined ? answer.notes : linesWithin(answer.notes, mostTokens, deps.counter);
  const size = byForm === undefined ? sizeTokens : Math.floor(mostTokens);
  const fault = await inSlices(qualityOf(notes, sources, size, deps.counter), deps);
  if (!fault.ok) return fault;
  return ok({ notes, fault: fault.value === undefined ? undefined : (byForm ?? fault.value) });
}

function* qualityOf(
  notes: string,
  sources: readonly ReadSource[],
  sizeTokens: number,
  counter: TokenCounter,
): CooperativeTask<NotesFault | undefined> {
  const { unverified, details } = yield* checkedNotes(notes, sources);
  const collector = new FactCollector();
  for (const source of sources) yield* collector.add(source);
  const room = Math.max(1, sizeTokens);
  const extract = yield* extractNotes(yield* extractSource(sources), room, { cl100k: room, o200k: room }, counter);
  const passages = sources.flatMap((source) => source.passages);
  const said = passages.filter(({ origin }) => origin !== "tool" && origin !== "toolCall");
  return yield* complaintAgainst({
    notes,
    details,
    inventions: unverified,
    source: passages.map(({ text }) => text),
    said: said.map(({ text }) => text),
    facts: yield* collector.facts(),
    extract,
  });
}
