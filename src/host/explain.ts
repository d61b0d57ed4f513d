/** The words for every expected failure: what happened, what is safe, what to do. Pure; the webview shows them as they are. */

import type { ForgeError, RecentMessagesTooLarge, ServiceUnavailable, StorageFailed } from "../core/errors.ts";
import { assertNever } from "../core/result.ts";
import type { Action, Banner } from "../protocol/toView.ts";
import { formatTokens } from "../core/context/contextUsage.ts";

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
    case "SERVICE_UNAVAILABLE":
      return explainService(error, providerLabel);
    case "AUTH_FAILED":
      return failure(`${providerLabel} refused the key. Everything is kept.${said(error.detail)}`, [KEY, RETRY]);
    case "MODEL_UNKNOWN":
      return failure(`${providerLabel} does not offer the model ${error.model} with this key. Everything is kept.`, [
        SWITCH,
        RETRY,
      ]);
    case "RATE_LIMITED":
      return failure(
        `${providerLabel} asks to slow down${waiting(error.retryAfterMs)}. Everything is kept.${said(error.detail)}`,
        [RETRY, SWITCH],
      );
    case "REFUSED":
      return failure(`The model declined to answer. Everything is kept.${said(error.detail)}`, [RETRY, SWITCH]);
    case "CONSENT_NEEDED":
      return failure("The editor asks for your consent before its models can be used.", [EDITOR, SWITCH]);
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

function explainService(error: ServiceUnavailable, provider: string): Banner {
  const again = waiting(error.retryAfterMs);
  switch (error.reason) {
    case "unreachable":
      return failure(`${provider} can not be reached. Everything is kept.${said(error.detail)}`, [RETRY, SETTINGS]);
    case "stalled":
      return failure(`${provider} went silent. Everything that was shown is kept.${said(error.detail)}`, [RETRY]);
    case "cutOff":
      return failure(`The connection to ${provider} ended before the answer did. Everything that was shown is kept.`, [
        RETRY,
      ]);
    case "overloaded":
      return failure(`${provider} is overloaded${again}. Everything is kept.`, [RETRY, SWITCH]);
    case "serverError":
      return failure(`${provider} failed${again}. Everything is kept.${said(error.detail)}`, [RETRY]);
    case "notAStream":
      return failure(
        `The server answered with a page instead of a model's stream. Check the address. Everything is kept.${said(error.detail)}`,
        [SETTINGS, RETRY],
      );
    case "badAnswer":
      return failure(`${provider} sent an answer that can not be read. Everything is kept.${said(error.detail)}`, [
        RETRY,
      ]);
    case "badRequest":
      return failure(`${provider} refused the request. Everything is kept.${said(error.detail)}`, [RETRY, SWITCH]);
    case "contextOverflow":
      return failure(`${provider} says that the request is too long for this model. Everything is kept.`, [
        SUMMARIZE,
        SWITCH,
      ]);
    case "tooManyFailures":
      return failure(`${provider} failed several times in a row, so nothing is tried by itself any more.`, [RETRY]);
    default:
      return assertNever(error.reason);
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
        "The file of this conversation is damaged. It was not touched. Another conversation can be used.",
        [OPEN, NEW, log],
      );
    case "newerVersion":
      return failure("This conversation was written by a newer Forge. Update Forge to open it; it was not touched.", [
        OPEN,
        NEW,
      ]);
    case "fileGone":
      return failure("The file of this conversation was removed from the disk while it was open.", [NEW, OPEN]);
    case "ioError":
    case "workerDied":
      return failure("Storing failed, so nothing more is shown. Everything shown so far is safe.", [reopen, log]);
    case "engineChanged":
      return failure("The database engine is not the one that Forge was built with. Reinstall Forge.", [log]);
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
  return detail === "" ? "" : ` It said: ${detail}`;
}

function waiting(retryAfterMs: number | undefined): string {
  return retryAfterMs === undefined ? "" : `; it can be tried again in ${Math.ceil(retryAfterMs / 1000)} s`;
}
