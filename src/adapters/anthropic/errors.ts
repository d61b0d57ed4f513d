/** Reads the errors of the Anthropic library; no other file knows them. */

import { APIError, APIUserAbortError } from "@anthropic-ai/sdk/core/error";
import { reportedError, type ReportedError } from "../http/httpFailure.ts";

export const PROVIDER = "anthropic";

/** `undefined` for a failed connection that the library has wrapped. */
export function readError(thrown: unknown): ReportedError | "cancelled" | undefined {
  const isAborted = thrown instanceof Error && thrown.name === "AbortError";
  if (isAborted || thrown instanceof APIUserAbortError) return "cancelled";
  if (!isApiError(thrown) || (thrown.status === undefined && thrown.error === undefined)) return undefined;
  const { status, message, headers, error } = thrown;
  return reportedError(error, { status, fallback: message, headers });
}

function isApiError(thrown: unknown): thrown is APIError {
  return thrown instanceof APIError;
}
