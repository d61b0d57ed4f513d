/** What happened in the chat while none of its pages was in sight: the icon tells, until one is. */

import { localize } from "../../protocol/localize.ts";
import type { Activity } from "../background/exclusiveRun.ts";
import type { Session } from "./session.ts";

/** Where it is told. */
export interface OutOfSightWorld {
  readonly isVisible: boolean;
  /** Empty takes it away. */
  setBadge(tooltip: string): void;
}

/** Watches one conversation after the other. */
export class OutOfSight {
  readonly #world: OutOfSightWorld;
  #session: Session | undefined;
  #activity: Activity = "idle";

  constructor(world: OutOfSightWorld) {
    this.#world = world;
  }

  /** Something of `session` changed. */
  note(session: Session | undefined): void {
    if (session !== this.#session) this.#activity = "idle";
    const before = this.#activity;
    this.#session = session;
    this.#activity = session?.activity ?? "idle";
    if (session === undefined || this.#world.isVisible) return;
    if (before === "streaming" && this.#activity === "idle") this.#world.setBadge(localize("An answer has ended"));
  }
}
