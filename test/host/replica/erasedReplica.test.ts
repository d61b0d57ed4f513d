import assert from "node:assert/strict";
import { ErasedReplica } from "../../../src/host/replica/erasedReplica.ts";
import { beginAnew } from "../../support/editor/fakeQuestions.ts";
import { ReplicaDesk } from "../../support/replica/replicaDesk.ts";
import { temporaryFolder } from "../../support/storage/storeBuilders.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";

describe("Erasing everything on a machine that has a replica", () => {
  let temporary: ReturnType<typeof temporaryFolder>;
  let desk: ReplicaDesk;
  beforeEach(async () => {
    beginAnew();
    temporary = temporaryFolder();
    desk = new ReplicaDesk(temporary.path);
    await desk.setUpFolder();
    desk.stored.set("forge.key https://one.example", "stays unless the user says so");
  });
  afterEach(() => {
    temporary.remove();
  });
  const replica = (): ErasedReplica => new ErasedReplica(join(temporary.path, "storage"), desk.secrets, desk.control);

  it("disconnects it first, and forgets what opens it", async () => {
    assert.equal(replica().isSetUp, true);
    assert.deepEqual(await replica().forget(), { ok: true, value: undefined });
    assert.equal(existsSync(join(temporary.path, "storage", "replica")), false);
    assert.deepEqual(
      [await desk.isSetUp(), [...desk.stored.keys()], desk.control.calls],
      [false, ["forge.key https://one.example"], ["stop"]],
    );
  });

  it("does nothing where it is off", async () => {
    assert.ok((await desk.setups.delete()).ok);
    assert.equal(replica().isSetUp, false);
    assert.deepEqual(await replica().forget(), { ok: true, value: undefined });
    assert.deepEqual([desk.stored.size, desk.control.calls], [2, []]);
  });
});
