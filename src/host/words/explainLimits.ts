/** User texts for exceeded limits: of the model's window, and of the user's spending. Pure. */

import type { RecentMessagesTooLarge, RequestPart, SpendingLimitReached } from "../../core/errors.ts";
import type { Banner } from "../../protocol/toView.ts";
import { localize, plural } from "../../protocol/localize.ts";
import { failure, RETRY, SETTINGS, SWITCH_MODEL } from "./banners.ts";
import { formatCost, formatTokens } from "./formatting.ts";

/** Names the three largest parts of what is always sent. */
export function explainTooLarge(error: RecentMessagesTooLarge): Banner {
  const largest = error.parts
    .slice(0, 3)
    .map((part) => `${labelOf(part)} ${formatTokens(part.tokens)}`)
    .join(", ");
  const figures = [formatTokens(error.requiredTokens), formatTokens(error.budgetTokens), largest] as const;
  return failure(
    isUnsent(error)
      ? localize(
          "This does not fit: it needs {0} tokens, and {1} can be sent to this model ({2}). Your text is kept in the box. Shorten it, or use a model with a larger window.",
          ...figures,
        )
      : localize(
          "This does not fit: it needs {0} tokens, and {1} can be sent to this model ({2}). Your messages are kept in the conversation. Use a model with a larger window, or edit a long message.",
          ...figures,
        ),
    [SWITCH_MODEL],
  );
}

/** True for a message that was refused before it entered the conversation. */
function isUnsent({ parts }: RecentMessagesTooLarge): boolean {
  return parts.some(({ label }) => label === "this message");
}

/** Translates the name of a part, which the core gives in English. */
function labelOf({ kind, label }: RequestPart): string {
  const number = /\d+/.exec(label)?.[0];
  switch (kind) {
    case "system":
      return localize("instructions");
    case "tools":
      return plural(Number(number), "1 tool", "{0} tools");
    case "priming":
      return localize("start of the answer");
    case "message":
    case "pinned":
      if (number !== undefined) return localize("message {0}", number);
      return label === "this message" ? localize("this message") : localize("summary of the earlier messages");
  }
}

export function explainSpending({ scope, limitUsd, spentUsd, nextUsd }: SpendingLimitReached): Banner {
  const [limit, spent, next] = [formatCost(limitUsd), formatCost(spentUsd), formatCost(nextUsd)];
  const what =
    scope === "day"
      ? localize("Nothing was sent, because of your limit of {0} for a day: {1} is spent today.", limit, spent)
      : localize(
          "Nothing was sent, because of your limit of {0} for a conversation: {1} is spent on this one.",
          limit,
          spent,
        );
  const more = nextUsd === 0 ? [] : [localize("This request would cost about {0} before its answer.", next)];
  return failure([what, ...more, localize("Nothing is lost.")].join(" "), [SETTINGS, RETRY, SWITCH_MODEL]);
}
