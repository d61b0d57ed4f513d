/** The parts of the next request, with the same figures as the meter. Pure. */

import type { ContextManager } from "../../core/context/contextManager.ts";
import type { ContextUsage } from "../../core/context/usage/contextUsage.ts";
import type { FullHistory } from "../../core/history/fullHistory.ts";
import { messageId, type MessageId } from "../../core/ids.ts";
import { TokenCosts } from "../../core/context/tokenCosts.ts";
import { preservedMessages } from "../../core/context/cut/preservedMessages.ts";
import type { ContextSegment } from "../../core/context/cut/workingContext.ts";
import type { ContextPart, ContextPartKind } from "../../protocol/contextView.ts";
import { localize, plural } from "../../protocol/localize.ts";
import { formatTokens } from "../words/formatting.ts";

export interface PartWithSegments extends Omit<ContextPart, "items" | "itemCount"> {
  /** Newest first, scaled so that their tokens add up to the part's. */
  readonly segments: readonly ContextSegment[];
}

/** Facts about the next request besides the conversation. */
export interface NextRequestFacts {
  readonly instructionCount: number;
  readonly toolCount: number;
  /** Null while they are counted. */
  readonly draftTokens: number | null;
  /** Threshold of automatic summaries in percent of the budget; null: none are made. */
  readonly summarizesAtPercent: number | null;
  readonly preserveRecent: number;
}

/** The parts in the order of the request, then the draft and the free space. Empty parts are omitted. */
export function contextParts(manager: ContextManager, facts: NextRequestFacts): readonly PartWithSegments[] {
  const usage = manager.usage();
  const { usedTokens, budgetTokens, parts } = usage;
  const groups = groupsOf(manager, usage, facts.preserveRecent);
  const share = (tokens: number): string => shareText(tokens, budgetTokens);
  const filled = (
    kind: ContextPartKind,
    tokens: number,
    words: { readonly label: string; readonly why: string },
  ): PartWithSegments => {
    const segments = groups.get(kind) ?? [];
    return { kind, ...words, tokens, share: share(tokens), segments: scaleTo(segments, tokens) };
  };
  const count = (kind: ContextPartKind): number => groups.get(kind)?.length ?? 0;
  const {
    system = 0,
    priming = 0,
    tools = 0,
    pins = 0,
    summaries = 0,
    recalled = 0,
    recent = 0,
    older = 0,
  } = parts ?? {};
  const draft = facts.draftTokens ?? 0;
  const free = Math.max(0, budgetTokens - usedTokens - draft);
  return [
    filled("system", system + priming, {
      label: localize("Instructions"),
      why: localize("Sent first in every request"),
    }),
    filled("tools", tools, {
      label: plural(facts.toolCount, "1 tool", "{0} tools"),
      why: localize("What the model may call; sent with every request"),
    }),
    filled("pins", pins, {
      label: plural(count("pins"), "1 pinned message", "{0} pinned messages"),
      why: localize("You pinned them: always sent as they are"),
    }),
    filled("summaries", summaries, {
      label: summariesLabel(manager, groups.get("summaries") ?? []),
      why: localize("In place of older messages, which are kept and can be searched"),
    }),
    filled("omitted", 0, {
      label: plural(omittedCount(groups.get("omitted") ?? []), "1 message not sent", "{0} messages not sent"),
      why: localize("The strategy sends the newest messages only; these stay in the history"),
    }),
    filled("older", older, {
      label: plural(count("older"), "1 earlier message", "{0} earlier messages"),
      why: localize("Sent unchanged: there is room"),
    }),
    filled("recalled", recalled, {
      label: plural(
        count("recalled"),
        "1 passage recalled for this question",
        "{0} passages recalled for this question",
      ),
      why: localize("Your message names what is no longer sent as it is; they go with it until the next summary"),
    }),
    filled("recent", recent, {
      label:
        count("recent") === 0
          ? localize("Messages")
          : plural(count("recent"), "1 newest message", "{0} newest messages"),
      why: localize("The newest messages are always sent as they are"),
    }),
    filled("draft", draft, { label: localize("What you are typing"), why: localize("Sent with the next message") }),
    filled("free", free, { label: freeLabel(facts.summarizesAtPercent), why: "" }),
  ].filter(({ kind, tokens }) => kind === "free" || (kind === "omitted" ? count("omitted") > 0 : tokens > 0));
}

/** "23%"; "<1%" for a part that would round to 0. */
export function shareText(tokens: number, budgetTokens: number): string {
  const percent = budgetTokens === 0 ? 0 : (100 * tokens) / budgetTokens;
  return localize("{0}%", tokens > 0 && percent < 1 ? "<1" : Math.round(percent));
}

/** "55k of 129k tokens (43%)" */
export function figureText({ usedTokens, budgetTokens }: ContextUsage): string {
  const share = shareText(usedTokens, budgetTokens);
  return localize("{0} of {1} tokens ({2})", formatTokens(usedTokens), formatTokens(budgetTokens), share);
}

/** Newest first. */
function groupsOf(
  { history, model }: ContextManager,
  usage: ContextUsage,
  preserveRecent: number,
): ReadonlyMap<ContextPartKind, readonly ContextSegment[]> {
  const { recentStart } = preservedMessages(history, history.length, preserveRecent);
  const { formula } = new TokenCosts(model);
  const groups = new Map<ContextPartKind, ContextSegment[]>();
  for (const segment of usage.segments.toReversed()) {
    const kind = partOf(segment, history, recentStart);
    const group = groups.get(kind) ?? [];
    groups.set(kind, group);
    if (segment.kind !== "recalled") group.push(segment);
    else {
      for (const passage of segment.passages) {
        group.push({ ...segment, passages: [passage], tokens: passage.tokens[formula.encoding] });
      }
    }
  }
  return groups;
}

function partOf(segment: ContextSegment, history: FullHistory, recentStart: MessageId): ContextPartKind {
  switch (segment.kind) {
    case "summary":
      return "summaries";
    case "omitted":
    case "recalled":
      return segment.kind;
    case "original":
    case "excerpt":
      if (history.pins.has(segment.id)) return "pins";
      return segment.id >= recentStart ? "recent" : "older";
  }
}

/** The segments with tokens that add up to `tokens`: the provider's figures differ from the local count. */
function scaleTo(segments: readonly ContextSegment[], tokens: number): readonly ContextSegment[] {
  const sum = segments.reduce((total, segment) => total + segment.tokens, 0);
  if (sum === 0 || sum === tokens) return segments;
  let rest = tokens;
  return segments.map((segment, index) => {
    const share = index === segments.length - 1 ? rest : Math.floor((segment.tokens * tokens) / sum);
    rest -= share;
    return segment.kind === "omitted" ? segment : { ...segment, tokens: share };
  });
}

function summariesLabel({ history }: ContextManager, segments: readonly ContextSegment[]): string {
  const messages = segments.reduce(
    (sum, segment) =>
      segment.kind === "summary" ? sum + history.visibleCount(segment.covers.start, segment.covers.end) : sum,
    0,
  );
  const summaries = plural(segments.length, "1 summary", "{0} summaries");
  return plural(messages, "{1} for 1 message", "{1} for {0} messages", summaries);
}

/** Number of messages that are not sent. */
export function omittedCount(segments: readonly ContextSegment[]): number {
  return segments.reduce((sum, segment) => (segment.kind === "omitted" ? sum + segment.messageCount : sum), 0);
}

/** The newest `count` messages of omitted `segments`, each as a segment of its own, newest first like those. */
export function omittedMessages(
  manager: Pick<ContextManager, "sentAs">,
  segments: readonly ContextSegment[],
  count: number,
): readonly ContextSegment[] {
  const messages: ContextSegment[] = [];
  for (const segment of segments) {
    if (segment.kind !== "omitted") continue;
    for (let id = segment.covers.end - 1; id >= segment.covers.start && messages.length < count; id--) {
      const covers = { start: messageId(id), end: messageId(id + 1) };
      if (manager.sentAs(covers.start).kind === "notSent") messages.push({ ...segment, covers, messageCount: 1 });
    }
  }
  return messages;
}

function freeLabel(summarizesAtPercent: number | null): string {
  if (summarizesAtPercent === null) return localize("Free; nothing is summarized automatically");
  return summarizesAtPercent >= 100
    ? localize("Free; summarizing starts when nothing more fits")
    : localize("Free; summarizing starts at {0}%", summarizesAtPercent);
}
