import assert from "node:assert/strict";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ReplicaFolder } from "../../../src/adapters/node/replica/replicaFolder.ts";
import { replicaFailed } from "../../../src/core/replica/logReplica.ts";
import { nameOf } from "../../../src/core/replica/objectNames.ts";
import { CANCELLED } from "../../../src/core/errors.ts";
import { parseConversationId } from "../../../src/core/ids.ts";
import { err, ok } from "../../../src/core/result.ts";
import { beginAnew, give, happened, listed, optionsOf, take } from "../../support/editor/fakeQuestions.ts";
import { MENU, namesIn, PASSPHRASE, ReplicaDesk } from "../../support/replica/replicaDesk.ts";
import { NEVER_CANCELLED } from "../../support/replica/replicaFaults.ts";
import { temporaryFolder } from "../../support/storage/storeBuilders.ts";
import { whenTrue } from "../../support/whenTrue.ts";

const SAFE = "Your conversations are safe on this machine, and what is new waits here.";
const CODE = "Recovery code: ";
const OTHER = "four words that nobody says together";
const CONVERSATION = parseConversationId("00000000-0000-4000-8000-000000000001") ?? assert.fail();
const SEGMENT = nameOf({
  kind: "segment",
  conversation: CONVERSATION,
  epoch: 1,
  writer: "0123456789abcdef",
  sequence: 1,
  length: 3,
  hash: "0".repeat(32),
});

describe("the menu of the replica", () => {
  let temporary: ReturnType<typeof temporaryFolder>;
  let desk: ReplicaDesk;
  beforeEach(() => {
    beginAnew();
    temporary = temporaryFolder();
    desk = new ReplicaDesk(temporary.path);
    desk.control.status = {
      state: "idle",
      conversations: 214,
      waiting: 0,
      setAside: [],
      checkedAtMs: Date.now() - 130_000,
    };
  });
  afterEach(() => {
    temporary.remove();
  });

  async function asked(beginning: string): Promise<string> {
    await whenTrue(() => happened.at(-1)?.startsWith(`asked ${beginning}`) === true);
    return happened.at(-1)?.slice("asked ".length) ?? "";
  }

  async function choose(words: string): Promise<Promise<void>> {
    const running = desk.run();
    await take(MENU, words);
    return running;
  }

  const folder = (): ReplicaFolder => new ReplicaFolder(desk.folder);

  it("says that all is there, since when, and what can be done", async () => {
    await desk.setUpFolder({ refusesSecond: false });
    const running = desk.run();
    const labels = (await listed(MENU)).map(({ label }) => label);
    await give(MENU);
    await running;
    assert.deepEqual(labels, [
      "$(check) All 214 conversations are on the replica, checked 2 min ago",
      "$(device-desktop) desktop",
      "$(info) Whoever has the access key could overwrite what is there",
      "What to do",
      "$(sync) Check Now",
      "$(verified) Verify Everything…",
      "$(organization) Who Writes",
      "$(key) Change Passphrase…",
      "$(lock) New Recovery Code…",
      "$(shield) Take Away a Lost Machine's Access…",
      "$(settings-gear) Set Up Again…",
      "$(edit) Rename This Machine…",
      "$(debug-stop) Stop",
      "$(trash) Stop and Delete Everything There…",
    ]);
    assert.equal(happened.at(-1), "keyboard");
  });

  it("says what waits, what is set aside, and what is wrong", async () => {
    await desk.setUpFolder();
    desk.control.status = {
      ...desk.control.status,
      state: "failed",
      waiting: 3,
      setAside: ["a $(x): damaged", "b", "c", "d"],
      problem: replicaFailed("full", "ENOSPC"),
    };
    const running = desk.run();
    const items = await listed(MENU);
    await take(MENU, "3 conversations wait");
    await running;
    await give(`${desk.folder} is full. ${SAFE} Free some space where the folder is. It said: ENOSPC`);
    assert.deepEqual(
      items.slice(0, 4).map(({ label, detail }) => [label, detail]),
      [
        [
          "$(warning) 3 conversations wait, of 214; last complete check: 2 min ago",
          `${desk.folder} is full. ${SAFE} Free some space where the folder is. It said: ENOSPC`,
        ],
        ["$(question) a $\u2060(x): damaged", undefined],
        ["$(question) b", undefined],
        ["$(question) c", undefined],
      ],
    );
  });

  it("checks now, and says what the check found", async () => {
    await desk.setUpFolder();
    const running = choose("Check Now");
    await give(await asked("All 214 conversations are on the replica"));
    await running;
    assert.deepEqual(desk.control.calls, ["check"]);
  });

  it("verifies everything, and shows what is damaged or missing", async () => {
    await desk.setUpFolder();
    const whole = { objects: 40, bytes: 2_000_000, conversations: 3, damaged: [], missing: [], writers: [] };
    desk.control.report = ok(whole);
    const first = choose("Verify Everything");
    await give("40 objects of 3 conversations (2 MB) were read. All of it is whole.");
    await first;
    desk.control.report = ok({ ...whole, damaged: ["c/one.segment"], missing: ["c/two.segment"] });
    const second = choose("Verify Everything");
    const text =
      "40 objects of 3 conversations (2 MB) were read. 2 objects are damaged or missing. They are set aside, and fetched again from whoever has them.";
    await give(text, "Show Them");
    await second;
    assert.match(desk.shown[0]?.text ?? "", /## Damaged\n\n- `c\/one.segment`\n\n## Missing\n\n- `c\/two.segment`\n$/);
    desk.control.report = err(replicaFailed("unreachable", "no route"));
    const third = choose("Verify Everything");
    await give(
      `${desk.folder} cannot be reached. ${SAFE} It is tried again without you once it can be reached. It said: no route`,
    );
    await third;
  });

  it("lists who writes", async () => {
    await desk.setUpFolder();
    const writers = [
      { machine: "desktop", segments: 34 },
      { machine: "lap\u202Etop $(x)", segments: 1 },
    ];
    desk.control.report = ok({ objects: 1, bytes: 1, conversations: 1, damaged: [], missing: [], writers });
    const running = choose("Who Writes");
    const items = await listed("Forge: Who Writes");
    await give("Forge: Who Writes");
    await running;
    assert.deepEqual(
      items.map(({ label, description, detail }) => [label.includes("\u202E"), description, detail]),
      [
        [false, "wrote 34 times", "This machine"],
        [false, "wrote once", undefined],
      ],
    );
  });

  it("changes the passphrase, while nothing else runs", async () => {
    const { root } = await desk.setUpFolder();
    const running = choose("Change Passphrase");
    await desk.enterPassphrase(OTHER);
    await give(await asked("The passphrase is changed."));
    await running;
    assert.deepEqual([await desk.opens(PASSPHRASE), await desk.opens(OTHER)], [undefined, root]);
    assert.deepEqual(desk.control.calls, ["stop", "start"]);
    const { marker } = await desk.setup();
    assert.ok((await namesIn(folder())).includes(marker));
  });

  it("makes a new recovery code, and knows the folder by it", async () => {
    const before = await desk.setUpFolder();
    const running = choose("New Recovery Code");
    const title = await asked(CODE);
    await give(title, "I Have Kept It");
    await give(await asked("The new recovery code is valid"));
    await running;
    const codes = [await desk.opens("AAAA-BBBB"), await desk.opens(title.slice(CODE.length))];
    assert.deepEqual(codes, [undefined, before.root]);
    const { marker, ...setup } = await desk.setup();
    assert.ok((await namesIn(folder())).includes(marker));
    assert.deepEqual({ ...setup, marker: before.marker }, before);
  });

  it("changes nothing where the folder is not mounted, and says so", async () => {
    const setup = await desk.setUpFolder();
    rmSync(join(desk.folder, "root"), { recursive: true });
    const running = choose("Change Passphrase");
    await desk.enterPassphrase(OTHER);
    await give(await asked(`${desk.folder} is not there, or what was put there is not. ${SAFE}`));
    await running;
    assert.deepEqual([await desk.setup(), readdirSync(desk.folder)], [setup, []]);
  });

  describe("takes away a lost machine's access", () => {
    const question = "Take away a lost machine's access?";

    async function begin(): Promise<{ readonly running: Promise<void>; readonly code: string }> {
      const running = desk.run();
      await take(MENU, "Take Away");
      await give(question, "Take Access Away");
      await desk.enterPassphrase(OTHER);
      const title = await asked(CODE);
      await give(title, "I Have Kept It");
      return { running, code: title.slice(CODE.length) };
    }

    it("by a new root, under which all keys move, and deletes the old", async () => {
      const before = await desk.setUpFolder();
      const { running, code } = await begin();
      await give(await asked("Done: whoever has the old passphrase"));
      await running;
      const { root, marker, next } = await desk.setup();
      assert.notEqual(root, before.root);
      assert.deepEqual([next, desk.control.movedTo?.id], [undefined, root]);
      assert.deepEqual(desk.control.calls, ["move keys", "stop", "start"]);
      const opened = [await desk.opens(PASSPHRASE), await desk.opens(OTHER), await desk.opens(code)];
      assert.deepEqual(opened, [undefined, root, root]);
      assert.ok((await namesIn(folder())).includes(marker));
      assert.deepEqual([...desk.stored.keys()], [`forge.replicaRoot ${root}`]);
    });

    for (const [title, failure, text] of [
      ["a lost network", replicaFailed("unreachable", ""), "cannot be reached."],
      ["Cancel", CANCELLED, "The access is not taken away yet."],
    ] as const)
      it(`goes on after ${title}`, async () => {
        const before = await desk.setUpFolder();
        desk.control.moves.push(err(failure), err(failure));
        const { running } = await begin();
        await whenTrue(() => happened.at(-1)?.includes(text) === true);
        const asks = await asked("");
        const { next, ...setup } = await desk.setup();
        assert.deepEqual(setup, before, "the old root counts until the last key has moved");
        await give(asks, "Go On");
        await whenTrue(() => happened.filter((each) => each === `asked ${asks}`).length === 2);
        await give(asks);
        await running;
        const again = desk.run();
        const labels = (await listed(MENU)).map(({ label }) => label);
        assert.deepEqual(
          labels.filter((label) => /Passphrase|Recovery|Lost Machine|Set Up/.test(label)),
          [],
          "no other root while keys lie under two",
        );
        await take(MENU, "Go On Taking Access Away");
        await give(await asked("Done: whoever has the old passphrase"));
        await again;
        assert.deepEqual([(await desk.setup()).root, desk.control.movedTo?.id], [next?.root, next?.root]);
        assert.deepEqual([await desk.opens(PASSPHRASE), await desk.opens(OTHER)], [undefined, next?.root]);
      });

    it("only when the user agrees", async () => {
      const setup = await desk.setUpFolder();
      const running = choose("Take Away");
      const { detail } = (await optionsOf(question)) as { readonly detail: string };
      assert.match(detail, /What that machine has already stays on it\./);
      await give(question);
      await running;
      assert.deepEqual([await desk.setup(), desk.control.calls], [setup, []]);
    });
  });

  it("asks for the new passphrase where the access was taken away", async () => {
    const setup = await desk.setUpFolder({ root: "ffffffffffffffff", marker: "root/gone" });
    desk.control.status = { ...desk.control.status, state: "failed", problem: { code: "ROOT_GONE" } };
    const running = choose("Enter the Passphrase");
    await give("Forge: Passphrase of the Conversations", PASSPHRASE);
    await running;
    const { root, marker, ...rest } = await desk.setup();
    assert.equal(root, await desk.opens(PASSPHRASE));
    assert.ok((await namesIn(folder())).includes(marker));
    assert.deepEqual({ ...rest, root: setup.root, marker: setup.marker }, setup);
    assert.deepEqual(desk.control.calls, ["stop", "start"]);
  });

  it("renames this machine", async () => {
    const before = await desk.setUpFolder();
    const running = choose("Rename This Machine");
    await give("Forge: Name of This Machine", "study");
    await running;
    assert.deepEqual(await desk.setup(), { ...before, machine: "study" });
    assert.deepEqual(desk.control.calls, ["stop", "start"]);
  });

  it("shows the policy of a bucket", async () => {
    await desk.setUpFolder({
      place: {
        kind: "bucket",
        endpoint: "https://s3.example.com",
        region: "r",
        bucket: "forge",
        prefix: "ann",
        bucketIn: "path",
        accessKeyId: "AK",
      },
    });
    const running = choose("Show Bucket Policy");
    await take("Forge: Bucket Policy", "delete keys alone");
    await running;
    const all = "arn:aws:s3:::forge/ann/*";
    assert.deepEqual(JSON.parse(desk.shown[0]?.text ?? ""), {
      Version: "2012-10-17",
      Statement: [
        {
          Effect: "Allow",
          Action: "s3:ListBucket",
          Resource: "arn:aws:s3:::forge",
          Condition: { StringLike: { "s3:prefix": "ann/*" } },
        },
        { Effect: "Allow", Action: ["s3:PutObject", "s3:GetObject"], Resource: all },
        { Effect: "Allow", Action: "s3:DeleteObject", Resource: [`${all}.key`, `${all}.access`, `${all}.root`] },
      ],
    });
  });

  it("stops, and leaves everything here and there", async () => {
    await desk.setUpFolder();
    const running = choose("Stop");
    await give(await asked("Stopped. Your conversations are on this machine"));
    await running;
    assert.deepEqual([await desk.isSetUp(), desk.stored.size, desk.control.calls], [false, 0, ["stop"]]);
    assert.equal((await namesIn(folder())).length, 2);
  });

  describe("stops and deletes everything there", () => {
    const question = (): string => `Delete all conversations in ${desk.folder}?`;
    beforeEach(async () => {
      await desk.setUpFolder();
      assert.ok((await folder().put(SEGMENT, Uint8Array.of(1, 2, 3), NEVER_CANCELLED)).ok);
      writeFileSync(join(desk.folder, "holiday.jpg"), "");
    });

    it("but what is not Forge's", async () => {
      const running = choose("Stop and Delete");
      await give(question(), "Stop and Delete");
      await give("Stopped, and 3 objects were deleted there.");
      await running;
      assert.deepEqual(await namesIn(folder()), ["holiday.jpg"]);
      assert.deepEqual([await desk.isSetUp(), desk.stored.size, desk.control.calls], [false, 0, ["stop"]]);
    });

    it("only when the user agrees", async () => {
      const running = choose("Stop and Delete");
      await give(question());
      await running;
      assert.deepEqual([await desk.isSetUp(), (await namesIn(folder())).length, desk.control.calls], [true, 4, []]);
    });

    it("with the roots last, and goes on after a failure", async () => {
      let fails = true;
      desk.open = () => {
        const objects = folder();
        const remove = objects.delete.bind(objects);
        objects.delete = (name, cancel) =>
          fails && name.startsWith("root/") ? Promise.resolve(err(replicaFailed("busy", ""))) : remove(name, cancel);
        return Promise.resolve(ok({ objects, foreignNames: () => Promise.resolve(ok([])) }));
      };
      const running = choose("Stop and Delete");
      await give(question(), "Stop and Delete");
      const text = await asked(`${desk.folder} asks for fewer requests.`);
      assert.match(text, /It is stopped\. Not everything there is deleted yet; what is left is encrypted\.$/);
      assert.deepEqual(
        (await namesIn(folder())).filter((name) => name.startsWith("c/")),
        [],
      );
      assert.equal(await desk.isSetUp(), false);
      fails = false;
      await give(text, "Delete the Rest");
      await give("Stopped, and 2 objects were deleted there.");
      await running;
      assert.deepEqual(await namesIn(folder()), ["holiday.jpg"]);
    });
  });
});
