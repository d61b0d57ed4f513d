/** Models that a service does not stream to every user. */

import type { StreamOptions } from "../../core/stream/provider.ts";
import type { ReportedError } from "../http/httpFailure.ts";
import type { OpenAiSettings } from "./openAiClient.ts";

interface Asked {
  readonly settings: OpenAiSettings;
  readonly options: StreamOptions;
}

/** Turns off streaming for models that refused it. */
export function streamedIfSupported<Body extends { readonly stream: true; readonly stream_options?: unknown }>(
  body: Body,
  { settings, options }: Asked,
): Body | (Omit<Body, "stream" | "stream_options"> & { readonly stream: false }) {
  if (!settings.streamingRefused.has(options.model)) return body;
  return { ...body, stream: false, stream_options: undefined };
}

/** Remembers that the model does not stream; false if that was known already. */
export function learnStreamingRefused(
  { status, message, parameter }: ReportedError,
  { settings: { streamingRefused }, options: { model } }: Asked,
): boolean {
  const isRefused = status === 400 && (parameter === "stream" || REFUSED.test(message)) && !streamingRefused.has(model);
  if (isRefused) streamingRefused.add(model);
  return isRefused;
}

/** OpenAI, directly or through others; gateways. */
const REFUSED =
  /verified to stream|\bstream(?:ing)? (?:mode )?is not supported|not support stream(?:ing)?\b|\bin streaming mode\b/i;
