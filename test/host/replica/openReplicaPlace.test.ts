import assert from "node:assert/strict";
import { mkdtempSync, rmSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ReplicaFolder } from "../../../src/adapters/node/replica/replicaFolder.ts";
import { nameOf } from "../../../src/core/replica/objectNames.ts";
import type { ReplicaSetup } from "../../../src/host/replica/replicaSetup.ts";
import { realClock } from "../../support/clocks.ts";
import { withQuestions } from "../../support/editor/fakeQuestions.ts";
import { NEVER_CANCELLED } from "../../support/replica/replicaFaults.ts";

const [ROOT, NEXT, STRANGE] = ["0".repeat(16), "1".repeat(16), "2".repeat(16)];
const nameIn = (root: string, digit: string): string =>
  nameOf({ kind: "root", root, length: 1, hash: digit.repeat(32) });
const MARKER = nameIn(ROOT, "a");
const NO_KEYS = { bucketKeys: () => Promise.resolve(undefined) };

const load = () => withQuestions(async () => import("../../../src/host/replica/openReplicaPlace.ts"));

describe("The place of a setup", () => {
  let folder: string;
  let open: Awaited<ReturnType<typeof load>>["openReplicaPlace"];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "forge-place-"));
    ({ openReplicaPlace: open } = await load());
    await put(MARKER);
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  async function put(name: string): Promise<void> {
    assert.ok((await new ReplicaFolder(folder).put(name, Uint8Array.of(1), NEVER_CANCELLED)).ok);
  }

  /** The reason why the place cannot be listed; `undefined` if it can. */
  async function listing(more: Partial<ReplicaSetup> = {}): Promise<string | undefined> {
    const setup = { place: { kind: "folder", path: folder } as const, root: ROOT, marker: MARKER, ...more };
    const opened = await open(setup, NO_KEYS, realClock, NEVER_CANCELLED);
    const listed = opened.ok ? await opened.value.list("", () => undefined, NEVER_CANCELLED) : opened;
    if (listed.ok) return undefined;
    return listed.error.code === "REPLICA_FAILED" ? listed.error.reason : listed.error.code;
  }

  it("is a folder with what marks it", async () => {
    assert.equal(await listing(), undefined);
  });

  it("is missing where nothing marks it, or another root", async () => {
    unlinkSync(join(folder, MARKER));
    assert.equal(await listing(), "missing");
    await put(nameIn(STRANGE, "b"));
    assert.equal(await listing(), "missing");
  });

  it("is known by another object of its root after a machine changed a secret", async () => {
    await put(nameIn(ROOT, "b"));
    unlinkSync(join(folder, MARKER));
    assert.equal(await listing(), undefined);
  });

  it("is known by its next root", async () => {
    await put(nameIn(NEXT, "b"));
    unlinkSync(join(folder, MARKER));
    assert.equal(await listing(), "missing");
    assert.equal(await listing({ next: { root: NEXT, marker: nameIn(NEXT, "b") } }), undefined);
  });

  it("is a bucket only with its secret", async () => {
    const place = {
      kind: "bucket",
      endpoint: "https://s3.example.com",
      region: "r",
      bucket: "forge",
      prefix: "",
      bucketIn: "path",
      accessKeyId: "AK",
    } as const;
    assert.equal(await listing({ place }), "denied");
  });
});
