import type { AppState } from "./state.ts";
import { words } from "./words.ts";

/** Says in words why nothing can be sent now; null when a message that has any text can be sent. */
export function sendBlock(state: Pick<AppState, "phase" | "status" | "composer">): string | null {
  if (state.phase === "waiting") return words.notWhileLoading;
  if (state.composer.pending !== null) return words.notWhileSending;
  switch (state.status.activity) {
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
