/**
 * Every expected failure, as one union. `code` is public and stable; the other fields are just what a caller needs to
 * act. The host makes the words that a user reads.
 */

import type { ModelId } from "./ids.ts";

/** A limit, document or argument is invalid. Nothing was changed. */
export interface ValidationError {
  readonly code: "VALIDATION_ERROR";
  /** A field name, or a path such as `messages[3].parts[0].text`. */
  readonly field: string;
  readonly found: string;
  readonly expected: string;
}

/** A share of a request that cannot be made to fit; lists are largest first. */
export interface RequestPart {
  readonly kind: "system" | "tools" | "message" | "pinned" | "priming";
  /** For the user: "instructions", "9 tools", "message 118". */
  readonly label: string;
  readonly tokens: number;
}

/** The part of a request that is always sent exceeds the model's budget by itself. */
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

/** A provider's id such as `anthropic`; selects words and remedies. */
export type ProviderName = string;

/** A provider failed for a reason that is not the user's. */
export interface ServiceUnavailable {
  readonly code: "SERVICE_UNAVAILABLE";
  readonly provider: ProviderName;
  readonly reason:
    | "unreachable"
    | "stalled"
    | "cutOff"
    | "overloaded"
    /** The server is up, and its model not yet in memory. */
    | "loading"
    | "serverError"
    | "notAStream"
    | "badAnswer"
    /** Reading ended at a limit. */
    | "tooLarge"
    | "badRequest"
    | "contextOverflow"
    | "tooManyFailures";
  /** The provider's message, shortened and free of keys. */
  readonly detail: string;
  readonly retryAfterMs?: number;
  /** The model's window, where the provider's `contextOverflow` names it. */
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

/** The account has no credit left, or its allowance is used up: waiting does not help. */
export interface NoCredit {
  readonly code: "NO_CREDIT";
  readonly provider: ProviderName;
  readonly detail: string;
}

/** The provider does not serve the country that the request came from. */
export interface CountryRefused {
  readonly code: "COUNTRY_REFUSED";
  readonly provider: ProviderName;
  readonly detail: string;
}

/** Too many requests, or too many tokens, in a time. */
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
  /** `unknown`: on another machine or in another container, so its liveness cannot be checked from here. */
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
    /** The folder of conversations is no folder, or cannot be created. */
    | "noFolder"
    | "ioError"
    | "workerDied"
    /** The database library, or another file that comes with Forge, is not the one it was built with. */
    | "engineChanged";
  readonly detail: string;
}

export type ForgeError =
  | ValidationError
  | RecentMessagesTooLarge
  | SummarizationNeededError
  | ServiceUnavailable
  | AuthFailed
  | ModelUnknown
  | NoCredit
  | CountryRefused
  | RateLimited
  | Refused
  | ConsentNeeded
  | SpendingLimitReached
  | Cancelled
  | ConversationInUse
  | StorageFailed;

export function validationError(field: string, found: string, expected: string): ValidationError {
  return { code: "VALIDATION_ERROR", field, found, expected };
}

/** Libraries throw other values than errors, too. */
export function thrownText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

export const CANCELLED: Cancelled = { code: "CANCELLED" };

/** `detail` must have gone through `errorDetail`. */
export function unavailable(
  provider: string,
  reason: ServiceUnavailable["reason"],
  detail: string,
  retryAfterMs?: number,
): ServiceUnavailable {
  const error: ServiceUnavailable = { code: "SERVICE_UNAVAILABLE", provider, reason, detail };
  return retryAfterMs === undefined ? error : { ...error, retryAfterMs };
}

/** Whether nothing can be written where the conversation is, though it may be read. */
export function isUnwritable({ reason }: StorageFailed): boolean {
  return reason === "diskFull" || reason === "readOnly" || reason === "noPermission";
}

/** Maps the code of a failed system call, such as `ENOSPC`. */
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

/** In milliseconds; 0 when the service named no delay. */
export function retryAfterOf(error: ForgeError): number {
  return "retryAfterMs" in error ? (error.retryAfterMs ?? 0) : 0;
}
