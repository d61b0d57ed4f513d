/** Texts about the models on an Ollama server's disk: sizes, progress, and why something failed. */

import type { PullProgress, StoreFailure } from "../../adapters/ollama/modelStore.ts";
import { localize } from "../../protocol/localize.ts";
import { formatDecimal } from "../../protocol/numberFormat.ts";
import { assertNever } from "../../core/result.ts";

/** "5.2 GB", "420 MB", "0.4 MB". */
export function formatBytes(bytes: number): string {
  const [value, unit] = bytes < 999_500_000 ? [bytes / 1e6, "MB"] : [bytes / 1e9, "GB"];
  return `${formatDecimal(value, value < 10 ? 1 : 0, 0)} ${unit}`;
}

export function pullText({ totalBytes, fetchedBytes, isChecking }: PullProgress): string {
  if (isChecking) return localize("Checking what was fetched…");
  if (totalBytes === 0) return localize("Asking how large it is…");
  return localize(
    "{0} of {1} ({2}%)",
    formatBytes(fetchedBytes),
    formatBytes(totalBytes),
    percentOf({ totalBytes, fetchedBytes }),
  );
}

/** A whole number, 100 only when all is there. */
export function percentOf({ totalBytes, fetchedBytes }: Pick<PullProgress, "totalBytes" | "fetchedBytes">): number {
  return totalBytes === 0 ? 0 : Math.floor((fetchedBytes / totalBytes) * 100);
}

/** Why `model` was not fetched, what is safe, and what helps. `server`: the host, as a name for it. */
export function pullFailureText(failure: StoreFailure, model: string, server: string): string {
  switch (failure.kind) {
    case "cancelled":
      return localize("{0} was not fetched. Ollama keeps what it has of it for a while and goes on from there.", model);
    case "unknownModel":
      return localize(
        "No model is named {0}. Nothing was fetched. Look for its exact name at ollama.com/library.",
        model,
      );
    case "badName":
      return localize("{0} is no name of a model. Names look like qwen3:8b or hf.co/user/model.", model);
    case "diskFull":
      return localize(
        "The disk on which Ollama keeps its models is full, so {0} was not fetched. Make room or delete a model, then fetch it again: Ollama goes on from there.",
        model,
      );
    case "registry":
      return localize(
        "Ollama could not get {0} from where models are offered. Check the network of the machine that it runs on, then fetch it again: Ollama goes on from there.",
        model,
      );
    case "outdated":
      return localize("{0} needs a newer Ollama. Nothing was fetched. Update Ollama, then fetch it again.", model);
    case "notAllowed":
      return localize(
        "{0} is not open to everybody, or {1} asks for a key. Nothing was fetched. Sign in with “ollama signin”, or fetch another model.",
        model,
        server,
      );
    case "cutOff":
      return localize(
        "The connection to {0} ended before all of {1} was there. Fetch it again: Ollama goes on from there.",
        server,
        model,
      );
    case "unreachable":
      return notReachable(server);
    case "other":
      return localize("Ollama could not fetch {0}: {1}", model, failure.detail);
    default:
      return assertNever(failure);
  }
}

export function deleteFailureText(failure: StoreFailure, model: string, server: string): string {
  switch (failure.kind) {
    case "unknownModel":
      return localize("{0} is not there any more.", model);
    case "unreachable":
    case "cutOff":
      return notReachable(server);
    case "other":
      return localize("{0} was not deleted: {1}", model, failure.detail);
    default:
      return localize("{0} was not deleted.", model);
  }
}

function notReachable(server: string): string {
  return localize(
    "Ollama cannot be reached at {0}. Start it, for example with “ollama serve”, then try again.",
    server,
  );
}
