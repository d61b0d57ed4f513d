/** The words for a server that cut the conversation, although it was asked not to. */

import type { ContextCut } from "../adapters/ollama/client.ts";
import { formatTokens } from "../core/context/contextUsage.ts";
import type { Banner } from "../protocol/toView.ts";

/** What was cut, what Forge does about it, and what the user can. */
export function cutBanner({ model, of, wantedTokens, givenTokens }: ContextCut): Banner {
  const [wanted, given] = [formatTokens(wantedTokens), formatTokens(givenTokens)];
  const text =
    of === "window"
      ? `Ollama holds only ${given} tokens for ${model}, not the ${wanted} that it was asked to. From now on Forge plans ` +
        "with that, so that nothing is cut. Nothing is lost here."
      : `Ollama read only ${given} of about ${wanted} tokens: the beginning of the conversation was most likely cut for ` +
        `this answer. Nothing is lost here. A smaller window for ${model} in the settings helps.`;
  return { tone: "warning", text, actions: [{ label: "Open settings", command: "openSettings" }] };
}
