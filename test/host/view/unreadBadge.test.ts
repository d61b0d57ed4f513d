/** What the icon of the chat says of answers that ended while nobody looked. */

import assert from "node:assert/strict";
import { ActiveSession } from "../../../src/host/session/activeSession.ts";
import type { Session } from "../../../src/host/session/session.ts";
import { UnreadBadge } from "../../../src/host/view/unreadBadge.ts";

describe("the badge of the chat", () => {
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

  it("says that an answer has ended, once, where no page is in sight", () => {
    const { said, open, turn } = watched(false);
    open("idle");
    for (const activity of ["streaming", "idle", "idle", "summarizing", "idle"] as const) turn(activity);
    assert.deepEqual(said, ["An answer has ended"]);
  });

  it("says nothing where one is in sight, nor of another conversation, nor when it is watched no more", () => {
    const seen = watched(true);
    seen.open("streaming");
    seen.turn("idle");
    const other = watched(false);
    other.open("streaming");
    other.open("idle"); // another one
    other.turn("streaming");
    other.badge.dispose();
    other.turn("idle");
    assert.deepEqual([seen.said, other.said], [[], []]);
  });
});
