import type { AppState } from "../state/state.ts";
import { words } from "../words/words.ts";

/** Why nothing can be sent now, in words; null if a message with text can be sent. */
export function sendBlockReason({ phase, status, composer }: AppState): string | null {
  if (phase === "waiting") return words.notWhileLoading;
  if (composer.document.sending.length > 0) return words.notWhileSending;
  switch (status.activity) {
    case "idle":
    case "streaming":
    case "summarizing":
      return null;
    case "loading":
      return words.notWhileLoading;
    case "blocked":
      return words.notWhileBlocked;
    case "readOnly":
      return words.notWhileReadOnly;
  }
}
