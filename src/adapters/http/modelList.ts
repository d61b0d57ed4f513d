/** Lists of models, as every adapter asks for them. */

import { follow, type CancelSignal } from "../../core/cancellation.ts";
import type { ForgeError } from "../../core/errors.ts";
import { err, type Result } from "../../core/result.ts";
import type { OfferedModel } from "../../core/stream/provider.ts";
import { foreignFailure, toForgeError, type RequestFacts, type ReportedError } from "./httpFailure.ts";
import { bodyText } from "./responseBody.ts";

/** The models on offer, or why their list cannot be had. */
export type ListedModels = Result<readonly OfferedModel[], ForgeError>;

/** Whom a list is asked of, and how what its library throws is read. */
export interface ListRequest {
  readonly facts: RequestFacts;
  /** What a thrown value says; `undefined` for a connection that failed. */
  readonly readError: (thrown: unknown) => ReportedError | "cancelled" | undefined;
}

/** Has `read` ask for a list, until `cancel` aborts; what it throws is a failure of the service. */
export async function listedModels(
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

/** Why an answer that should be a list in JSON is none; `undefined` where its type says that it is one. */
export async function foreignList(facts: RequestFacts, response: Response): Promise<ForgeError | undefined> {
  const isJson = /json/i.test(response.headers.get("content-type") ?? "");
  return isJson ? undefined : foreignFailure(facts, response.headers, await bodyText(response));
}
