import { modelName } from "../../core/models/modelName.ts";
import type { ContextCut } from "../../adapters/ollama/client.ts";
import type { Banner } from "../../protocol/toView.ts";
import { localize } from "../../protocol/localize.ts";
import { SETTINGS } from "../words/banners.ts";
import { formatTokens } from "../words/formatting.ts";

/** A server cut the conversation although it was asked not to: what Forge does about it, and what the user can do. */
export function cutBanner({ model, of, wantedTokens, givenTokens }: ContextCut): Banner {
  const [wanted, given] = [formatTokens(wantedTokens), formatTokens(givenTokens)];
  const name = modelName(model);
  const text =
    of === "window"
      ? localize(
          "Ollama holds only {0} tokens for {1}, not the {2} that it was asked to. From now on Forge plans with that, so that nothing is cut. Nothing is lost here.",
          given,
          name,
          wanted,
        )
      : localize(
          "Ollama read only {0} of about {1} tokens: the beginning of the conversation was most likely cut for this answer. Nothing is lost here. A smaller window for {2} in the settings helps.",
          given,
          wanted,
          name,
        );
  return { tone: "warning", text, actions: [SETTINGS] };
}
