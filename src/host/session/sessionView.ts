import type { ConversationEffect } from "../../core/conversation/conversation.ts";
import type { SummaryProgressView } from "../../protocol/summaryView.ts";
import type { TranscriptView } from "../transcript/transcript.ts";

/**
 * Port to the display of an open conversation: webview pages and status bar. As an effect of changes it refreshes the
 * meter, the context view and the list entry.
 */
export interface SessionView extends TranscriptView, ConversationEffect {
  /** Refreshes what surrounds the transcript after a change of figures or activity. */
  update(): void;
  /** Progress of a compaction, and whether the user waits for it; null when none runs. */
  showProgress(progress: SummaryProgressView | null, isAwaited: boolean): void;
}
