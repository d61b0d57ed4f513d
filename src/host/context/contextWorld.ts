/** The context view of a window, as commands need it. */

import { systemClock } from "../../adapters/node/clock.ts";
import { ContextPage, type ContextPageOptions } from "./contextPage.ts";

/** What commands need of the context view. */
export interface ContextWorld extends Pick<ContextPageOptions, "clock" | "emit" | "settings"> {
  readonly contextPage: ContextPage;
}

/** Makes it, for the conversation that is open at each moment. */
export function createContextWorld(
  shared: Pick<ContextPageOptions, "settings" | "emit" | "bug">,
  open: Pick<ContextPageOptions, "session" | "draftTokens">,
): ContextWorld {
  const { settings, emit } = shared;
  const contextPage = new ContextPage({ ...shared, ...open, clock: systemClock });
  return { contextPage, clock: systemClock, emit, settings };
}
