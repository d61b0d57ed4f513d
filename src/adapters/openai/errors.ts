/** Reads the errors of the OpenAI library; no other file knows them. */

import { APIError, APIUserAbortError } from "openai/core/error";
import {
  errorInBody,
  withResponseHeaders,
  statusInCode,
  type RequestFacts,
  type ReportedError,
  invalidFields,
} from "../http/httpFailure.ts";
import { member, stringField } from "../../core/json.ts";
import type { OpenAiSettings } from "./openAiClient.ts";

/** `undefined` for a failed connection that the library has wrapped. */
export function readError(thrown: unknown): ReportedError | "cancelled" | undefined {
  if (thrown instanceof APIUserAbortError) return "cancelled";
  if (!isApiError(thrown) || (thrown.status === undefined && thrown.error === undefined)) return undefined;
  const { message, headers } = thrown;
  const error = unwrappedError(thrown.error);
  const said = {
    status: thrown.status ?? statusInCode(error),
    type: stringField(error, "code") || stringField(error, "type"),
    message: messageInBody(error) ?? message,
    parameter: nonEmptyString(thrown.param),
    ...invalidFields(error),
  };
  return withResponseHeaders(said, headers, Date.now());
}

/** Google wraps the error in a list. */
function unwrappedError(body: unknown): unknown {
  const first: unknown = Array.isArray(body) ? body[0] : undefined;
  return first === undefined ? body : (member(first, "error") ?? first);
}

export function factsOf({ name, apiKey }: OpenAiSettings): RequestFacts {
  return { provider: name, secrets: apiKey === undefined ? [] : [apiKey] };
}

function nonEmptyString(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Message from the server; the library's own is prefixed with the status. */
function messageInBody(error: unknown): string | undefined {
  const message =
    nonEmptyString(error) ?? nonEmptyString(member(error, "message")) ?? nonEmptyString(member(error, "detail"));
  // OpenRouter reports the upstream service's error only in the metadata.
  const upstreamError = stringField(member(error, "metadata"), "raw");
  if (message === undefined || upstreamError === "") return message;
  return `${message}: ${errorInBody(upstreamError)?.message ?? upstreamError}`;
}

function isApiError(thrown: unknown): thrown is APIError {
  return thrown instanceof APIError;
}
