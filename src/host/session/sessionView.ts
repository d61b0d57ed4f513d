import type { ConversationEffect } from "../../core/conversation/conversation.ts";
import type { TranscriptView } from "../transcript/transcript.ts";

/**
 * The port to what shows an open conversation: its pages and the indicator. As an effect of changes it shows the figures of
 * the meter and the context view, and the list's entry follows.
 */
export interface SessionView extends TranscriptView, ConversationEffect {
  /** Figures or activity changed: what stands around the transcript is shown anew. */
  update(): void;
  /** How far a compaction is, 0–100, and whether the user waits for it; null when none runs. */
  showProgress(percent: number | null, isAwaited: boolean): void;
  /** Says quietly what a compaction has saved; null: not any more. */
  showSaved(text: string | null): void;
}
