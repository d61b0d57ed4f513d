/** User texts for expected failures: what happened, what is safe, what to do. Pure; shown unchanged. */

import { modelName } from "../../core/models/modelName.ts";
import {
  retryAfterOf,
  type AuthFailed,
  type CountryRefused,
  type ForgeError,
  type ModelUnknown,
  type NoCredit,
  type RateLimited,
  type Refused,
  type ServiceUnavailable,
  type StorageFailed,
} from "../../core/errors.ts";
import { assertNever } from "../../core/result.ts";
import type { Action, Banner } from "../../protocol/toView.ts";
import { localize } from "../../protocol/localize.ts";
import { timeOfDay } from "../../protocol/waitTime.ts";
import {
  failure,
  info,
  REPLACE_KEY,
  MOVE_HERE,
  NEW_CONVERSATION,
  OPEN_CONVERSATION,
  RETRY,
  SETTINGS,
  SUMMARIZE,
  SWITCH_MODEL,
  warning,
} from "./banners.ts";
import { explainSpending, explainTooLarge } from "./explainLimits.ts";
import { explainStorage } from "./explainStorage.ts";
import { detailText } from "./serviceDetails.ts";
import { formatTokens } from "./formatting.ts";

/** `providerLabel`: display name of the provider, such as "Anthropic"; empty where none is involved. */
export function explain(error: ForgeError, providerLabel: string, nowMs = Date.now()): Banner {
  switch (error.code) {
    case "CANCELLED":
      return info(localize("Stopped."));
    case "VALIDATION_ERROR":
      return failure(
        localize("{0}: expected {1}, found {2}. Nothing was changed.", error.field, error.expected, error.found),
      );
    case "SUMMARIZATION_NEEDED":
      return failure(
        localize(
          "The next request is {0} tokens too large for this model. Your message is kept.",
          formatTokens(error.excessTokens),
        ),
        [SUMMARIZE, SWITCH_MODEL],
      );
    case "RECENT_TOO_LARGE":
      return explainTooLarge(error);
    case "AUTH_FAILED":
    case "NO_CREDIT":
    case "COUNTRY_REFUSED":
    case "MODEL_UNKNOWN":
    case "RATE_LIMITED":
    case "REFUSED":
    case "SERVICE_UNAVAILABLE": {
      const { what, why, actions } = describeService(error, providerLabel, nowMs);
      const text = [what, localize("Nothing is lost."), why].filter((sentence) => sentence !== "").join(" ");
      const waitMs = retryAfterOf(error);
      return { ...failure(text, actions), ...(waitMs > 0 ? { retryAtMs: nowMs + waitMs } : {}) };
    }
    case "CONSENT_NEEDED":
      return failure(
        localize(
          "The editor lets no extension use its models without your consent, and you have not given it. Nothing is lost. Retry, and allow it when the editor asks, or use another model.",
        ),
        [RETRY, SWITCH_MODEL],
      );
    case "SPENDING_LIMIT":
      return explainSpending(error);
    case "CONVERSATION_IN_USE":
      return error.owner === "alive"
        ? warning(localize("This conversation is open in another window."), [
            MOVE_HERE,
            OPEN_CONVERSATION,
            NEW_CONVERSATION,
          ])
        : warning(
            localize(
              "This conversation was last open on {0}, and may still be open there. Take it over only if that window is closed.",
              error.host,
            ),
            [{ label: localize("Take over anyway"), command: "takeOver" }, OPEN_CONVERSATION, NEW_CONVERSATION],
          );
    case "STORAGE_FAILED":
      return explainStorage(error);
    default:
      return assertNever(error);
  }
}

/** Another window asked for the conversation and has it now. */
export function movedAwayBanner(isOrderCut: boolean): Banner {
  const moved = localize("This conversation was moved to another window. Nothing is lost.");
  const cut = localize("The summary that was being written was cancelled; you can summarize again there.");
  return { ...info(isOrderCut ? `${moved} ${cut}` : moved), actions: [MOVE_HERE, OPEN_CONVERSATION, NEW_CONVERSATION] };
}

/** Shown while a conversation is open that can only be read. */
export function readOnlyBanner(reason: StorageFailed["reason"]): Banner {
  if (reason === "newerVersion") return newerVersionBanner();
  const text =
    reason === "diskFull"
      ? localize(
          "The disk is full. You can read and search this conversation; nothing new can be saved in it. Free some space, then try again.",
        )
      : localize(
          "Forge has no permission to write to its storage folder. You can read and search this conversation; nothing new can be saved in it until it has.",
        );
  return warning(text, [{ label: localize("Try again"), command: "reopen" }, OPEN_CONVERSATION]);
}

function newerVersionBanner(): Banner {
  const text = localize(
    "This conversation was written by a newer Forge. You can read and search it here; update Forge to go on with it.",
  );
  return { ...info(text), actions: [OPEN_CONVERSATION, NEW_CONVERSATION] };
}

/** What happened and why, without what is safe: for a tried key, address or list instead of a message. */
export function failureReason(error: ForgeError, providerLabel: string): string {
  switch (error.code) {
    case "AUTH_FAILED":
    case "NO_CREDIT":
    case "COUNTRY_REFUSED":
    case "MODEL_UNKNOWN":
    case "RATE_LIMITED":
    case "REFUSED":
    case "SERVICE_UNAVAILABLE": {
      const { what, why } = describeService(error, providerLabel, Date.now());
      return why === "" ? what : `${what} ${why}`;
    }
    case "CANCELLED":
      return localize("{0} did not answer in time.", providerLabel);
    default:
      return explain(error, providerLabel).text;
  }
}

interface Described {
  /** One sentence. */
  readonly what: string;
  /** Details as the service or the system put them; may be empty. */
  readonly why: string;
  readonly actions: readonly Action[];
}

type ServiceFailure =
  AuthFailed | CountryRefused | ModelUnknown | NoCredit | RateLimited | Refused | ServiceUnavailable;

function describeService(error: ServiceFailure, provider: string, nowMs: number): Described {
  switch (error.code) {
    case "AUTH_FAILED":
      return {
        what: localize("{0} refused the key.", provider),
        why: said(error.detail),
        actions: [REPLACE_KEY, RETRY],
      };
    case "MODEL_UNKNOWN":
      return {
        what: localize("{0} does not offer the model {1}.", provider, modelName(error.model)),
        why: "",
        actions: [SWITCH_MODEL, RETRY],
      };
    case "NO_CREDIT":
      return {
        what: localize(
          "{0} reports no credit left for this key. Add credit in your account there, or use another model.",
          provider,
        ),
        why: said(error.detail),
        actions: [RETRY, SWITCH_MODEL, REPLACE_KEY],
      };
    case "COUNTRY_REFUSED":
      return {
        what: localize(
          "{0} does not serve the country or region that this machine's requests come from. The key is not the reason. Use another model, or the network that you are meant to use.",
          provider,
        ),
        why: said(error.detail),
        actions: [SWITCH_MODEL, RETRY],
      };
    case "RATE_LIMITED": {
      const time = timeOf(error.retryAfterMs, nowMs);
      const what =
        time === undefined
          ? localize("{0} asks to slow down.", provider)
          : localize("{0} asks to slow down; it can be tried again at {1}.", provider, time);
      return { what, why: said(error.detail), actions: [RETRY, SWITCH_MODEL] };
    }
    case "REFUSED":
      return {
        what: localize("The model declined to answer."),
        why: said(error.detail),
        actions: [RETRY, SWITCH_MODEL],
      };
    case "SERVICE_UNAVAILABLE":
      return describeUnavailable(error, provider, nowMs);
  }
}

function describeUnavailable(error: ServiceUnavailable, provider: string, nowMs: number): Described {
  const { reason, retryAfterMs } = error;
  const detail = detailText(error.detail);
  const time = timeOf(retryAfterMs, nowMs);
  switch (reason) {
    case "unreachable":
      return {
        what: localize("{0} cannot be reached.", provider),
        why: detail,
        actions: [RETRY, SWITCH_MODEL, SETTINGS],
      };
    case "stalled":
      return { what: localize("{0} stopped responding.", provider), why: detail, actions: [RETRY] };
    case "cutOff":
      return {
        what: localize("The connection to {0} ended before the answer did.", provider),
        why: "",
        actions: [RETRY],
      };
    case "loading":
      return { what: localize("{0} is still loading its model.", provider), why: "", actions: [RETRY, SWITCH_MODEL] };
    case "overloaded": {
      const what =
        time === undefined
          ? localize("{0} is overloaded.", provider)
          : localize("{0} is overloaded; it can be tried again at {1}.", provider, time);
      return { what, why: "", actions: [RETRY, SWITCH_MODEL] };
    }
    case "serverError": {
      const what =
        time === undefined
          ? localize("{0} failed.", provider)
          : localize("{0} failed; it can be tried again at {1}.", provider, time);
      return { what, why: said(detail), actions: [RETRY] };
    }
    case "notAStream": {
      const what = localize("{0} answered with a page instead of a model's stream. Check the address.", provider);
      return { what, why: detail, actions: [SETTINGS, RETRY] };
    }
    case "badAnswer":
      return { what: localize("{0} sent an answer that cannot be read.", provider), why: detail, actions: [RETRY] };
    case "tooLarge":
      return {
        what: localize("{0} sent more than Forge reads.", provider),
        why: detail,
        actions: [RETRY, SWITCH_MODEL],
      };
    case "badRequest":
      return {
        what: localize("{0} refused the request.", provider),
        why: said(detail),
        actions: [RETRY, SWITCH_MODEL],
      };
    case "contextOverflow": {
      const what = localize("{0} says that the request is too long for this model.", provider);
      return { what, why: said(detail), actions: [SUMMARIZE, SWITCH_MODEL] };
    }
    case "tooManyFailures": {
      const what = localize("{0} failed several times in a row, so Forge no longer retries automatically.", provider);
      return { what, why: "", actions: [RETRY] };
    }
    default:
      return assertNever(reason);
  }
}

function said(detail: string): string {
  return detail === "" ? "" : localize("It said: {0}", detail);
}

/** Time of day; a machine's clock, not the service's, so that the user can compare it. */
function timeOf(retryAfterMs: number | undefined, nowMs: number): string | undefined {
  return retryAfterMs === undefined ? undefined : timeOfDay(nowMs + retryAfterMs, nowMs);
}
