import { follow, type CancelSignal } from "../../core/cancellation.ts";
import type { ForgeError } from "../../core/errors.ts";
import { err, type Result } from "../../core/result.ts";
import type { OfferedModel } from "../../core/stream/provider.ts";
import { foreignFailure, toForgeError, type RequestFacts, type ReportedError } from "./httpFailure.ts";
import { bodyText } from "./responseBody.ts";

export type ListedModels = Result<readonly OfferedModel[], ForgeError>;

export interface ListRequest {
  readonly facts: RequestFacts;
  /** `undefined` for a failed connection. */
  readonly readError: (thrown: unknown) => ReportedError | "cancelled" | undefined;
}

/** Runs `read` until `cancel` aborts; an exception becomes a failure of the service. */
export async function requestModels(
  { facts, readError }: ListRequest,
  cancel: CancelSignal,
  read: (live: AbortSignal) => Promise<ListedModels>,
): Promise<ListedModels> {
  const live = new AbortController();
  const unfollow = follow(cancel, live);
  try {
    return await read(live.signal);
  } catch (thrown) {
    return err(toForgeError(thrown, readError(thrown), { ...facts, phase: "connecting" }));
  } finally {
    unfollow();
  }
}

/** Failure for a response whose content type is not JSON, else `undefined`. */
export async function notAListFailure(facts: RequestFacts, response: Response): Promise<ForgeError | undefined> {
  const isJson = /json/i.test(response.headers.get("content-type") ?? "");
  return isJson ? undefined : foreignFailure(facts, response.headers, await bodyText(response));
}
