/** Checks a summary edited by the user like a model's: details that the sources lack are marked. */

import { markFabrications, UNVERIFIED_MARK } from "../facts/fabrication.ts";
import { CheckedText } from "../facts/factCheck.ts";
import { readSource, type SummarySource } from "./source.ts";
import type { CooperativeTask } from "../../cooperativeTask.ts";

/** Replaces all marks in `text`: exactly the details that none of `sources` has are marked. */
export function* markedAnew(text: string, sources: readonly SummarySource[]): CooperativeTask<string> {
  const passages: string[] = [];
  for (const source of sources) {
    passages.push(...readSource(source).passages.map((passage) => passage.text));
    yield;
  }
  const everything = yield* CheckedText.of(passages);
  return (yield* markFabrications(text.replaceAll(UNVERIFIED_MARK, ""), everything)).text;
}
