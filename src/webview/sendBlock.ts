import type { AppState } from "./state.ts";
import { words } from "./words.ts";

/** Says in words why nothing can be sent now; null when a message that has any text can be sent. */
export function sendBlock(state: Pick<AppState, "phase" | "status" | "composer">): string | null {
  if (state.phase === "waiting") return words.notWhileLoading;
  if (state.composer.pending !== null) return words.notWhileSending;
  switch (state.status.activity) {
    case "idle":
      return null;
    case "loading":
      return words.notWhileLoading;
    case "streaming":
      return words.notWhileStreaming;
    case "summarizing":
      return words.notWhileSummarizing;
    case "blocked":
      return words.notWhileBlocked;
  }
}
