/** Badge on the icon of the chat when an answer has ended while no page was visible, until one is. */

import type { Activity } from "../background/exclusiveRun.ts";
import type { ActiveSession } from "../session/activeSession.ts";
import type { Session } from "../session/session.ts";
import { localize } from "../../protocol/localize.ts";
import type { ChatViews } from "./chatViews.ts";

export class UnreadBadge {
  readonly #active: ActiveSession;
  readonly #views: Pick<ChatViews, "isVisible" | "setBadge">;
  readonly #watching: { dispose(): void };
  #session: Session | undefined;
  #activity: Activity = "idle";

  constructor(active: ActiveSession, views: Pick<ChatViews, "isVisible" | "setBadge">) {
    this.#active = active;
    this.#views = views;
    this.#watching = active.onDidChange(() => {
      this.#update();
    });
  }

  dispose(): void {
    this.#watching.dispose();
  }

  #update(): void {
    const { session } = this.#active;
    if (session !== this.#session) this.#activity = "idle";
    const before = this.#activity;
    this.#session = session;
    this.#activity = session?.activity ?? "idle";
    if (session === undefined || this.#views.isVisible) return;
    if (before === "streaming" && this.#activity === "idle") this.#views.setBadge(localize("An answer has ended"));
  }
}
