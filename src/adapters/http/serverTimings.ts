/** Timings and progress that local servers tell beside the answer. Pure. */

import { countIn, member } from "../../core/json.ts";
import type { MeasuredSpeed, RequestSpeed } from "../../core/models/modelSpeeds.ts";
import type { PromptReading } from "../../core/stream/streamEvent.ts";

/** llama.cpp's `timings`, of the tokens that were not cached. */
export function speedOfTimings(chunk: unknown): RequestSpeed | undefined {
  const timings = member(chunk, "timings");
  const speed = {
    ...measured("reads", countIn(timings, "prompt_n"), perSecond(timings, "prompt")),
    ...measured("writes", countIn(timings, "predicted_n"), perSecond(timings, "predicted")),
  };
  return Object.keys(speed).length === 0 ? undefined : speed;
}

function perSecond(timings: unknown, name: "prompt" | "predicted"): number {
  const told = numberIn(timings, `${name}_per_second`);
  return told > 0 ? told : (countIn(timings, `${name}_n`) * 1_000) / numberIn(timings, `${name}_ms`);
}

/** Ollama's counts and durations, which are nanoseconds. `freshShare`: the part of the prompt that was not cached. */
export function speedOfDurations(line: unknown, freshShare: number): RequestSpeed | undefined {
  const prompt = countIn(line, "prompt_eval_count");
  const isToldCached = member(line, "prompt_eval_cached_count") !== undefined;
  const cached = countIn(line, "prompt_eval_cached_count");
  const fresh = isToldCached ? Math.max(0, prompt - cached) : Math.round(prompt * freshShare);
  const written = countIn(line, "eval_count");
  const speed = {
    ...measured("reads", fresh, (fresh * 1e9) / numberIn(line, "prompt_eval_duration")),
    ...measured("writes", written, (written * 1e9) / numberIn(line, "eval_duration")),
  };
  return Object.keys(speed).length === 0 ? undefined : speed;
}

function measured(name: keyof RequestSpeed, tokens: number, speed: number): Partial<Record<string, MeasuredSpeed>> {
  return tokens > 0 && Number.isFinite(speed) && speed > 0 ? { [name]: { tokens, perSecond: speed } } : {};
}

/** llama.cpp's `prompt_progress`: counts of the whole prompt, with what it had cached. */
export function readingOfProgress(chunk: unknown): PromptReading | undefined {
  const progress = member(chunk, "prompt_progress");
  const total = countIn(progress, "total");
  if (total === 0) return undefined;
  const cached = Math.min(countIn(progress, "cache"), total);
  const readTokens = Math.min(Math.max(countIn(progress, "processed") - cached, 0), total - cached);
  const speed = (readTokens * 1_000) / numberIn(progress, "time_ms");
  return {
    freshTokens: total - cached,
    readTokens,
    ...(readTokens > 0 && Number.isFinite(speed) ? { perSecond: speed } : {}),
  };
}

function numberIn(holder: unknown, name: string): number {
  const found = member(holder, name);
  return typeof found === "number" ? found : 0;
}
