/** What the parts of a summary are drawn from. */
import type { SummaryDetail, SummaryRow } from "../../protocol/summaryView.ts";

/** What is drawn of a summary. */
export interface SummaryProps {
  readonly row: SummaryRow;
  readonly open: boolean;
  /** Null until the host has sent it. */
  readonly detail: SummaryDetail | null;
}
