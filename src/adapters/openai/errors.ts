/** Reads what the library throws. Nothing else knows the library's errors. */

import { APIError, APIUserAbortError } from "openai/core/error";
import {
  errorInBody,
  reportedInAnswer,
  statusInCode,
  type RequestFacts,
  type ReportedError,
  invalidFields,
} from "../http/httpFailure.ts";
import { member, stringField } from "../../core/json.ts";
import type { OpenAiSettings } from "./openAiClient.ts";

/** What a thrown value says; `undefined` where it is the library's wrapping of a connection that failed. */
export function readError(thrown: unknown): ReportedError | "cancelled" | undefined {
  if (thrown instanceof APIUserAbortError) return "cancelled";
  if (!isApiError(thrown) || (thrown.status === undefined && thrown.error === undefined)) return undefined;
  const { message, headers } = thrown;
  const error = toldIn(thrown.error);
  const said = {
    status: thrown.status ?? statusInCode(error),
    type: stringField(error, "code") || stringField(error, "type"),
    message: messageInBody(error) ?? message,
    parameter: wordOf(thrown.param),
    ...invalidFields(error),
  };
  return reportedInAnswer(said, headers, Date.now());
}

/** Google gives a list of one. */
function toldIn(body: unknown): unknown {
  const first: unknown = Array.isArray(body) ? body[0] : undefined;
  return first === undefined ? body : (member(first, "error") ?? first);
}

/** Whom a request to these settings is for. */
export function factsOf({ name, apiKey }: OpenAiSettings): RequestFacts {
  return { provider: name, secrets: apiKey === undefined ? [] : [apiKey] };
}

function wordOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** What the server said; the library's own message has the status in front of it. */
function messageInBody(error: unknown): string | undefined {
  const message = wordOf(error) ?? wordOf(member(error, "message")) ?? wordOf(member(error, "detail"));
  // OpenRouter says only that there was an error, and what the service behind it said beside that.
  const behind = stringField(member(error, "metadata"), "raw");
  if (message === undefined || behind === "") return message;
  return `${message}: ${errorInBody(behind)?.message ?? behind}`;
}

function isApiError(thrown: unknown): thrown is APIError {
  return thrown instanceof APIError;
}
