import assert from "node:assert/strict";
import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { mountOf, withoutLinks, type Mount } from "../../../src/adapters/node/mountInfo.ts";
import { temporaryFolder } from "../../support/storage/storeBuilders.ts";

/** As in a container of Docker with a bind mount, a volume and a folder in memory. */
const IN_CONTAINER = [
  "1123 1004 0:311 / / rw,relatime master:401 - overlay overlay rw,lowerdir=/var/lib/docker/overlay2/l/A:/l/B,upperdir=/u",
  "1124 1123 0:314 / /proc rw,nosuid,nodev,noexec,relatime - proc proc rw",
  "1127 1123 0:25 /home/ann/shop /workspaces/shop rw,relatime - fakeowner /run/host_mark/home rw,fakeowner",
  "1128 1123 254:1 /docker/volumes/x/_data /forge-conversations rw,relatime master:30 shared:7 - ext4 /dev/vda1 rw",
  "1129 1123 0:40 / /my\\040notes rw - ext4 /dev/vda1 rw",
  "1130 1123 0:41 / /run rw - ext4 /dev/vda1 rw",
  "1131 1123 0:42 / /run rw - tmpfs tmpfs rw",
  "",
].join("\n");

const ROOT: Mount = { point: "/", type: "overlay" };

describe("the mount of a folder", () => {
  const cases: readonly (readonly [path: string, mount: Mount])[] = [
    ["/", ROOT],
    ["/home/vscode/.vscode-server/data", ROOT],
    ["/forge-conversations", { point: "/forge-conversations", type: "ext4" }],
    ["/forge-conversations/root/a", { point: "/forge-conversations", type: "ext4" }],
    ["/forge-conversations-2", ROOT],
    ["/workspaces", ROOT],
    ["/workspaces/shop/.git", { point: "/workspaces/shop", type: "fakeowner" }],
    ["/my notes/a", { point: "/my notes", type: "ext4" }],
    ["/run/x", { point: "/run", type: "tmpfs" }],
  ];
  for (const [path, mount] of cases)
    it(`is found for ${path}`, () => {
      assert.deepEqual(mountOf(path, IN_CONTAINER), mount);
    });

  for (const [title, text] of [
    ["an empty list", ""],
    ["lines of another form", "a b\n- \n1 2 3 4\n1 2 3 4 / - \n"],
  ] as const)
    it(`is unknown from ${title}`, () => {
      assert.equal(mountOf("/a", text), undefined);
    });

  it("is looked for without links, also where the folder does not exist yet", async () => {
    const temporary = temporaryFolder();
    try {
      const real = realpathSync(temporary.path);
      mkdirSync(join(real, "volume", "data"), { recursive: true });
      symlinkSync(join(real, "volume"), join(real, "link"));
      assert.deepEqual(
        [await withoutLinks(join(real, "link", "data")), await withoutLinks(join(real, "link", "to", "come"))],
        [join(real, "volume", "data"), join(real, "volume", "to", "come")],
      );
    } finally {
      temporary.remove();
    }
  });
});
