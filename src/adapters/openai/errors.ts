/** Reads the errors of the OpenAI library; no other file knows them. */

import { APIError, APIUserAbortError } from "openai/core/error";
import { reportedError, type RequestFacts, type ReportedError } from "../http/httpFailure.ts";
import type { OpenAiSettings } from "./openAiClient.ts";

/** `undefined` for a failed connection that the library has wrapped. */
export function readError(thrown: unknown): ReportedError | "cancelled" | undefined {
  if (thrown instanceof APIUserAbortError) return "cancelled";
  if (!isApiError(thrown) || (thrown.status === undefined && thrown.error === undefined)) return undefined;
  const { status, message, headers, error } = thrown;
  return reportedError(error, { status, fallback: message, headers });
}

export function factsOf({ name, apiKey }: OpenAiSettings): RequestFacts {
  return { provider: name, secrets: apiKey === undefined ? [] : [apiKey] };
}

function isApiError(thrown: unknown): thrown is APIError {
  return thrown instanceof APIError;
}
