/** Turns the segments of a prepared context into messages, reading texts by id. */

import type { ForgeError } from "../../errors.ts";
import type { FullHistory } from "../../history/fullHistory.ts";
import type { MessageId } from "../../ids.ts";
import { textMessage, type AttachmentPart, type Message } from "../../message.ts";
import { invariant, ok, type Result } from "../../result.ts";
import { recalledPart } from "../recalled/recalledText.ts";
import { excerptMessage } from "./excerptMessage.ts";
import { withTruncatedResults } from "./resultTruncation.ts";
import { sentContent } from "./sentMessage.ts";
import { SUMMARY_HEADER, type TokenCosts } from "../tokenCosts.ts";
import { withPairedToolCalls } from "./toolPairs.ts";
import type { ContextSegment } from "../cut/workingContext.ts";

/** Messages in the order of `ids`. */
export type ReadMessages = (ids: readonly MessageId[]) => Promise<Result<readonly Message[], ForgeError>>;

/** The messages of `segments`, oldest first. Every tool call among them has its result. */
export async function apiMessages(
  segments: readonly ContextSegment[],
  source: { readonly history: FullHistory; readonly costs: TokenCosts; readonly readMessages: ReadMessages },
): Promise<Result<readonly Message[], ForgeError>> {
  const { history } = source;
  const ids = [...new Set(segments.flatMap(messagesIn))];
  const read = await source.readMessages(ids);
  if (!read.ok) return read;
  invariant(read.value.length === ids.length, "every message that was asked for is read");
  const contents = new Map(ids.map((id, index) => [id, read.value[index]] as const));
  const contentOf = (id: MessageId): Message => {
    const content = contents.get(id);
    invariant(content !== undefined, "there is a message for each segment");
    return sentContent(content, history.entry(id));
  };
  let recalled: AttachmentPart | undefined;
  const withRecalled = (message: Message): Message => {
    const parts = recalled === undefined ? message.parts : [recalled, ...message.parts];
    recalled = undefined;
    return parts === message.parts ? message : { ...message, parts };
  };
  const messages = segments.flatMap((segment): readonly Message[] => {
    switch (segment.kind) {
      case "omitted":
        return [];
      case "summary":
        return [summaryMessage(history.summary(segment.id).content)];
      case "recalled":
        recalled = recalledPart(segment.passages, { history, contents });
        return [];
      case "original":
        return [withRecalled(withTruncatedResults(contentOf(segment.id), segment.id))];
      case "excerpt": {
        const { id, contentTokens } = segment;
        return [withRecalled(excerptMessage(contentOf(id), history.entry(id), { contentTokens, costs: source.costs }))];
      }
    }
  });
  return ok(withPairedToolCalls(messages));
}

function messagesIn(segment: ContextSegment): readonly MessageId[] {
  switch (segment.kind) {
    case "original":
    case "excerpt":
      return [segment.id];
    case "recalled":
      return segment.passages.map(({ id }) => id);
    case "summary":
    case "omitted":
      return [];
  }
}

export function summaryMessage(content: string): Message {
  return textMessage("system", `${SUMMARY_HEADER}\n\n${content}`);
}
