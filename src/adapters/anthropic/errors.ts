/** Reads the errors of the Anthropic library; no other file knows them. */

import { APIError, APIUserAbortError } from "@anthropic-ai/sdk/core/error";
import { withResponseHeaders, statusInCode, type ReportedError, invalidFields } from "../http/httpFailure.ts";
import { member } from "../../core/json.ts";

export const PROVIDER = "anthropic";

/** `undefined` for a failed connection that the library has wrapped. */
export function readError(thrown: unknown): ReportedError | "cancelled" | undefined {
  const isAborted = thrown instanceof Error && thrown.name === "AbortError";
  if (isAborted || thrown instanceof APIUserAbortError) return "cancelled";
  if (!isApiError(thrown) || (thrown.status === undefined && thrown.error === undefined)) return undefined;
  const { type, apiMessage, message, headers, error } = thrown;
  const status = thrown.status ?? statusInCode(member(error, "error"));
  const said = invalidFields(error) ?? { message: apiMessage ?? message };
  return withResponseHeaders({ status, type: type ?? "", ...said }, headers, Date.now());
}

function isApiError(thrown: unknown): thrown is APIError {
  return thrown instanceof APIError;
}
