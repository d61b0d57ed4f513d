import type { SummaryDetail, SummaryRow } from "../../protocol/summaryView.ts";

/** Shared by the components of a summary. */
export interface SummaryProps {
  readonly row: SummaryRow;
  readonly open: boolean;
  /** Null until received. */
  readonly detail: SummaryDetail | null;
}
