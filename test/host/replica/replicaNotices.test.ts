import assert from "node:assert/strict";
import { ok } from "../../../src/core/result.ts";
import { replicaFailed } from "../../../src/core/replica/logReplica.ts";
import type { ReplicaSetup } from "../../../src/host/replica/replicaSetup.ts";
import type { Banner } from "../../../src/protocol/toView.ts";
import { beginAnew, happened, withQuestions } from "../../support/editor/fakeQuestions.ts";
import { FakeControl } from "../../support/replica/fakeControl.ts";

const SETUP: ReplicaSetup = {
  place: { kind: "folder", path: "/share" },
  root: "0123456789abcdef",
  marker: "root/x",
  machine: "desktop",
  sinceMs: 1,
  refusesSecond: true,
  deletesAll: true,
};

describe("what keeps conversations from the replica", () => {
  let control: FakeControl;
  let banners: { readonly banner: Banner | null; readonly isTrue: (() => boolean) | undefined }[];
  let update: () => Promise<void>;
  beforeEach(async () => {
    beginAnew();
    control = new FakeControl();
    banners = [];
    const { ReplicaNotices } = await withQuestions(async () => import("../../../src/host/replica/replicaNotices.ts"));
    const notices = new ReplicaNotices(
      control,
      { read: () => Promise.resolve(ok(SETUP)) },
      {
        showBanner: (banner, isTrue) => void banners.push({ banner, isTrue }),
        update: () => {
          if (banners.at(-1)?.isTrue?.() === false) happened.push("banner gone");
        },
      },
    );
    update = () => notices.update();
  });

  async function fail(problem: FakeControl["status"]["problem"]): Promise<void> {
    control.status = { state: "failed", conversations: 1, waiting: 1, setAside: [], ...(problem && { problem }) };
    await update();
  }

  it("is said once, with a way to mend it, and no longer when it is mended", async () => {
    await fail(replicaFailed("denied", "first"));
    await fail(replicaFailed("denied", "second"));
    assert.deepEqual(
      banners.map(({ banner }) => banner),
      [
        {
          tone: "warning",
          text: "You have no right to read and write in /share. Your conversations are safe on this machine, and what is new waits here. Give yourself that right, or choose another folder. It said: first",
          actions: [
            { label: "Show What to Do", command: "setUpReplica" },
            { label: "Close this message", command: "closeBanner" },
          ],
        },
      ],
    );
    assert.deepEqual([happened, banners[0]?.isTrue?.()], [["shown forge.replica"], true]);
    await fail(undefined);
    assert.deepEqual(
      [happened, banners[0]?.isTrue?.()],
      [["shown forge.replica", "gone forge.replica", "banner gone"], false],
    );
  });

  it("is said again when it is something else", async () => {
    await fail(replicaFailed("denied", ""));
    await fail({ code: "ROOT_GONE" });
    assert.deepEqual(
      banners.map(({ banner }) => banner?.text.split(".")[0]),
      [
        "You have no right to read and write in /share",
        "/share no longer opens with the key of this machine: its access was taken away, or the place was set up anew",
      ],
    );
  });

  for (const reason of ["unreachable", "busy"] as const)
    it(`is not said where time mends it: ${reason}`, async () => {
      await fail(replicaFailed(reason, ""));
      assert.deepEqual([banners, happened], [[], []]);
    });
});
