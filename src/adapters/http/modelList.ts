import { follow, type CancelSignal } from "../../core/cancellation.ts";
import type { ForgeError } from "../../core/errors.ts";
import { tryParseJson } from "../../core/json.ts";
import { err, ok, type Result } from "../../core/result.ts";
import type { OfferedModel } from "../../core/stream/provider.ts";
import { errorIn } from "./errorBody.ts";
import { foreignFailure, toForgeError, type RequestFacts, type ReportedError } from "./httpFailure.ts";
import { modelsIn, type ListOptions } from "./listedModels.ts";
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

/** The models of a list; an error in a success, and an answer of another form, is a failure. */
export async function readModels(
  facts: RequestFacts,
  response: Response,
  options?: ListOptions,
): Promise<ListedModels> {
  return modelsOfText(facts, response, await bodyText(response), options);
}

/** The same, of a body that has been read. */
export function modelsOfText(
  facts: RequestFacts,
  { headers }: Pick<Response, "headers">,
  text: string,
  options?: ListOptions,
): ListedModels {
  const body = tryParseJson(text);
  const models = modelsIn(body, options);
  const isList = models !== undefined && (models.length > 0 || errorIn(body) === undefined);
  return isList ? ok(models) : err(foreignFailure(facts, headers, text));
}
