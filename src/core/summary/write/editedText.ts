/** What a user writes in the place of a summary, checked as a model's words are: what the originals do not say is marked. */

import { markFabrications, UNVERIFIED_MARK } from "../facts/fabrication.ts";
import { CheckedText } from "../facts/factCheck.ts";
import { readSource, type SummarySource } from "./source.ts";
import type { CooperativeTask } from "../../cooperativeTask.ts";

/** `text` with marks behind the details that none of `sources` has, and behind no other, whatever marks it had. */
export function* markedAnew(text: string, sources: readonly SummarySource[]): CooperativeTask<string> {
  const passages: string[] = [];
  for (const source of sources) {
    passages.push(...readSource(source).passages.map((passage) => passage.text));
    yield;
  }
  const everything = yield* CheckedText.of(passages);
  return (yield* markFabrications(text.replaceAll(UNVERIFIED_MARK, ""), everything)).text;
}
