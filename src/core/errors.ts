/**
 * Every failure that Forge expects, as one union. `code` is public and stable; the other fields are just what a caller
 * needs to act. The words that a user reads are made from these in the host.
 */

import type { ModelId } from "./ids.ts";

/** A limit, a document or an argument is not as it must be. Nothing was changed. */
export interface ValidationError {
  readonly code: "VALIDATION_ERROR";
  /** Where it is wrong: a field name, or a path such as `messages[3].parts[0].text`. */
  readonly field: string;
  readonly found: string;
  readonly expected: string;
}

/** What takes how much of a request that cannot be made to fit; largest first. */
export interface RequestPart {
  readonly kind: "system" | "tools" | "message" | "pinned" | "priming";
  /** For the user: "instructions", "9 tools", "message 118". */
  readonly label: string;
  readonly tokens: number;
}

/** The part of a request that is always sent does not fit the model's budget by itself. */
export interface RecentMessagesTooLarge {
  readonly code: "RECENT_TOO_LARGE";
  readonly requiredTokens: number;
  readonly budgetTokens: number;
  readonly messageCount: number;
  readonly parts: readonly RequestPart[];
}

/** The next request does not fit and something older must be summarized first. */
export interface SummarizationNeededError {
  readonly code: "SUMMARIZATION_NEEDED";
  readonly excessTokens: number;
}

/** Who failed: a provider's id such as `anthropic`, for words and for the choice of the mend. */
export type ProviderName = string;

/** A provider did not do what was asked, for a reason that is not the user's. */
export interface ServiceUnavailable {
  readonly code: "SERVICE_UNAVAILABLE";
  readonly provider: ProviderName;
  readonly reason:
    | "unreachable"
    | "stalled"
    | "cutOff"
    | "overloaded"
    | "serverError"
    | "notAStream"
    | "badAnswer"
    | "badRequest"
    | "contextOverflow"
    | "tooManyFailures";
  /** What the provider said, cut to a readable length and free of keys. */
  readonly detail: string;
  readonly retryAfterMs?: number;
  /** The model's window, where a refusal of too long a request (`contextOverflow`) names it. */
  readonly windowTokens?: number;
}

/** The provider refused the key. */
export interface AuthFailed {
  readonly code: "AUTH_FAILED";
  readonly provider: ProviderName;
  readonly detail: string;
}

/** The provider does not know the model, or the key may not use it. */
export interface ModelUnknown {
  readonly code: "MODEL_UNKNOWN";
  readonly provider: ProviderName;
  readonly model: ModelId;
}

/** The provider asks for less speed or more credit. */
export interface RateLimited {
  readonly code: "RATE_LIMITED";
  readonly provider: ProviderName;
  readonly detail: string;
  readonly retryAfterMs?: number;
}

/** The model or its provider declined to answer. */
export interface Refused {
  readonly code: "REFUSED";
  readonly provider: ProviderName;
  readonly detail: string;
}

/** The editor's models ask for the user's consent first. */
export interface ConsentNeeded {
  readonly code: "CONSENT_NEEDED";
  readonly provider: ProviderName;
}

/** A request would cost more than the user wants to spend. Nothing was sent. US dollars. */
export interface SpendingLimitReached {
  readonly code: "SPENDING_LIMIT";
  readonly scope: "day" | "conversation";
  readonly limitUsd: number;
  readonly spentUsd: number;
  /** What the question alone would cost; 0 where the price is unknown. */
  readonly nextUsd: number;
}

/** The user stopped it. An outcome rather than a failure. */
export interface Cancelled {
  readonly code: "CANCELLED";
}

/** Another window, or a process that cannot be judged from here, holds the conversation. */
export interface ConversationInUse {
  readonly code: "CONVERSATION_IN_USE";
  /** `unknown`: on another machine or in another container, where nobody here can tell whether it lives. */
  readonly owner: "alive" | "unknown";
  readonly host: string;
  readonly pid: number;
}

/** The disk or a file on it failed. */
export interface StorageFailed {
  readonly code: "STORAGE_FAILED";
  readonly reason:
    | "diskFull"
    | "readOnly"
    | "noPermission"
    | "damaged"
    | "newerVersion"
    | "fileGone"
    /** The folder in which conversations are made is not one, or cannot be made. */
    | "noFolder"
    | "ioError"
    | "workerDied"
    /** The database library, or another file that comes with Forge, is not the one it was built with. */
    | "engineChanged";
  readonly detail: string;
}

/** Everything that Forge expects to go wrong. */
export type ForgeError =
  | ValidationError
  | RecentMessagesTooLarge
  | SummarizationNeededError
  | ServiceUnavailable
  | AuthFailed
  | ModelUnknown
  | RateLimited
  | Refused
  | ConsentNeeded
  | SpendingLimitReached
  | Cancelled
  | ConversationInUse
  | StorageFailed;

/** Says which field is wrong, what was found and what is expected. */
export function validationError(field: string, found: string, expected: string): ValidationError {
  return { code: "VALIDATION_ERROR", field, found, expected };
}

/** What something that was thrown says; libraries throw other things than errors, too. */
export function thrownText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** What a stopped request or call ends with. */
export const CANCELLED: Cancelled = { code: "CANCELLED" };

/** Says what went wrong with a service. `detail` must have gone through `errorDetail`. */
export function unavailable(
  provider: string,
  reason: ServiceUnavailable["reason"],
  detail: string,
  retryAfterMs?: number,
): ServiceUnavailable {
  const error: ServiceUnavailable = { code: "SERVICE_UNAVAILABLE", provider, reason, detail };
  return retryAfterMs === undefined ? error : { ...error, retryAfterMs };
}

/** Says what a failed call to the operating system, such as `ENOSPC`, means for what the store keeps. */
export function storageFailed(systemCode: string | undefined, detail: string): StorageFailed {
  return { code: "STORAGE_FAILED", reason: SYSTEM_CODES[systemCode ?? ""] ?? "ioError", detail };
}

const SYSTEM_CODES: Readonly<Record<string, StorageFailed["reason"]>> = {
  ENOSPC: "diskFull",
  EDQUOT: "diskFull",
  EFBIG: "diskFull",
  EROFS: "readOnly",
  EACCES: "noPermission",
  EPERM: "noPermission",
  ENOENT: "fileGone",
  ENOTDIR: "fileGone",
};

/** How long the service wants nothing to be asked of it, in milliseconds; 0 where it did not say. */
export function retryAfterOf(error: ForgeError): number {
  return "retryAfterMs" in error ? (error.retryAfterMs ?? 0) : 0;
}
