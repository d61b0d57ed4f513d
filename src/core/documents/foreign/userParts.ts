/** Separates, in imported messages of the user's role, the user's words from what the other tool put beside them. */

import { beginningOf } from "../../cutText.ts";
import {
  labelOfBareHead,
  namesItsSpeaker,
  resultSegments,
  userSegments,
  type UserSegment,
} from "../../history/userWords.ts";
import type { Part } from "../../message.ts";
import type { Compaction, ForeignMessage } from "./foreignConversation.ts";

/** Text that the user did not write becomes an attachment: data, which gives no instructions and no title. */
export function userParts(parts: readonly Part[]): readonly Part[] {
  let head: string | undefined;
  let isFirst = false;
  return parts.flatMap((part): readonly Part[] => {
    if (part.kind !== "text") return [part];
    // The content of a result may be texts of its own, after one that is only its head.
    if (head !== undefined && !isFirst && namesItsSpeaker(part.text)) head = undefined;
    const segments = head === undefined ? userSegments(part.text) : resultSegments(part.text, head);
    const next = labelOfBareHead(part.text);
    isFirst = next !== undefined;
    head = next ?? head;
    return segments.map((segment) => partOf(segments.length > 1 ? withoutBlankEnds(segment) : segment));
  });
}

/** The message in the user's role as data, as `label` says what it is: nothing in it is the user's or an answer. */
export function asData(message: ForeignMessage, label: string): ForeignMessage {
  const parts = message.message.parts.map((part) => (part.kind === "text" ? attachment(label, part.text) : part));
  return { ...message, message: { role: "user", parts } };
}

/** The tool's own summary, as data. `compacts`: the messages that it stands for; absent when nothing tells them. */
export function asSummary(message: ForeignMessage, compacts?: Compaction): ForeignMessage {
  return { ...asData(message, "summary"), model: "", id: "", ...(compacts === undefined ? {} : { compacts }) };
}

/** A summary that the model thought about first: what it thought is an answer of its own. */
export function thoughtAndSummary(message: ForeignMessage, compacts?: Compaction): readonly ForeignMessage[] {
  const { usage, ...rest } = message;
  const [thoughts, others] = [true, false].map((isThought) =>
    message.message.parts.filter(({ kind }) => (kind === "thinking") === isThought),
  );
  const summary = asSummary({ ...rest, message: { role: "user", parts: others ?? [] } }, compacts);
  const billed = usage === undefined ? {} : { usage };
  if (thoughts === undefined || thoughts.length === 0) return [{ ...summary, ...billed }];
  return [{ ...rest, ...billed, id: "", message: { role: "assistant", parts: thoughts } }, summary];
}

/** Words beside what was taken out keep no empty lines of it. */
function withoutBlankEnds(segment: UserSegment): UserSegment {
  if (segment.label !== undefined) return segment;
  return { text: segment.text.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd() };
}

function partOf({ text, label }: UserSegment): Part {
  return label === undefined ? { kind: "text", text } : attachment(label, text);
}

const LONGEST_LABEL = 80;

function attachment(label: string, text: string): Part {
  return { kind: "attachment", label: beginningOf(label, LONGEST_LABEL), text };
}
