/** Reads what the library throws. Nothing else knows the library's errors. */

import { APIError, APIUserAbortError } from "openai/core/error";
import { errorInBody, saidInAnswer, type RequestFacts, type SaidError } from "../../core/stream/httpFailure.ts";
import { member, textIn } from "../../core/stream/jsonFields.ts";
import type { OpenAiSettings } from "./openAiClient.ts";

/** What a thrown value says; `undefined` where it is the library's wrapping of a connection that failed. */
export function readError(thrown: unknown): SaidError | "cancelled" | undefined {
  if (thrown instanceof APIUserAbortError) return "cancelled";
  if (!isApiError(thrown) || (thrown.status === undefined && thrown.error === undefined)) return undefined;
  const { status = statusInBody(thrown), code, type, error, message, headers } = thrown;
  const said = {
    status,
    type: wordOf(code) ?? wordOf(type) ?? "",
    message: messageInBody(error) ?? message,
    parameter: wordOf(thrown.param),
  };
  return saidInAnswer(said, headers, Date.now());
}

/** Whom a request to these settings is for. */
export function factsOf({ name, apiKey }: OpenAiSettings): RequestFacts {
  return { provider: name, secrets: apiKey === undefined ? [] : [apiKey] };
}

function wordOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** OpenRouter reports an error in mid-stream with the HTTP status as its code. */
function statusInBody(error: APIError): number | undefined {
  const code: unknown = error.code;
  return typeof code === "number" ? code : undefined;
}

/** What the server said; the library's own message has the status in front of it. */
function messageInBody(body: unknown): string | undefined {
  const message = wordOf(member(body, "message"));
  // OpenRouter says only that there was an error, and what the service behind it said beside that.
  const behind = textIn(member(body, "metadata"), "raw");
  if (message === undefined || behind === "") return message;
  return `${message}: ${errorInBody(behind)?.message ?? behind}`;
}

function isApiError(thrown: unknown): thrown is APIError {
  return thrown instanceof APIError;
}
