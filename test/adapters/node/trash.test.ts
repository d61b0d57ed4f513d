import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createConversationFolder, listConversations } from "../../../src/adapters/node/conversationFolders.ts";
import { acquireLease, leaseState } from "../../../src/adapters/node/lease.ts";
import { moveToTrash, restoreFromTrash, type TrashPlaces } from "../../../src/adapters/node/trash.ts";
import { parseConversationId, type ConversationId } from "../../../src/core/ids.ts";
import { faultyFiles } from "../../support/faultyFiles.ts";
import { temporaryFolder } from "../../support/storeBuilders.ts";

const parsed = parseConversationId("00000000-0000-4000-8000-000000000001");
assert.ok(parsed);
const id: ConversationId = parsed;

describe("the trash", () => {
  let root: ReturnType<typeof temporaryFolder>;
  let places: TrashPlaces;
  beforeEach(async () => {
    root = temporaryFolder();
    places = { conversations: join(root.path, "conversations"), trash: join(root.path, "trash") };
    const made = await createConversationFolder(places.conversations, id);
    assert.ok(made.ok);
    writeFileSync(join(made.value, "conversation.sqlite"), "SQLite format 3\0");
  });
  afterEach(() => {
    root.remove();
  });
  const count = async (folder: string): Promise<number> => {
    const listed = await listConversations(folder);
    assert.ok(listed.ok);
    return listed.value.length;
  };
  const counts = async () => [await count(places.conversations), await count(places.trash)];

  it("takes a conversation and gives it back, whole and free", async () => {
    assert.deepEqual(await moveToTrash(id, places), { ok: true, value: undefined });
    assert.deepEqual(await counts(), [0, 1]);
    assert.deepEqual(await restoreFromTrash(id, places), { ok: true, value: undefined });
    assert.deepEqual(await counts(), [1, 0]);
    assert.ok(existsSync(join(places.conversations, id, "conversation.sqlite")));
    assert.equal(await leaseState(join(places.conversations, id)), "free");
  });

  it("takes no conversation that is open", async () => {
    const lease = await acquireLease(join(places.conversations, id));
    assert.ok(lease.ok);
    const moved = await moveToTrash(id, places);
    assert.equal(moved.ok ? "moved" : moved.error.code, "CONVERSATION_IN_USE");
    await lease.value.release();
    assert.equal((await moveToTrash(id, places)).ok, true);
  });

  it("leaves a conversation free and in one of the two places, whichever call fails", async () => {
    let reached = true;
    for (let failing = 0; reached; failing++) {
      reached = false;
      const files = faultyFiles(({ index }) => {
        reached ||= index === failing;
        return index === failing ? "EIO" : undefined;
      });
      const moved = await moveToTrash(id, places, { files });
      const [kept = 0, trashed = 0] = await counts();
      assert.equal(kept + trashed, 1, `call ${failing}`);
      if (moved.ok) assert.equal(trashed, 1);
      const folder = join(trashed === 1 ? places.trash : places.conversations, id);
      if (!moved.ok && trashed === 0) assert.equal(await leaseState(folder), "free", `call ${failing}`);
      if (trashed === 1) {
        // The end of this process would free it; here its lease is given back by hand.
        for (let generation = 1; generation < 500; generation++) {
          const file = join(folder, `lease.${generation}`);
          if (existsSync(file)) writeFileSync(file, '{"released":true}');
        }
        assert.equal((await restoreFromTrash(id, places)).ok, true);
      }
    }
  });
});
