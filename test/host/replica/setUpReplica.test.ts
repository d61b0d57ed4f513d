import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ReplicaFolder } from "../../../src/adapters/node/replica/replicaFolder.ts";
import { passphraseKey } from "../../../src/adapters/argon2/passphraseKey.ts";
import { type ReplicaFailure, replicaFailed } from "../../../src/core/replica/logReplica.ts";
import { createRoot } from "../../../src/core/replica/replicaRoot.ts";
import { err } from "../../../src/core/result.ts";
import {
  beginAnew,
  give,
  happened,
  listed,
  optionsOf,
  refusalOf,
  take,
  withQuestions,
} from "../../support/editor/fakeQuestions.ts";
import { namesIn, PASSPHRASE, ReplicaDesk, rootServicesAt, SET_UP } from "../../support/replica/replicaDesk.ts";
import { KEYS, S3Server } from "../../support/replica/s3Server.ts";
import { temporaryFolder } from "../../support/storage/storeBuilders.ts";
import { whenTrue } from "../../support/whenTrue.ts";

const MACHINE = "Forge: Name of This Machine";
const SECRET = "Forge: Passphrase of the Conversations";
const CODE = "Recovery code: ";
const KEPT = "I Have Kept It";
const NOTHING_SENT = "Nothing was sent, and nothing was changed.";

describe("setting up the replica", () => {
  let temporary: ReturnType<typeof temporaryFolder>;
  let desk: ReplicaDesk;
  beforeEach(() => {
    beginAnew();
    temporary = temporaryFolder();
    desk = new ReplicaDesk(temporary.path);
  });
  afterEach(() => {
    temporary.remove();
  });

  /** Waits for a question that begins so, and returns it. */
  async function asked(beginning: string): Promise<string> {
    await whenTrue(() => happened.at(-1)?.startsWith(`asked ${beginning}`) === true);
    return happened.at(-1)?.slice("asked ".length) ?? "";
  }

  async function keepCode(): Promise<string> {
    const title = await asked(CODE);
    await give(title, KEPT);
    return title.slice(CODE.length);
  }

  const objects = (): Promise<readonly string[]> => namesIn(new ReplicaFolder(desk.folder));

  it("puts the root into an empty folder, after what will be sent was shown, and begins", async () => {
    desk.secretKey = passphraseKey;
    writeFileSync(join(desk.folder, ".stignore"), "");
    const running = desk.run();
    await desk.chooseFolder();
    await give(MACHINE, "  my\tdesktop ");
    await desk.enterPassphrase();
    const code = await keepCode();
    const question = `Send 2 conversations (4 MB) to ${desk.folder}?`;
    assert.deepEqual(await optionsOf(question), {
      modal: true,
      detail: [
        `All is encrypted on this machine before it leaves. ${desk.folder} can see the number, the size and the time of what is put there, and what belongs to one conversation; no title, no word and no path.`,
        "The size is that of the files here; less is sent.",
      ].join("\n\n"),
    });
    assert.deepEqual(await objects(), [], "nothing is there before");
    assert.deepEqual([await desk.isSetUp(), desk.control.calls], [false, []]);
    await give(question, "Begin");
    await give(await asked("Conversations are kept in"));
    await running;
    const { sinceMs, root, marker, ...setup } = await desk.setup();
    assert.deepEqual(setup, {
      place: { kind: "folder", path: desk.folder },
      machine: "my desktop",
      refusesSecond: true,
      deletesAll: true,
    });
    assert.ok(sinceMs > 0);
    assert.deepEqual(desk.control.calls, ["stop", "start"]);
    assert.deepEqual([await desk.opens(PASSPHRASE), await desk.opens(code)], [root, root]);
    const marked: unknown = JSON.parse(readFileSync(join(desk.folder, marker), "utf8"));
    assert.equal((marked as { kind: string }).kind, "recovery", "a passphrase changes more often");
    assert.deepEqual([...desk.stored.keys()], [`forge.replicaRoot ${root}`]);
  });

  it("has the recovery code copied, and makes nothing until it is kept", async () => {
    const running = desk.run();
    await desk.chooseFolder();
    await give(MACHINE, "a");
    await desk.enterPassphrase();
    const title = await asked(CODE);
    await give(title, "Copy");
    await whenTrue(() => happened.filter((each) => each === `asked ${title}`).length === 2);
    assert.ok(happened.includes(`copied ${title.slice(CODE.length)}`));
    assert.match(title, /^Recovery code: (?:[0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{4}$/);
    await give(title);
    await running;
    assert.deepEqual([await desk.isSetUp(), await objects(), desk.stored.size], [false, [], 0]);
  });

  it("refuses a passphrase that a machine would guess", async () => {
    const { passphraseRefusal } = await withQuestions(
      async () => import("../../../src/host/replica/commands/secretQuestions.ts"),
    );
    const refusals: readonly (readonly [passphrase: string, reason: string | undefined])[] = [
      ["", "Without a passphrase anybody at the place could read everything."],
      ["correct hor", "Too short: 12 characters at least. A machine would guess it."],
      ["aaaaaaaabbbbbbbb", "Too much of the same: a machine would guess it. Use several words."],
      ["correct horse", undefined],
      ["🐎🔋📎✅🐎🔋📎✅🐎🔋🦊🐸", undefined],
    ];
    assert.deepEqual(
      refusals.map(([passphrase]) => [passphrase, passphraseRefusal(passphrase)]),
      refusals,
    );
  });

  it("does not go on while the passphrase is not repeated", async () => {
    const running = desk.run();
    await desk.chooseFolder();
    await give(MACHINE, "a");
    await give("Forge: New Passphrase", "too short");
    assert.match(await refusalOf("Forge: New Passphrase"), /^Too short/);
    await give("Forge: New Passphrase", PASSPHRASE);
    await give("Forge: New Passphrase Once More", `${PASSPHRASE}.`);
    assert.equal(await refusalOf("Forge: New Passphrase Once More"), "That is another one than before.");
    await give("Forge: New Passphrase Once More");
    await running;
    assert.deepEqual([await desk.isSetUp(), await objects()], [false, []]);
  });

  it("does nothing when any question is dismissed", async () => {
    const answers: readonly (() => Promise<unknown>)[] = [
      () => take(SET_UP, "A folder"),
      () => give("Forge: Folder for Conversations", [{ scheme: "file", fsPath: desk.folder }]),
      () => give(MACHINE, "a"),
      () => give("Forge: New Passphrase", PASSPHRASE),
      () => give("Forge: New Passphrase Once More", PASSPHRASE),
      keepCode,
    ];
    for (let count = 0; count <= answers.length; count++) {
      beginAnew();
      const running = desk.run();
      for (const answer of answers.slice(0, count)) await answer();
      await whenTrue(() => happened.filter((each) => each.startsWith("asked")).length === count + 1);
      await give(await asked(""));
      await running;
      assert.deepEqual(
        [happened.at(-1), await desk.isSetUp(), await objects(), desk.stored.size],
        ["keyboard", false, [], 0],
      );
    }
    assert.deepEqual(desk.control.calls, []);
  });

  for (const [kind, detail] of [
    ["volume", "A volume of this container, which rebuilds leave as it is"],
    ["codespace", "Rebuilds of the container leave it as it is; it is deleted with the codespace"],
  ] as const)
    it(`offers a folder that outlives the container first, and makes it: ${kind}`, async () => {
      const path = join(temporary.path, "workspaces", ".forge-conversations");
      desk.containerOffer = { folder: { path, kind }, canAddVolume: false };
      const running = desk.run();
      assert.deepEqual(
        (await listed(SET_UP)).map((item) => item.detail),
        [
          detail,
          "Synchronized or mounted: Dropbox, OneDrive, iCloud, Syncthing, a share",
          "Of S3-compatible object storage: R2, B2, AWS, MinIO, a NAS",
        ],
      );
      await take(SET_UP, path);
      await give(MACHINE, "container");
      await desk.enterPassphrase();
      await keepCode();
      await give(`Send 2 conversations (4 MB) to ${path}?`, "Begin");
      await give(await asked("Conversations are kept in"));
      await running;
      assert.deepEqual((await desk.setup()).place, { kind: "folder", path });
    });

  it("offers a volume of the dev container, which is added before it is set up", async () => {
    desk.containerOffer = { canAddVolume: true };
    const running = desk.run();
    assert.deepEqual(
      (await listed(SET_UP)).map(({ label }) => label),
      ["$(archive) A new volume of this container", "$(folder) A folder", "$(cloud) A bucket"],
    );
    await take(SET_UP, "A new volume");
    await give("Keep the conversations of this container on a volume?");
    await running;
    assert.deepEqual([happened.at(-1), await desk.isSetUp()], ["keyboard", false]);
  });

  describe("where a replica is", () => {
    let root: string;
    let recovery: string;
    beforeEach(async () => {
      recovery = "0123-4567-89AB-CDEF-GHJK-MNPQ-RSTV";
      const made = await createRoot(rootServicesAt(new ReplicaFolder(desk.folder)), {
        passphrase: PASSPHRASE,
        recovery,
      });
      assert.ok(made.ok);
      root = made.value.id;
    });

    for (const [title, secret] of [
      ["the passphrase", PASSPHRASE],
      ["the recovery code, as people type it", " o123 4567 89ab cdef ghjk mnpq rstv"],
    ] as const)
      it(`opens it by ${title}`, async () => {
        writeFileSync(join(desk.folder, "holiday.jpg"), "does no harm there");
        desk.conversations = [];
        const running = desk.run();
        await desk.chooseFolder();
        await give(MACHINE, "laptop");
        await give(SECRET, secret);
        const question = `Keep the conversations to come in ${desk.folder}?`;
        const options = (await optionsOf(question)) as { readonly detail: string };
        assert.match(options.detail, /\n\nThe conversations that are there come to this machine\.$/);
        await give(question, "Begin");
        await give(await asked("Conversations are kept in"));
        await running;
        assert.equal((await desk.setup()).root, root);
        assert.equal((await objects()).filter((name) => name.startsWith("root/")).length, 2);
      });

    it("asks again after a wrong one", async () => {
      const running = desk.run();
      await desk.chooseFolder();
      await give(MACHINE, "laptop");
      await give(SECRET, "wrong horse battery staple");
      assert.equal(
        await refusalOf(SECRET),
        `That is neither the passphrase nor the recovery code of ${desk.folder}. ${NOTHING_SENT} Try again; capital and small letters differ in a passphrase.`,
      );
      await give(SECRET);
      await running;
      assert.deepEqual([await desk.isSetUp(), desk.stored.size], [false, 0]);
    });

    it("says so where somebody else's is there, too", async () => {
      const made = await createRoot(rootServicesAt(new ReplicaFolder(desk.folder)), {
        passphrase: "another person's passphrase",
        recovery: "B",
      });
      assert.ok(made.ok);
      const running = desk.run();
      await desk.chooseFolder();
      await give(MACHINE, "laptop");
      await give(SECRET, PASSPHRASE);
      await give(`Send 2 conversations (4 MB) to ${desk.folder}?`, "Begin");
      await running;
      await give(
        `Conversations are kept in ${desk.folder} now. It is also used with another passphrase, perhaps by somebody else or by mistake: neither side can read the other's conversations.`,
      );
      assert.equal((await desk.setup()).root, root);
    });
  });

  const unfit: readonly (readonly [title: string, prepare: () => void, text: (folder: string) => string])[] = [
    [
      "is not empty",
      () => {
        for (const name of ["thesis.docx", "b", "a", "c1"]) writeFileSync(join(desk.folder, name), "");
      },
      (folder) => `${folder} has something that is not Forge's: a, b, c1. ${NOTHING_SENT} Choose an empty folder.`,
    ],
    [
      "is of a newer Forge",
      () => {
        mkdirSync(join(desk.folder, "root"));
        writeFileSync(join(desk.folder, "root", "new.thing"), "");
      },
      (folder) =>
        `${folder} was written by a newer Forge. ${NOTHING_SENT} Update Forge on this machine, then set it up.`,
    ],
    [
      "is gone",
      () => {
        rmSync(desk.folder, { recursive: true });
      },
      (folder) =>
        `${folder} is not there, or what was put there is not. ${NOTHING_SENT} Mount the folder, or start what synchronizes it. If it was moved, set it up again. It said: There is no folder ${folder}.`,
    ],
    [
      "does not return what was put there",
      () => {
        desk.open = () => {
          const objects = new ReplicaFolder(desk.folder);
          objects.get = () => Promise.resolve({ ok: true, value: new Uint8Array(13) });
          return Promise.resolve({
            ok: true,
            value: { objects, foreignNames: () => Promise.resolve({ ok: true, value: [] }) },
          });
        };
      },
      (folder) =>
        `${folder} does not return what was put there, so Forge cannot rely on it. ${NOTHING_SENT} Choose another place.`,
    ],
  ];
  for (const [title, prepare, text] of unfit)
    it(`refuses a folder that ${title}, and leaves it as it was`, async () => {
      prepare();
      const running = desk.run();
      await desk.chooseFolder();
      await give(text(desk.folder), "Try Again");
      await give(SET_UP);
      await running;
      assert.equal(await desk.isSetUp(), false);
      if (title !== "is gone") assert.deepEqual(readdirSync(desk.folder).includes("c"), false);
    });

  for (const reason of ["full", "readOnly", "denied", "busy", "unreachable"] satisfies ReplicaFailure[])
    it(`refuses a folder whose first write fails: ${reason}`, async () => {
      desk.open = () => {
        const objects = new ReplicaFolder(desk.folder);
        objects.put = () => Promise.resolve(err(replicaFailed(reason, "the system's words")));
        return Promise.resolve({
          ok: true,
          value: { objects, foreignNames: () => Promise.resolve({ ok: true, value: [] }) },
        });
      };
      const running = desk.run();
      await desk.chooseFolder();
      await whenTrue(() => happened.at(-1)?.includes(NOTHING_SENT) === true);
      const text = await asked("");
      assert.ok(text.includes(desk.folder) && text.endsWith("It said: the system's words"), text);
      await give(text);
      await running;
      assert.deepEqual([await desk.isSetUp(), readdirSync(desk.folder)], [false, []]);
    });

  it("refuses a folder of another kind of machine", async () => {
    const running = desk.run();
    await take(SET_UP, "A folder");
    await give("Forge: Folder for Conversations", [{ scheme: "vscode-remote", fsPath: "/x" }]);
    await running;
    await give("Forge can use only folders of the machine that it runs on. Nothing was changed.");
    assert.equal(await desk.isSetUp(), false);
  });

  it("offers to set up again what is damaged on this machine, and touches nothing of a newer Forge", async () => {
    mkdirSync(join(temporary.path, "storage", "replica"), { recursive: true });
    const file = join(temporary.path, "storage", "replica", "setup.json");
    writeFileSync(file, "{");
    const first = desk.run();
    await give(await asked("The file is damaged"), "Set Up Again");
    await give(SET_UP);
    await first;
    writeFileSync(file, '{"version":9}');
    const second = desk.run();
    await give(await asked("A newer Forge has set up"), "Set Up Again");
    await second;
    assert.equal(readFileSync(file, "utf8"), '{"version":9}');
  });

  describe("a bucket", () => {
    let server: S3Server;
    afterEach(() => server.stop());

    async function chooseBucket({ address = server.url, secret = KEYS.secretAccessKey } = {}): Promise<void> {
      await take(SET_UP, "A bucket");
      await give("Forge: Address of the Object Storage", address);
      await give("Forge: Region of the Bucket", "eu-house-1");
      await give("Forge: Name of the Bucket", "forge");
      await give("Forge: Prefix in the Bucket", "/ann//");
      await take("Forge: Addresses in the Bucket", "In the path");
      await give("Forge: Access Key of the Bucket", KEYS.accessKeyId);
      await give("Forge: Secret of the Access Key", secret);
    }

    it("gets the root below its prefix, and its secret goes to the secret storage alone", async () => {
      server = await S3Server.start();
      const running = desk.run();
      await chooseBucket();
      await give(MACHINE, "desktop");
      await desk.enterPassphrase();
      await keepCode();
      await give(`Send 2 conversations (4 MB) to forge/ann (${new URL(server.url).host})?`, "Begin");
      await give(await asked("Conversations are kept in"));
      await running;
      const setup = await desk.setup();
      assert.deepEqual(setup.place, {
        kind: "bucket",
        endpoint: server.url,
        region: "eu-house-1",
        bucket: "forge",
        prefix: "ann",
        bucketIn: "path",
        accessKeyId: KEYS.accessKeyId,
      });
      assert.deepEqual([setup.refusesSecond, setup.deletesAll], [true, true]);
      const keys = [...server.objects.keys()];
      assert.deepEqual([keys.length, keys.every((key) => key.startsWith(`ann/root/${setup.root}-`))], [2, true]);
      const file = readFileSync(join(temporary.path, "storage", "replica", "setup.json"), "utf8");
      assert.equal(file.includes(KEYS.secretAccessKey), false);
      assert.deepEqual(
        await desk.secrets.bucketKeys({ endpoint: server.url, bucket: "forge" }, KEYS.accessKeyId),
        KEYS,
      );
    });

    it("that replaces the first by the second, and deletes keys alone, is used after that was said", async () => {
      server = await S3Server.start({ ignoresIfNoneMatch: true });
      server.answers = ({ method, key }) =>
        method === "DELETE" && key.endsWith(".segment")
          ? { status: 403, body: "<Error><Code>AccessDenied</Code></Error>" }
          : undefined;
      const running = desk.run();
      await chooseBucket();
      await give(MACHINE, "desktop");
      await desk.enterPassphrase();
      await keepCode();
      const question = `Send 2 conversations (4 MB) to forge/ann (${new URL(server.url).host})?`;
      const { detail } = (await optionsOf(question)) as { readonly detail: string };
      assert.deepEqual(detail.split("\n\n").slice(2), [
        "This store lets a second write replace the first, so whoever has the access key could overwrite what is there. Nothing of Forge depends on it; versioning there helps.",
        "The access key may delete keys alone. Erasing works; what is there is not packed into fewer objects.",
      ]);
      await give(question, "Begin");
      await give(await asked("Conversations are kept in"));
      await running;
      const { refusesSecond, deletesAll } = await desk.setup();
      assert.deepEqual([refusesSecond, deletesAll], [false, false]);
    });

    it("that has files of others is refused", async () => {
      server = await S3Server.start();
      server.objects.set("ann/Photos/1.JPG", Buffer.from("x"));
      const running = desk.run();
      await chooseBucket();
      const name = `forge/ann (${new URL(server.url).host})`;
      await give(
        `${name} has something that is not Forge's: Photos/1.JPG. ${NOTHING_SENT} Choose a prefix under which there is nothing.`,
      );
      await running;
      assert.deepEqual([...server.objects.keys()], ["ann/Photos/1.JPG"]);
    });

    it("that refuses the key is explained, with the rights that the key needs", async () => {
      server = await S3Server.start();
      server.keyIs = "AccessDenied";
      const running = desk.run();
      await chooseBucket();
      const text = await asked(`forge/ann (${new URL(server.url).host}) refuses the access key`);
      assert.ok(text.includes(NOTHING_SENT));
      await give(text, "Show Bucket Policy");
      await running;
      assert.deepEqual(
        desk.shown.map(({ name }) => name),
        ["bucket-policy-all.json"],
      );
      assert.equal(desk.stored.size, 0);
    });

    it("asks again with what was entered when the secret is wrong", async () => {
      server = await S3Server.start();
      const running = desk.run();
      await chooseBucket({ secret: "wrong" });
      await give(await asked(`forge/ann (${new URL(server.url).host}) says that the secret`), "Try Again");
      await chooseBucket();
      await give(MACHINE);
      await running;
      assert.deepEqual([await desk.isSetUp(), [...server.objects.keys()]], [false, []]);
    });

    it("is not asked for by an address that others can read", async () => {
      server = await S3Server.start();
      const running = desk.run();
      await take(SET_UP, "A bucket");
      const none =
        "That is no address. One looks like https://s3.eu-central-1.amazonaws.com, without a name or a query in it.";
      const open =
        "Without encryption (http://) only a server on this machine is used. Enter an address with https://.";
      const wrong: readonly (readonly [address: string, refusal: string])[] = [
        ["http://s3.example.com", open],
        ["", none],
        ["ftp://127.0.0.1", open],
        ["https://ann:x@s3.example.com", none],
      ];
      for (const [address, refusal] of wrong) {
        await give("Forge: Address of the Object Storage", address);
        await whenTrue(() => happened.at(-1) === "asked Forge: Address of the Object Storage");
        await new Promise(setImmediate);
        assert.equal(await refusalOf("Forge: Address of the Object Storage"), refusal, address);
      }
      await give("Forge: Address of the Object Storage");
      await running;
      assert.deepEqual(server.requests, []);
    });
  });
});
