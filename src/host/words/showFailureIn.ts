import type { ForgeError } from "../../core/errors.ts";
import type { Result } from "../../core/result.ts";
import type { Banner } from "../../protocol/toView.ts";
import { explain } from "./explain.ts";

/** Shows the error of a failed result in the chat, where no service is involved. */
export function showFailureIn(done: Result<unknown, ForgeError>, place: { showBanner(banner: Banner): void }): void {
  if (!done.ok) place.showBanner(explain(done.error, ""));
}
