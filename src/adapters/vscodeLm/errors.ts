/** Errors of the editor as `ForgeError`s. Identified by `code`, because the error class differs between versions. */

import { type ForgeError, CANCELLED, unavailable } from "../../core/errors.ts";
import type { ModelId } from "../../core/ids.ts";
import { errorDetail } from "../../core/stream/errorDetail.ts";
import { contextOverflow, saysContextOverflow } from "../http/lengthErrors.ts";

export const PROVIDER = "editor";

/** `model` is absent for a list of models. */
export function toForgeError(thrown: unknown, model: ModelId | undefined): ForgeError {
  const { code, name, message } = readError(thrown);
  const cause = readError(thrown instanceof Error ? thrown.cause : undefined);
  const detail = errorDetail(cause.message === "" ? message : `${message}: ${cause.message}`);
  if (name === "Canceled" || name === "CancellationError" || cause.name === "Canceled") return CANCELLED;
  if (code === "NoPermissions") return { code: "CONSENT_NEEDED", provider: PROVIDER };
  if (code === "NotFound" && model !== undefined) return { code: "MODEL_UNKNOWN", provider: PROVIDER, model };
  if (code === "Blocked" || /quota|rate limit|tokens per (?:minute|hour|day)/i.test(detail))
    return { code: "RATE_LIMITED", provider: PROVIDER, detail };
  if (saysContextOverflow(detail) || /token limit/i.test(detail)) return contextOverflow(PROVIDER, detail);
  if (/filtered|responsible ai/i.test(detail)) return { code: "REFUSED", provider: PROVIDER, detail };
  return unavailable(PROVIDER, "serverError", detail);
}

function readError(thrown: unknown): { readonly code: string; readonly name: string; readonly message: string } {
  if (!(thrown instanceof Error)) return { code: "", name: "", message: typeof thrown === "string" ? thrown : "" };
  const code: unknown = Reflect.get(thrown, "code");
  return { code: typeof code === "string" ? code : "", name: thrown.name, message: thrown.message };
}
