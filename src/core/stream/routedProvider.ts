/** Sends the requests for one model to a service of its own: summaries may be written elsewhere than answers. */

import type { ModelId } from "../ids.ts";
import type { Provider } from "./provider.ts";

/** `main`, except for requests that name `model`: those go to `other`. */
export function routedProvider(main: Provider, model: ModelId, other: Provider): Provider {
  if (main === other) return main;
  return {
    ...main,
    name: main.name,
    label: main.label,
    listModels: (cancel) => main.listModels(cancel),
    stream: (prepared, options, cancel) => (options.model === model ? other : main).stream(prepared, options, cancel),
  };
}
