/** Models that a service streams only to some of its users: to the others they answer at once, or not at all. */

import type { StreamOptions } from "../../core/stream/provider.ts";
import type { ReportedError } from "../http/httpFailure.ts";
import type { OpenAiSettings } from "./openAiClient.ts";

interface Asked {
  readonly settings: OpenAiSettings;
  readonly options: StreamOptions;
}

/** The same body, for an answer at once where the model has refused to stream. */
export function streamedIfTaken<Body extends { readonly stream: true; readonly stream_options?: unknown }>(
  body: Body,
  { settings, options }: Asked,
): Body | (Omit<Body, "stream" | "stream_options"> & { readonly stream: false }) {
  if (!settings.unstreamed.has(options.model)) return body;
  return { ...body, stream: false, stream_options: undefined };
}

/** Remembers that the model does not stream, where `said` says it for the first time. */
export function learnUnstreamed(
  { status, message, parameter }: ReportedError,
  { settings: { unstreamed }, options: { model } }: Asked,
): boolean {
  const isRefused = status === 400 && (parameter === "stream" || REFUSED.test(message)) && !unstreamed.has(model);
  if (isRefused) unstreamed.add(model);
  return isRefused;
}

/** OpenAI, itself and as others pass it on; gateways. */
const REFUSED =
  /verified to stream|\bstream(?:ing)? (?:mode )?is not supported|not support stream(?:ing)?\b|\bin streaming mode\b/i;
