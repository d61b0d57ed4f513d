import assert from "node:assert/strict";
import { storageFailed } from "../../../src/core/errors.ts";
import { replicaFailed, type ReplicaFailure } from "../../../src/core/replica/logReplica.ts";
import { explainReplica, needsMending, type ReplicaProblem } from "../../../src/host/words/explainReplica.ts";
import { statusLine } from "../../../src/host/replica/statusTexts.ts";
import type { ReplicaStatus } from "../../../src/host/replica/replicaControl.ts";
import { setTranslations } from "../../../src/protocol/localize.ts";
import { readTable, tableFile } from "../../../scripts/l10n/tables.ts";

const FOLDER = { kind: "folder", name: "/share" } as const;
const BUCKET = { kind: "bucket", name: "forge (s3.example.com)" } as const;
const SENT_NOTHING = "Nothing was sent, and nothing was changed.";

const REASONS: Readonly<Record<ReplicaFailure, readonly [folder: string, bucket: string]>> = {
  unreachable: [
    "/share cannot be reached. SAFE It is tried again without you once it can be reached.",
    "forge (s3.example.com) cannot be reached. SAFE It is tried again without you once it can be reached.",
  ],
  busy: [
    "/share asks for fewer requests. SAFE It goes on without you, more slowly.",
    "forge (s3.example.com) asks for fewer requests. SAFE It goes on without you, more slowly.",
  ],
  denied: [
    "You have no right to read and write in /share. SAFE Give yourself that right, or choose another folder.",
    "forge (s3.example.com) refuses the access key, or the key lacks a right. SAFE Check the key and its rights (create, read, list, delete), or enter another key.",
  ],
  wrongSecret: [
    "/share says that the secret does not belong to the access key. SAFE Enter both again.",
    "forge (s3.example.com) says that the secret does not belong to the access key. SAFE Enter both again.",
  ],
  wrongClock: [
    "The clock of this machine differs too much from that of /share. SAFE Set the clock of this machine.",
    "The clock of this machine differs too much from that of forge (s3.example.com). SAFE Set the clock of this machine.",
  ],
  expired: [
    "The access key of /share has expired. SAFE Enter a new one.",
    "The access key of forge (s3.example.com) has expired. SAFE Enter a new one.",
  ],
  missing: [
    "/share is not there, or what was put there is not. SAFE Mount the folder, or start what synchronizes it. If it was moved, set it up again.",
    "forge (s3.example.com) is not there. SAFE Check the address, the region and the name of the bucket.",
  ],
  insecure: [
    "The connection to /share is not encrypted, or its certificate is not valid. SAFE Use an address with https:// and a valid certificate; without encryption only a server on this machine is used.",
    "The connection to forge (s3.example.com) is not encrypted, or its certificate is not valid. SAFE Use an address with https:// and a valid certificate; without encryption only a server on this machine is used.",
  ],
  full: [
    "/share is full. SAFE Free some space where the folder is.",
    "forge (s3.example.com) is full. SAFE Free some space there, or raise its limit.",
  ],
  readOnly: [
    "/share can be read, and nothing can be written there. SAFE Make it writable, or choose another place.",
    "forge (s3.example.com) can be read, and nothing can be written there. SAFE Make it writable, or choose another place.",
  ],
  unexpected: [
    "/share answers in a way that Forge does not know. SAFE Choose another folder if that goes on.",
    "forge (s3.example.com) answers in a way that Forge does not know. SAFE Check that the address is that of object storage (S3).",
  ],
};

const OTHERS: readonly (readonly [problem: ReplicaProblem, text: string])[] = [
  [
    { code: "ROOT_GONE" },
    "/share no longer opens with the key of this machine: its access was taken away, or the place was set up anew. SAFE Enter the passphrase that is valid there now.",
  ],
  [
    { code: "WRONG_SECRET", mayArrive: true },
    "That is neither the passphrase nor the recovery code of /share. SAFE Not all of its files have arrived here. Wait until they have, then try again.",
  ],
  [
    { code: "WRONG_SECRET", mayArrive: false },
    "That is neither the passphrase nor the recovery code of /share. SAFE Try again; capital and small letters differ in a passphrase.",
  ],
  [
    { code: "PLACE_NOT_EMPTY", names: ["a", "b"] },
    "/share has something that is not Forge's: a, b. SAFE Choose an empty folder.",
  ],
  [{ code: "PLACE_NEWER" }, "/share was written by a newer Forge. SAFE Update Forge on this machine, then set it up."],
  [
    { code: "PLACE_UNFIT" },
    "/share does not return what was put there, so Forge cannot rely on it. SAFE Choose another place.",
  ],
  [
    storageFailed("ENOSPC", ""),
    "The disk of this machine is full, so nothing is exchanged with the replica. SAFE Free some space.",
  ],
  [
    storageFailed("EROFS", ""),
    "Forge has no permission to write to its storage folder on this machine. SAFE Give yourself that right.",
  ],
  [
    storageFailed("EACCES", ""),
    "Forge has no permission to write to its storage folder on this machine. SAFE Give yourself that right.",
  ],
  [
    { ...storageFailed(undefined, ""), reason: "newerVersion" },
    "A newer Forge has set up on this machine where conversations are kept. SAFE Update Forge on this machine.",
  ],
  [
    { ...storageFailed(undefined, ""), reason: "damaged" },
    "The file is damaged that says where this machine keeps its conversations besides its own disk. SAFE Set it up again, with the passphrase: nothing that is there is lost.",
  ],
  [
    storageFailed("EIO", "the disk said"),
    "A file of Forge on this machine cannot be read or written. SAFE Try again; the log says more. It said: the disk said",
  ],
];

describe("33 what a person is told of the replica", () => {
  for (const [reason, [folder, bucket]] of Object.entries(REASONS))
    it(`says what happened, what is safe and what to do: ${reason}`, () => {
      const problem = replicaFailed(reason as ReplicaFailure, "");
      const texts = [FOLDER, BUCKET].map((place) => explainReplica(problem, place, "setUp"));
      assert.deepEqual(
        texts,
        [folder, bucket].map((text) => text.replace("SAFE", SENT_NOTHING)),
      );
    });

  for (const [problem, text] of OTHERS)
    it(`says the same of ${problem.code} ${"reason" in problem ? problem.reason : ""}`, () => {
      const safe = "Your conversations are safe on this machine, and what is new waits here.";
      assert.equal(explainReplica(problem, FOLDER, "running"), text.replace("SAFE", safe));
    });

  it("adds the words of the system", () => {
    assert.match(explainReplica(replicaFailed("full", "ENOSPC"), FOLDER, "setUp"), / It said: ENOSPC$/);
  });

  it("asks nobody to mend what time mends", () => {
    const passing = Object.keys(REASONS).filter((reason) => !needsMending(replicaFailed(reason as ReplicaFailure, "")));
    assert.deepEqual(passing, ["unreachable", "busy"]);
    assert.ok(OTHERS.every(([problem]) => needsMending(problem)));
  });

  it("has other words for each in German", () => {
    const problems = [
      ...Object.keys(REASONS).map((reason) => replicaFailed(reason as ReplicaFailure, "")),
      ...OTHERS.map(([problem]) => problem),
    ];
    const texts = (): readonly string[] =>
      problems.flatMap((problem) => [FOLDER, BUCKET].map((place) => explainReplica(problem, place, "running")));
    const english = texts();
    setTranslations(readTable(tableFile("de")), "de");
    try {
      const german = texts();
      assert.ok(german.every((text, at) => text !== english[at] && text.includes("sicher")));
      assert.equal(new Set(german).size, new Set(english).size);
    } finally {
      setTranslations({});
    }
  });

  const NOW_MS = 1_000_000;
  const status: ReplicaStatus = {
    state: "idle",
    conversations: 214,
    waiting: 0,
    setAside: [],
    checkedAtMs: NOW_MS - 120_000,
  };
  const lines: readonly (readonly [status: ReplicaStatus, line: string])[] = [
    [status, "All 214 conversations are on the replica, checked 2 min ago"],
    [{ ...status, conversations: 1 }, "The conversation is on the replica, checked 2 min ago"],
    [{ ...status, waiting: 3 }, "3 conversations wait, of 214; last complete check: 2 min ago"],
    [{ ...status, waiting: 1, state: "working" }, "1 conversation waits, of 214; last complete check: 2 min ago"],
    [
      { ...status, problem: replicaFailed("unreachable", "") },
      "0 conversations wait, of 214; last complete check: 2 min ago",
    ],
    [
      { state: "working", conversations: 2, waiting: 0, setAside: [] },
      "0 conversations wait, of 2; last complete check: not checked yet",
    ],
    [{ state: "off", conversations: 0, waiting: 0, setAside: [] }, "Conversations are kept on this machine only"],
  ];
  for (const [shown, line] of lines)
    it(`has the line: ${line}`, () => {
      assert.equal(statusLine(shown, NOW_MS), line);
    });
});
