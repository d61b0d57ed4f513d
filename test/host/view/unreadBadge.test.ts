import assert from "node:assert/strict";
import { ActiveSession } from "../../../src/host/session/activeSession.ts";
import type { Session } from "../../../src/host/session/session.ts";
import { UnreadBadge } from "../../../src/host/view/unreadBadge.ts";

describe("UnreadBadge", () => {
  const watched = (isVisible: boolean) => {
    const active = new ActiveSession();
    const said: string[] = [];
    const badge = new UnreadBadge(active, { isVisible, setBadge: (tooltip) => said.push(tooltip) });
    const open = (activity: Session["activity"]): void => {
      const session: unknown = { activity };
      active.set(session as Session);
      active.noteChange();
    };
    const turn = (activity: Session["activity"]): void => {
      Object.assign(active.session ?? assert.fail(), { activity });
      active.noteChange();
    };
    return { badge, said, open, turn };
  };

  it("reports once that an answer has ended while no page is visible", () => {
    const { said, open, turn } = watched(false);
    open("idle");
    for (const activity of ["streaming", "idle", "idle", "summarizing", "idle"] as const) turn(activity);
    assert.deepEqual(said, ["An answer has ended"]);
  });

  it("stays empty while a page is visible, for another conversation and after disposal", () => {
    const seen = watched(true);
    seen.open("streaming");
    seen.turn("idle");
    const other = watched(false);
    other.open("streaming");
    other.open("idle"); // another conversation
    other.turn("streaming");
    other.badge.dispose();
    other.turn("idle");
    assert.deepEqual([seen.said, other.said], [[], []]);
  });
});
