/** Settings that hold for one conversation alone: records of it, like everything that is done to it. */

import type { Banner } from "../../protocol/toView.ts";
import { busyNote, shownActivity } from "../words/busyNote.ts";
import { explain } from "../words/explain.ts";
import type { Session } from "./session.ts";

/** A setting of one conversation. */
export interface OwnSetting {
  readonly name: string;
  /** Empty: as everywhere. */
  readonly value: string;
  /** What is said while an answer is given, so that nothing changes. */
  readonly busyText: string;
}

/** Keeps a setting of the open conversation; answers whether it is kept. Where not, `showBanner` says why. */
export async function keepOwnSetting(
  { name, value, busyText }: OwnSetting,
  session: Session,
  showBanner: (banner: Banner) => void,
): Promise<boolean> {
  const { manager, store } = session.opened;
  let isKept = false;
  const isDone = await session.alone("summarizing", async () => {
    const record = { kind: "setting", name, value, atMs: Date.now() } as const;
    const committed = await store.commit([{ kind: "record", record }]);
    isKept = committed.ok;
    if (committed.ok) manager.apply(record);
    else showBanner(explain(committed.error, ""));
  });
  if (!isDone) showBanner(busyNote(shownActivity(session), busyText));
  return isKept;
}
