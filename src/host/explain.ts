/** The words for every expected failure: what happened, what is safe, what to do. Pure; the webview shows them as they are. */

import type {
  AuthFailed,
  ForgeError,
  ModelUnknown,
  RateLimited,
  RecentMessagesTooLarge,
  Refused,
  ServiceUnavailable,
  SpendingLimitReached,
  StorageFailed,
} from "../core/errors.ts";
import { assertNever } from "../core/result.ts";
import type { Action, Banner } from "../protocol/toView.ts";
import { formatTokens } from "../core/context/contextUsage.ts";
import { formatCost } from "./rowWords.ts";

/** Explains a failure; `providerLabel` is "Anthropic" where a provider is meant. */
export function explain(error: ForgeError, providerLabel: string): Banner {
  switch (error.code) {
    case "CANCELLED":
      return info("Stopped.");
    case "VALIDATION_ERROR":
      return failure(`${error.field}: expected ${error.expected}, found ${error.found}. Nothing was changed.`);
    case "SUMMARIZATION_NEEDED":
      return failure(
        `The next request is ${formatTokens(error.excessTokens)} tokens too large for this model. Your message is kept.`,
        [SUMMARIZE, SWITCH],
      );
    case "RECENT_TOO_LARGE":
      return explainTooLarge(error);
    case "AUTH_FAILED":
    case "MODEL_UNKNOWN":
    case "RATE_LIMITED":
    case "REFUSED":
    case "SERVICE_UNAVAILABLE": {
      const { what, why, actions } = describeService(error, providerLabel);
      return failure([what, "Everything is kept.", why].filter((sentence) => sentence !== "").join(" "), actions);
    }
    case "CONSENT_NEEDED":
      return failure("The editor asks for your consent before its models can be used.", [EDITOR, SWITCH]);
    case "SPENDING_LIMIT":
      return failure(spendingText(error), [SETTINGS, RETRY, SWITCH]);
    case "CONVERSATION_IN_USE":
      return error.owner === "alive"
        ? warning("This conversation is open in another window.", [MOVE, OPEN, NEW])
        : warning(
            `This conversation was last open on ${error.host}, and nobody here can tell whether it still is. ` +
              "Take it over only if that window is closed.",
            [{ label: "Take over anyway", command: "takeOver" }, OPEN, NEW],
          );
    case "STORAGE_FAILED":
      return explainStorage(error);
    default:
      return assertNever(error);
  }
}

/** Another window asked for the conversation and has it now. */
export function movedAway(): Banner {
  return { ...info("This conversation was moved to another window. Nothing is lost."), actions: [MOVE, OPEN, NEW] };
}

/** What stands under a conversation that a newer Forge wrote, as long as it is open. */
export function writtenByNewer(): Banner {
  const text =
    "This conversation was written by a newer Forge. You can read and search it here; update Forge to go on with it.";
  return { ...info(text), actions: [OPEN, NEW] };
}

/** What happened and why, without what is safe: for a key, an address or a list that was tried and not for a message. */
export function whatFailed(error: ForgeError, providerLabel: string): string {
  switch (error.code) {
    case "AUTH_FAILED":
    case "MODEL_UNKNOWN":
    case "RATE_LIMITED":
    case "REFUSED":
    case "SERVICE_UNAVAILABLE": {
      const { what, why } = describeService(error, providerLabel);
      return why === "" ? what : `${what} ${why}`;
    }
    case "CANCELLED":
      return `${providerLabel} did not answer in time.`;
    default:
      return explain(error, providerLabel).text;
  }
}

function explainTooLarge(error: RecentMessagesTooLarge): Banner {
  const largest = error.parts
    .slice(0, 3)
    .map((part) => `${part.label} ${formatTokens(part.tokens)}`)
    .join(", ");
  return failure(
    `This does not fit: it needs ${formatTokens(error.requiredTokens)} tokens, and ${formatTokens(error.budgetTokens)} ` +
      `can be sent to this model (${largest}). Your text is kept in the box. Shorten it, or use a model with a larger window.`,
    [SWITCH],
  );
}

function spendingText({ scope, limitUsd, spentUsd, nextUsd }: SpendingLimitReached): string {
  const limit = `your limit of ${formatCost(limitUsd)} for ${scope === "day" ? "a day" : "a conversation"}`;
  const spent = `${formatCost(spentUsd)} ${scope === "day" ? "is spent today" : "is spent on this conversation"}`;
  const next = nextUsd === 0 ? "" : `, and this request costs about ${formatCost(nextUsd)} before its answer`;
  return `Nothing was sent, because of ${limit}: ${spent}${next}. Everything is kept.`;
}

interface Described {
  /** One sentence. */
  readonly what: string;
  /** More on it, as the service or the system put it; may be empty. */
  readonly why: string;
  readonly actions: readonly Action[];
}

type ServiceFailure = AuthFailed | ModelUnknown | RateLimited | Refused | ServiceUnavailable;

function describeService(error: ServiceFailure, provider: string): Described {
  switch (error.code) {
    case "AUTH_FAILED":
      return { what: `${provider} refused the key.`, why: said(error.detail), actions: [KEY, RETRY] };
    case "MODEL_UNKNOWN":
      return { what: `${provider} does not offer the model ${error.model}.`, why: "", actions: [SWITCH, RETRY] };
    case "RATE_LIMITED": {
      const what = `${provider} asks to slow down${waiting(error.retryAfterMs)}.`;
      return { what, why: said(error.detail), actions: [RETRY, SWITCH] };
    }
    case "REFUSED":
      return { what: "The model declined to answer.", why: said(error.detail), actions: [RETRY, SWITCH] };
    case "SERVICE_UNAVAILABLE":
      return describeUnavailable(error, provider);
  }
}

function describeUnavailable({ reason, detail, retryAfterMs }: ServiceUnavailable, provider: string): Described {
  const again = waiting(retryAfterMs);
  switch (reason) {
    case "unreachable":
      return { what: `${provider} can not be reached.`, why: detail, actions: [RETRY, SWITCH, SETTINGS] };
    case "stalled":
      return { what: `${provider} went silent.`, why: detail, actions: [RETRY] };
    case "cutOff":
      return { what: `The connection to ${provider} ended before the answer did.`, why: "", actions: [RETRY] };
    case "overloaded":
      return { what: `${provider} is overloaded${again}.`, why: "", actions: [RETRY, SWITCH] };
    case "serverError":
      return { what: `${provider} failed${again}.`, why: said(detail), actions: [RETRY] };
    case "notAStream": {
      const what = `${provider} answered with a page instead of a model's stream. Check the address.`;
      return { what, why: detail, actions: [SETTINGS, RETRY] };
    }
    case "badAnswer":
      return { what: `${provider} sent an answer that can not be read.`, why: detail, actions: [RETRY] };
    case "badRequest":
      return { what: `${provider} refused the request.`, why: said(detail), actions: [RETRY, SWITCH] };
    case "contextOverflow": {
      const what = `${provider} says that the request is too long for this model.`;
      return { what, why: said(detail), actions: [SUMMARIZE, SWITCH] };
    }
    case "tooManyFailures": {
      const what = `${provider} failed several times in a row, so nothing is tried by itself any more.`;
      return { what, why: "", actions: [RETRY] };
    }
    default:
      return assertNever(reason);
  }
}

function explainStorage(error: StorageFailed): Banner {
  const reopen: Action = { label: "Try again", command: "reopen" };
  const log: Action = { label: "Show log", command: "showLog" };
  switch (error.reason) {
    case "diskFull":
      return failure("The disk is full. Everything shown so far is safe. Free some space, then try again.", [reopen]);
    case "readOnly":
    case "noPermission":
      return failure(
        "Forge may not write to its storage folder. What was stored is safe; nothing new can be kept until it may.",
        [reopen, log],
      );
    case "damaged":
      return failure(
        "The file of this conversation is damaged. It was not touched. What can be read of it can be rescued into a new " +
          "file; the damaged one is kept beside it.",
        [{ label: "Rescue what can be read", command: "rescue" }, OPEN, NEW],
      );
    case "newerVersion":
      return failure(
        "This conversation was written by a newer Forge, and was not touched. Update Forge to go on with it.",
        [OPEN, NEW],
      );
    case "fileGone":
      return failure(
        "The file of this conversation is gone: it was removed or moved on the disk. Nothing new can be kept in it.",
        [NEW, OPEN],
      );
    case "noFolder":
      return failure(
        `Forge can not make its storage folder, so nothing can be kept. What was stored is safe. The system says: ${error.detail}`,
        [reopen, log],
      );
    case "ioError":
    case "workerDied":
      return failure("Storing failed, so nothing more is shown. Everything shown so far is safe.", [reopen, log]);
    case "engineChanged":
      return failure(
        "A file that Forge comes with is missing, or is not the one it was built with. What was stored is safe. Reinstall Forge.",
        [log],
      );
    default:
      return assertNever(error.reason);
  }
}

const RETRY: Action = { label: "Retry", command: "retry" };
const SWITCH: Action = { label: "Switch model", command: "switchModel" };
const SUMMARIZE: Action = { label: "Summarize", command: "summarize" };
const SETTINGS: Action = { label: "Open settings", command: "openSettings" };
const KEY: Action = { label: "Replace key", command: "addKey" };
const EDITOR: Action = { label: "Use the editor's models", command: "useEditorModels" };
const MOVE: Action = { label: "Move it here", command: "moveHere" };
const OPEN: Action = { label: "Open another", command: "openConversation" };
const NEW: Action = { label: "New conversation", command: "newConversation" };

function failure(text: string, actions: readonly Action[] = []): Banner {
  return { tone: "error", text, actions };
}
function warning(text: string, actions: readonly Action[]): Banner {
  return { tone: "warning", text, actions };
}
function info(text: string): Banner {
  return { tone: "info", text, actions: [] };
}

function said(detail: string): string {
  return detail === "" ? "" : `It said: ${detail}`;
}

function waiting(retryAfterMs: number | undefined): string {
  return retryAfterMs === undefined ? "" : `; it can be tried again in ${Math.ceil(retryAfterMs / 1000)} s`;
}
