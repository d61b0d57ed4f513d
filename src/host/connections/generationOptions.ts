import type { FullHistory } from "../../core/history/fullHistory.ts";
import { ANSWER_LENGTHS, REASONING_EFFORTS, type GenerationOptions } from "../../core/models/generationOptions.ts";
import type { Provider, StreamOptions } from "../../core/stream/provider.ts";
import type { Settings } from "../editor/settings.ts";

/** Options of the conversation, else of the settings. `auto` in either leaves the choice to the model. */
export function generationOptionsOf(
  history: Pick<FullHistory, "setting">,
  { generationOptions }: Pick<Settings, "generationOptions">,
): GenerationOptions {
  const effort = storedOr(history.setting("reasoningEffort"), REASONING_EFFORTS, generationOptions.reasoningEffort);
  const length = storedOr(history.setting("answerLength"), ANSWER_LENGTHS, generationOptions.answerLength);
  return {
    ...(effort === undefined ? {} : { reasoningEffort: effort }),
    ...(length === undefined ? {} : { answerLength: length }),
  };
}

/** Adds the user's options to requests for answers; leaves requests for summaries alone. */
export function withGenerationOptions(inner: Provider, currentOptions: () => GenerationOptions): Provider {
  const withDefaults = (options: StreamOptions): StreamOptions =>
    options.purpose === "summary" ? options : { ...currentOptions(), ...options };
  const { requestBody } = inner;
  return {
    ...inner,
    stream: (prepared, options, cancel) => inner.stream(prepared, withDefaults(options), cancel),
    ...(requestBody === undefined
      ? {}
      : { requestBody: (context, options, limits) => requestBody(context, withDefaults(options), limits) }),
  };
}

function storedOr<Value extends string>(
  word: string | undefined,
  values: readonly Value[],
  set: Value | undefined,
): Value | undefined {
  if (word === undefined || word === "") return set;
  return values.find((value) => value === word);
}
