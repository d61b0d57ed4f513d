/** What failed, said in the chat. */

import type { ForgeError } from "../../core/errors.ts";
import type { Result } from "../../core/result.ts";
import type { Banner } from "../../protocol/toView.ts";
import { explain } from "./explain.ts";

/** Says in the chat what failed, where something did and no service had a part in it. */
export function tellFailure(done: Result<unknown, ForgeError>, place: { showBanner(banner: Banner): void }): void {
  if (!done.ok) place.showBanner(explain(done.error, ""));
}
