/** Log lines of llama.cpp's server about the requests that it works on. */

export interface ServedRequest {
  /** Tokens of the whole request, as it is billed. */
  readonly promptTokens: number;
  /** Tokens that were not read anew, since an earlier request began with the same. */
  readonly cachedTokens: number;
}

const PROMPT = /new prompt, .{0,80}task\.n_tokens = (\d{1,9})/;
const CACHED = /cached n_tokens = (\d{1,9})/;

/** Requests of a log of verbosity 4, oldest first. */
export function servedRequests(log: string): readonly ServedRequest[] {
  const served: ServedRequest[] = [];
  for (const line of log.split("\n")) {
    const prompt = PROMPT.exec(line)?.[1];
    const cached = CACHED.exec(line)?.[1];
    const last = served.at(-1);
    if (prompt !== undefined) served.push({ promptTokens: Number(prompt), cachedTokens: 0 });
    else if (cached !== undefined && last?.cachedTokens === 0)
      served[served.length - 1] = { ...last, cachedTokens: Number(cached) };
  }
  return served;
}
