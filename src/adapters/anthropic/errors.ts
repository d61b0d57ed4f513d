/** Reads what the library throws. Nothing else knows the library's errors. */

import { APIError, APIUserAbortError } from "@anthropic-ai/sdk/core/error";
import { reportedInAnswer, statusInCode, type ReportedError, invalidFields } from "../http/httpFailure.ts";
import { member } from "../../core/json.ts";

/** The provider's own name, in errors and settings. */
export const PROVIDER = "anthropic";

/** What a thrown value says; `undefined` where it is the library's wrapping of a connection that failed. */
export function readError(thrown: unknown): ReportedError | "cancelled" | undefined {
  const isAborted = thrown instanceof Error && thrown.name === "AbortError";
  if (isAborted || thrown instanceof APIUserAbortError) return "cancelled";
  if (!isApiError(thrown) || (thrown.status === undefined && thrown.error === undefined)) return undefined;
  const { type, apiMessage, message, headers, error } = thrown;
  const status = thrown.status ?? statusInCode(member(error, "error"));
  const said = invalidFields(error) ?? { message: apiMessage ?? message };
  return reportedInAnswer({ status, type: type ?? "", ...said }, headers, Date.now());
}

function isApiError(thrown: unknown): thrown is APIError {
  return thrown instanceof APIError;
}
