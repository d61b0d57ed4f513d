/** Compares what was stored of the files of others with what `countedFile` finds in them. */

import { Differences } from "./comparison.ts";
import { leavesOf, type CountedFile } from "./countedFile.ts";
import { storedConversations } from "./storedConversations.ts";

/** Shorter lines are found anywhere. */
const SHORTEST_LINE = 12;

/**
 * Texts are compared line by line, without spaces, tags, and marks of headings and quotes: what a tool put around the
 * user's words is apart.
 */
export function lostOf(root: string, counted: CountedFile): Differences {
  const stored = {
    lines: new Set<string>(),
    calls: new Set<string>(),
    results: new Set<string>(),
    pictures: new Set<string>(),
  };
  for (const { history, messages } of storedConversations(root)) {
    for (const { content } of history.summaries) for (const line of linesOf(content)) stored.lines.add(line);
    for (const part of Array.from(messages(), ({ message }) => message.parts).flat()) {
      if (part.kind === "image") stored.pictures.add(part.dataBase64);
      else if (part.kind === "toolCall") {
        stored.calls.add(part.callId);
        for (const leaf of [part.inputJson, ...leavesOf(part.inputJson)])
          for (const line of linesOf(leaf)) stored.lines.add(line);
      } else {
        if (part.kind === "toolResult" && (part.outcome !== "interrupted" || part.text !== ""))
          stored.results.add(part.callId);
        for (const text of [part.text, ...leavesOf(part.text)])
          for (const line of linesOf(text)) stored.lines.add(line);
      }
    }
  }
  const lost = new Differences();
  for (const text of counted.texts)
    for (const line of linesOf(text)) if (!stored.lines.has(line)) lost.note("lines", line.slice(0, 120));
  for (const id of counted.calls) if (!stored.calls.has(id)) lost.note("calls", id);
  for (const id of counted.results) if (counted.calls.has(id) && !stored.results.has(id)) lost.note("results", id);
  for (const picture of counted.pictures)
    if (!stored.pictures.has(picture)) lost.note("pictures", picture.slice(0, 40));
  return lost;
}

function linesOf(text: string): readonly string[] {
  return text
    .split(/\n|<\/?[\w:-]+(?: [^<>\n]*)?>/)
    .map((line) => line.replace(/^[\s#>]+|\s+/g, ""))
    .filter((line) => line.length >= SHORTEST_LINE);
}
