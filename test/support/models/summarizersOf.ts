import type { Connection, Summarizers } from "../../../src/host/connections/connections.ts";

/** Summaries are written by `other`; absent: by the model that answers. */
export function summarizersOf(other?: Connection): Summarizers {
  return {
    summarizer: (main: Connection) => Promise.resolve(other ?? main),
    summarizerModel: (main) => (other ?? main).model,
    summarizerProvider: (main) => (other ?? main).providerName,
    summarizerProblem: () => "",
  };
}
