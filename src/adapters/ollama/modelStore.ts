/** The models that an Ollama server keeps on its disk: listed with their sizes, fetched, deleted. */

import { countIn, listIn, stringField } from "../../core/json.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { errorDetail } from "../../core/stream/errorDetail.ts";
import { errorIn } from "../http/errorBody.ts";
import { jsonLines } from "./ndjson.ts";
import { sendRequest, OllamaError, type OllamaAddress } from "./ollamaServer.ts";

export interface StoredModel {
  readonly name: string;
  /** 0 when the server does not tell. */
  readonly sizeBytes: number;
}

/** `unknownModel`: nobody offers one of this name, or the server has none. `registry`: the server cannot reach its source. */
export type StoreFailure =
  | {
      readonly kind:
        | "cancelled"
        | "unreachable"
        | "cutOff"
        | "unknownModel"
        | "badName"
        | "diskFull"
        | "registry"
        | "outdated"
        | "notAllowed";
    }
  | { readonly kind: "other"; readonly detail: string };

/** Bytes of the parts that are known so far; a model has several, and the server names them one after another. */
export interface PullProgress {
  readonly totalBytes: number;
  readonly fetchedBytes: number;
  /** All parts are fetched, and are being checked. */
  readonly isChecking: boolean;
}

/** In the server's order: the newest first. */
export async function storedModels(
  address: OllamaAddress,
  signal: AbortSignal,
): Promise<Result<readonly StoredModel[], StoreFailure>> {
  try {
    const response = await sendRequest(address, "/api/tags", { signal });
    const rows = listIn(await response.json(), "models");
    const models = rows.map((row) => ({ name: stringField(row, "name"), sizeBytes: countIn(row, "size") }));
    return ok(models.filter(({ name }) => name !== ""));
  } catch (thrown) {
    return err(failureOf(thrown, signal, address));
  }
}

/**
 * Has the server fetch a model; resolves when it can be used. An abort ends the download: what was fetched stays with the
 * server for a while, and the next try goes on from there.
 */
export async function pullModel(
  address: OllamaAddress,
  model: string,
  signal: AbortSignal,
  onProgress: (progress: PullProgress) => void,
): Promise<Result<void, StoreFailure>> {
  const parts = new Map<string, { readonly total: number; readonly completed: number }>();
  try {
    // Older servers know only `name`.
    const response = await sendRequest(address, "/api/pull", { body: { model, name: model, stream: true }, signal });
    if (response.body === null) return err({ kind: "cutOff" });
    for await (const line of jsonLines(response.body)) {
      const error = errorIn(line);
      if (error !== undefined) return err(failureIn(error.message, address));
      const status = stringField(line, "status");
      if (status === "success") return ok(undefined);
      const digest = stringField(line, "digest");
      const total = countIn(line, "total");
      if (digest !== "" && total > 0) {
        // Parts that fail are fetched anew by the server, and its counts go down.
        const completed = Math.max(countIn(line, "completed"), parts.get(digest)?.completed ?? 0);
        parts.set(digest, { total, completed: Math.min(completed, total) });
      }
      const all = [...parts.values()];
      onProgress({
        totalBytes: all.reduce((sum, part) => sum + part.total, 0),
        fetchedBytes: all.reduce((sum, part) => sum + part.completed, 0),
        isChecking: /^(?:verifying|writing)/.test(status),
      });
      if (signal.aborted) return err({ kind: "cancelled" });
    }
    return err({ kind: signal.aborted ? "cancelled" : "cutOff" });
  } catch (thrown) {
    return err(failureOf(thrown, signal, address));
  }
}

/** Frees the disk. `unknownModel`: it is not there any more. */
export async function deleteModel(
  address: OllamaAddress,
  model: string,
  signal: AbortSignal,
): Promise<Result<void, StoreFailure>> {
  try {
    const response = await sendRequest(address, "/api/delete", {
      method: "DELETE",
      body: { model, name: model },
      signal,
    });
    await response.body?.cancel();
    return ok(undefined);
  } catch (thrown) {
    return err(failureOf(thrown, signal, address));
  }
}

function failureOf(thrown: unknown, signal: AbortSignal, address: OllamaAddress): StoreFailure {
  if (signal.aborted) return { kind: "cancelled" };
  if (thrown instanceof OllamaError) {
    const { status, message } = thrown.reported;
    return status === 404 && !/page/i.test(message) ? { kind: "unknownModel" } : failureIn(message, address);
  }
  if (thrown instanceof SyntaxError) return { kind: "other", detail: errorDetail(thrown.message) };
  // Node's fetch has one name for all failures of the connection, before and after the headers.
  const isBegun = /terminated|aborted|other side/i.test(String(thrown));
  return { kind: isBegun ? "cutOff" : "unreachable" };
}

/** By the words of Ollama, of its registry and of operating systems; the first that fits. */
const WORDS: readonly (readonly [RegExp, Exclude<StoreFailure["kind"], "other">])[] = [
  [/no space left|not enough space|disk (?:is )?full|disk quota|insufficient (?:disk )?space/i, "diskFull"],
  [/newer version of ollama|\b412\b/i, "outdated"],
  [/invalid model (?:name|path)|model (?:name )?is required|unqualified name/i, "badName"],
  [/file does not exist|manifest unknown|\b404\b|invalid username or password|model not found/i, "unknownModel"],
  [/\b40[13]\b|unauthorized|forbidden|access denied|sign(?:ed)? ?in\b/i, "notAllowed"],
  [
    /dial tcp|no such host|\blookup \S|i\/o timeout|deadline exceeded|tls|x509|certificate|connection (?:refused|reset)|unreachable|proxyconnect|max retries|\bEOF\b|\b50[0234]\b/i,
    "registry",
  ],
];

function failureIn(message: string, { apiKey }: OllamaAddress): StoreFailure {
  const found = WORDS.find(([words]) => words.test(message));
  const detail = errorDetail(message, apiKey === undefined ? [] : [apiKey]);
  return found === undefined ? { kind: "other", detail } : { kind: found[1] };
}
