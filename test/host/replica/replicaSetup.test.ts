import assert from "node:assert/strict";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { machineName, ReplicaSetupFile, type ReplicaSetup } from "../../../src/host/replica/replicaSetup.ts";
import { faultyFiles } from "../../support/storage/faultyFiles.ts";
import { temporaryFolder } from "../../support/storage/storeBuilders.ts";

const ROOT = "00112233aabbccdd";
const FOLDER: ReplicaSetup = {
  place: { kind: "folder", path: "/home/ann/Dropbox/Forge" },
  root: ROOT,
  marker: `root/${ROOT}-1-2.root`,
  machine: "desktop",
  sinceMs: 7,
  refusesSecond: true,
  deletesAll: false,
};
const BUCKET: ReplicaSetup = {
  ...FOLDER,
  place: {
    kind: "bucket",
    endpoint: "https://s3.example.com",
    region: "r",
    bucket: "forge",
    prefix: "ann",
    bucketIn: "hostName",
    accessKeyId: "AK",
  },
  next: { root: "ffeeddccbbaa0099", marker: "root/x" },
};

describe("The setup of the replica", () => {
  let temporary: ReturnType<typeof temporaryFolder>;
  let file: ReplicaSetupFile;
  beforeEach(() => {
    temporary = temporaryFolder();
    file = new ReplicaSetupFile(temporary.path);
  });
  afterEach(() => {
    temporary.remove();
  });

  it("is none at first", async () => {
    assert.deepEqual(await file.read(), { ok: true, value: undefined });
    assert.deepEqual(await file.delete(), { ok: true, value: undefined });
  });

  for (const setup of [FOLDER, BUCKET])
    it(`is read as it was written: a ${setup.place.kind}`, async () => {
      for (const written of [FOLDER, setup]) assert.ok((await file.write(written)).ok);
      assert.deepEqual(await new ReplicaSetupFile(temporary.path).read(), { ok: true, value: setup });
      assert.deepEqual(readdirSync(join(temporary.path, "replica")), ["setup.json"]);
      assert.ok((await file.delete()).ok);
      assert.deepEqual(await file.read(), { ok: true, value: undefined });
    });

  const place = (more: object): object => ({ ...BUCKET, place: { ...BUCKET.place, ...more } });
  const damaged: readonly (readonly [title: string, content: unknown])[] = [
    ["nothing", ""],
    ["a text", "here"],
    ["no place", { ...FOLDER, place: undefined }],
    ["a relative folder", { ...FOLDER, place: { kind: "folder", path: "../x" } }],
    ["a root of another form", { ...FOLDER, root: "../x" }],
    ["a marker that is no name", { ...FOLDER, marker: "../x" }],
    ["no machine", { ...FOLDER, machine: " " }],
    ["an address that others can read", place({ endpoint: "http://s3.example.com" })],
    ["an address with a name in it", place({ endpoint: "https://ann@s3.example.com" })],
    ["a prefix that leads out", place({ prefix: ".." })],
    ["no access key", place({ accessKeyId: 7 })],
    ["another way of addresses", place({ bucketIn: "query" })],
    ["another kind of place", place({ kind: "ftp" })],
  ];
  for (const [title, content] of damaged)
    it(`is damaged with ${title}`, async () => {
      mkdirSync(join(temporary.path, "replica"));
      const text = typeof content === "string" ? content : JSON.stringify({ version: 1, ...(content as object) });
      writeFileSync(join(temporary.path, "replica", "setup.json"), text);
      assert.deepEqual(await file.read(), {
        ok: false,
        error: { code: "STORAGE_FAILED", reason: "damaged", detail: "" },
      });
    });

  it("is not read where a newer Forge wrote it", async () => {
    mkdirSync(join(temporary.path, "replica"));
    writeFileSync(join(temporary.path, "replica", "setup.json"), JSON.stringify({ ...FOLDER, version: 2 }));
    const read = await file.read();
    assert.equal(!read.ok && read.error.reason, "newerVersion");
  });

  for (const [code, reason] of [
    ["ENOSPC", "diskFull"],
    ["EROFS", "readOnly"],
    ["EACCES", "noPermission"],
    ["EIO", "ioError"],
  ] as const)
    it(`stays as it was when it cannot be written: ${code}`, async () => {
      assert.ok((await file.write(FOLDER)).ok);
      for (const call of ["writeNew", "rename"] as const) {
        const failing = new ReplicaSetupFile(
          temporary.path,
          faultyFiles(({ name }) => (name === call ? code : undefined)),
        );
        const written = await failing.write(BUCKET);
        assert.equal(!written.ok && written.error.reason, reason);
        assert.deepEqual(await file.read(), { ok: true, value: FOLDER });
      }
    });

  it("has a machine's name in one line", () => {
    const names = ["laptop", "  my\n laptop\u202E ", "\u0000", "x".repeat(70)];
    assert.deepEqual(names.map(machineName), ["laptop", "my laptop", "", "x".repeat(60)]);
  });
});
