/** Texts of the context view on the model that writes notes. */

import type { NotesFault } from "../../core/history/records.ts";
import { localize, plural } from "../../protocol/localize.ts";

export interface SummarizerState {
  readonly modelLabel: string;
  /** It is not asked any more without the user's word. */
  readonly isStopped: boolean;
  readonly refused: number;
  readonly why: NotesFault | undefined;
  /** Why another model than the chosen one writes; empty: it does not. */
  readonly problem: string;
  /** Extracts whose notes are written later. */
  readonly notesToWrite: number;
}

/** Why summaries are made without the model, or by another, and what to do; empty while it is asked. */
export function stoppedSummarizerText({ modelLabel, isStopped, refused, why, problem }: SummarizerState): string {
  if (!isStopped) return problem;
  return localize(
    "Summaries are made without a model: {0} gave notes of no use {1} times, at last because {2}. To ask it again, summarize by hand; to ask another one, choose it in the setting forge.summarizationModel.",
    modelLabel,
    String(refused),
    faultText(why),
  );
}

export function notesToWriteLines({ isStopped, notesToWrite }: SummarizerState): readonly string[] {
  if (isStopped || notesToWrite === 0) return [];
  const later = plural(
    notesToWrite,
    "1 summary is an extract for now; its notes are written when nothing runs",
    "{0} summaries are extracts for now; their notes are written when nothing runs",
  );
  return [later];
}

function faultText(why: NotesFault | undefined): string {
  switch (why) {
    case "refused":
      return localize("it declined");
    case "truncated":
    case "tooLong":
      return localize("they were too long");
    case "overflow":
      return localize("its window was too small for the request");
    case "repeats":
      return localize("they repeated themselves");
    case "answers":
      return localize("it answered instead of taking notes");
    case "otherLanguage":
      return localize("they were in another language");
    case "invents":
      return localize("most of them was invented");
    case "tellsLess":
      return localize("they told less than an extract");
    case "empty":
    case undefined:
      return localize("they were empty");
  }
}
