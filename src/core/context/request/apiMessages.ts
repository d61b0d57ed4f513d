/** Turns the segments of a prepared context into messages, reading texts by id. */

import type { ForgeError } from "../../errors.ts";
import type { FullHistory } from "../../history/fullHistory.ts";
import type { MessageId } from "../../ids.ts";
import { textMessage, type Message } from "../../message.ts";
import { invariant, ok, type Result } from "../../result.ts";
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
  const ids = segments.flatMap((segment) =>
    segment.kind === "original" || segment.kind === "excerpt" ? [segment.id] : [],
  );
  const read = await source.readMessages(ids);
  if (!read.ok) return read;
  invariant(read.value.length === ids.length, "every message that was asked for is read");
  const contents = read.value.values();
  const messages = segments.flatMap((segment): readonly Message[] => {
    switch (segment.kind) {
      case "omitted":
        return [];
      case "summary":
        return [summaryMessage(source.history.summary(segment.id).content)];
      case "original": {
        const content = sentContent(next(contents), source.history.entry(segment.id));
        return [withTruncatedResults(content, segment.id)];
      }
      case "excerpt": {
        const { contentTokens } = segment;
        const entry = source.history.entry(segment.id);
        const content = sentContent(next(contents), entry);
        return [excerptMessage(content, entry, { contentTokens, costs: source.costs })];
      }
    }
  });
  return ok(withPairedToolCalls(messages));
}

export function summaryMessage(content: string): Message {
  return textMessage("system", `${SUMMARY_HEADER}\n\n${content}`);
}

function next(messages: Iterator<Message, undefined>): Message {
  const result = messages.next();
  invariant(result.done !== true, "there is a message for each segment");
  return result.value;
}
