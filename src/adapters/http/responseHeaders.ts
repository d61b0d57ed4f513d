/** Status and request id of a response. */

import type { ResponseInfo } from "../../core/stream/streamEvent.ts";
import type { HeaderReader } from "./retryDelay.ts";

/** Anthropic; OpenAI, vLLM, OpenRouter and most gateways; Azure. */
const ID_HEADERS = ["request-id", "x-request-id", "apim-request-id"];

/** Ignores a request id of unexpected form. */
export function readResponseInfo(status: number | undefined, headers: HeaderReader | undefined): ResponseInfo {
  const requestId = ID_HEADERS.map((name) => headers?.get(name)?.trim() ?? "").find((id) =>
    /^[\w.:/-]{1,100}$/.test(id),
  );
  return { ...(status === undefined ? {} : { status }), ...(requestId === undefined ? {} : { requestId }) };
}
