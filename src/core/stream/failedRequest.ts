/** Log lines for failed requests: who was asked, and how it ended. Never the content of request or response. */

import type { ForgeError } from "../errors.ts";
import type { ModelId } from "../ids.ts";
import { errorDetail } from "./errorDetail.ts";
import type { ResponseInfo } from "./streamEvent.ts";

/** One failed attempt. */
export interface FailedRequest {
  /** The provider's id, such as `anthropic`. */
  readonly provider: string;
  readonly asked: "answer" | "summary" | "models";
  /** Absent for a list of models. */
  readonly model?: ModelId;
  readonly error: ForgeError;
  readonly answered: ResponseInfo;
  /** 1 for the first. */
  readonly attempt: number;
}

/** `undefined` when no service failed: the user stopped it, or the failure was local. */
export function failedRequestLine(failed: FailedRequest): string | undefined {
  const { provider, asked, model, error, answered, attempt } = failed;
  const code = codeOf(error);
  if (code === undefined) return undefined;
  const { status, requestId } = answered;
  return [
    `Request failed: ${provider}`,
    asked === "models" ? "list of models" : `${asked} by ${errorDetail(model ?? "")}`,
    code,
    ...(status === undefined ? [] : [`HTTP ${String(status)}`]),
    ...(requestId === undefined ? [] : [`request id ${requestId}`]),
    `attempt ${String(attempt)}`,
  ].join(", ");
}

/** Public code and reason. The service's own message is excluded, as it may repeat the request. */
function codeOf(error: ForgeError): string | undefined {
  switch (error.code) {
    case "SERVICE_UNAVAILABLE":
      return `${error.code} (${error.reason})`;
    case "AUTH_FAILED":
    case "MODEL_UNKNOWN":
    case "NO_CREDIT":
    case "COUNTRY_REFUSED":
    case "RATE_LIMITED":
    case "REFUSED":
    case "CONSENT_NEEDED":
      return error.code;
    default:
      return undefined;
  }
}
