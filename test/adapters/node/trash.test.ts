import assert from "node:assert/strict";
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createConversationFolder, listConversations } from "../../../src/adapters/node/conversationFolders.ts";
import { acquireLease, leaseState } from "../../../src/adapters/node/lease.ts";
import {
  eraseConversation,
  eraseEverything,
  eraseTrash,
  completeInterruptedErasures,
  moveToTrash,
  restoreFromTrash,
  type TrashPlaces,
} from "../../../src/adapters/node/trash.ts";
import { parseConversationId, type ConversationId } from "../../../src/core/ids.ts";
import { faultyFiles } from "../../support/storage/faultyFiles.ts";
import { temporaryFolder } from "../../support/storage/storeBuilders.ts";

const parsed = parseConversationId("00000000-0000-4000-8000-000000000001");
assert.ok(parsed);
const id: ConversationId = parsed;

describe("trash", () => {
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

  it("moves a conversation to the trash and restores it complete and free", async () => {
    assert.deepEqual(await moveToTrash(id, places), { ok: true, value: undefined });
    assert.deepEqual(await counts(), [0, 1]);
    assert.deepEqual(await restoreFromTrash(id, places), { ok: true, value: undefined });
    assert.deepEqual(await counts(), [1, 0]);
    assert.ok(existsSync(join(places.conversations, id, "conversation.sqlite")));
    assert.equal(await leaseState(join(places.conversations, id)), "free");
  });

  it("refuses to move an open conversation", async () => {
    const lease = await acquireLease(join(places.conversations, id));
    assert.ok(lease.ok);
    const moved = await moveToTrash(id, places);
    assert.equal(moved.ok ? "moved" : moved.error.code, "CONVERSATION_IN_USE");
    await lease.value.release();
    assert.equal((await moveToTrash(id, places)).ok, true);
  });

  it("leaves a conversation free when only syncing its new folder fails", async () => {
    const files = faultyFiles(({ name }) => (name === "syncFolder" ? "EIO" : undefined));
    assert.ok(!(await moveToTrash(id, places, { files })).ok);
    assert.equal(await leaseState(join(places.trash, id)), "free");
    assert.deepEqual(await restoreFromTrash(id, places), { ok: true, value: undefined });
  });

  it("leaves a conversation free and in exactly one place, whichever file call fails", async () => {
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
      assert.equal(await leaseState(folder), "free", `call ${failing}`);
      if (trashed === 1) assert.equal((await restoreFromTrash(id, places)).ok, true);
    }
  });

  describe("erasing", () => {
    const folder = (): string => join(places.conversations, id);
    const make = async (number: number, root = places.trash): Promise<string> => {
      const other = parseConversationId(`00000000-0000-4000-8000-${String(number).padStart(12, "0")}`);
      assert.ok(other);
      const made = await createConversationFolder(root, other);
      assert.ok(made.ok);
      writeFileSync(join(made.value, "conversation.sqlite"), "SQLite format 3\0");
      return made.value;
    };

    it("S3 removes a link in the place of a conversation, and nothing of what it leads to", async () => {
      const outside = join(root.path, "outside");
      mkdirSync(outside);
      writeFileSync(join(outside, "kept"), "kept");
      const other = "00000000-0000-4000-8000-000000000002";
      symlinkSync(outside, join(places.conversations, other));
      symlinkSync(outside, join(places.conversations, `${other}.erasing`));
      symlinkSync(outside, join(places.conversations, "x.erasing"));
      assert.deepEqual(await completeInterruptedErasures(places.conversations), { ok: true, value: undefined });
      assert.deepEqual(readdirSync(places.conversations).toSorted(), [id, other, "x.erasing"]);
      assert.deepEqual(await eraseConversation(join(places.conversations, other)), { ok: true, value: undefined });
      assert.deepEqual(readdirSync(places.conversations).toSorted(), [id, "x.erasing"]);
      assert.deepEqual(readdirSync(outside), ["kept"]);
      assert.equal(readFileSync(join(outside, "kept"), "utf8"), "kept");
    });

    it("removes the whole folder with its links, but not the files that they point to", async () => {
      const outside = join(root.path, "outside");
      writeFileSync(outside, "kept");
      mkdirSync(join(folder(), "requests"));
      writeFileSync(join(folder(), "requests", "one"), "");
      symlinkSync(outside, join(folder(), "link"));
      symlinkSync(root.path, join(folder(), "requests", "folder"));
      linkSync(outside, join(folder(), "backup"));
      linkSync(join(folder(), "conversation.sqlite"), join(folder(), "damaged-1.sqlite"));
      assert.deepEqual(await eraseConversation(folder()), { ok: true, value: undefined });
      assert.deepEqual(readdirSync(places.conversations), []);
      assert.equal(readFileSync(outside, "utf8"), "kept");
      assert.deepEqual(await eraseConversation(folder()), { ok: true, value: undefined }, "a second time");
    });

    it("refuses to erase an open conversation", async () => {
      const lease = await acquireLease(folder());
      assert.ok(lease.ok);
      const erased = await eraseConversation(folder());
      assert.equal(erased.ok ? "erased" : erased.error.code, "CONVERSATION_IN_USE");
      assert.deepEqual(await counts(), [1, 0]);
      await lease.value.release();
    });

    it("empties the trash and leaves files that are not conversations", async () => {
      await moveToTrash(id, places);
      await make(2);
      await make(3, places.conversations);
      writeFileSync(join(places.trash, "note"), "");
      assert.deepEqual(await eraseTrash(places.trash), { ok: true, value: 2 });
      assert.deepEqual(readdirSync(places.trash), ["note"]);
      assert.deepEqual(await counts(), [1, 0]);
      assert.deepEqual(await eraseTrash(join(root.path, "none")), { ok: true, value: 0 });
    });

    it("erases everything except open conversations, and reports them", async () => {
      await make(2);
      const lease = await acquireLease(await make(3, places.conversations));
      assert.ok(lease.ok);
      const first = await eraseEverything(places);
      assert.equal(first.ok ? "erased" : first.error.code, "CONVERSATION_IN_USE");
      assert.deepEqual(await counts(), [1, 0]);
      await lease.value.release();
      assert.deepEqual(await eraseEverything(places), { ok: true, value: 1 });
      assert.deepEqual(await counts(), [0, 0]);
    });

    it("completes or can be completed later, whichever file call fails, once or permanently", async () => {
      for (const isForGood of [false, true]) {
        let reached = true;
        for (let failing = 0; reached; failing++) {
          reached = false;
          const made = await make(4, places.conversations);
          mkdirSync(join(made, "requests"));
          const files = faultyFiles(({ index }) => {
            reached ||= index === failing;
            return index === failing || (isForGood && index > failing) ? "EIO" : undefined;
          });
          const what = `call ${failing}${isForGood ? " and all after it" : ""}`;
          const erased = await eraseConversation(made, { files });
          const isThere = existsSync(made);
          if (isThere) {
            assert.ok(!erased.ok, what);
            assert.equal(existsSync(join(made, "conversation.sqlite")), true, `${what}: whole`);
          } else {
            assert.equal(await count(places.conversations), 1, `${what}: no conversation any more`);
          }
          const finished = isThere
            ? await eraseConversation(made)
            : await completeInterruptedErasures(places.conversations);
          assert.ok(finished.ok, what);
          assert.deepEqual(readdirSync(places.conversations), [id], what);
        }
      }
    });
  });
});
