import assert from "node:assert/strict";
import { cpSync, renameSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { acquireLease, leaseState } from "../../../src/adapters/node/lease.ts";
import { objectCipher } from "../../../src/adapters/node/objectCipher.ts";
import { noteGone } from "../../../src/adapters/node/replica/goneConversations.ts";
import { Cancellation } from "../../../src/core/cancellation.ts";
import { messageId, type ConversationId } from "../../../src/core/ids.ts";
import { parseName } from "../../../src/core/replica/objectNames.ts";
import { createRoot, type RootKey } from "../../../src/core/replica/replicaRoot.ts";
import { DiskMachine } from "../../support/replica/diskMachine.ts";
import { MemoryPlace, MemoryReplica } from "../../support/replica/memoryReplica.ts";

const [ONE, TWO] = ["1", "2"].map((digit) => `00000000-0000-4000-8000-00000000000${digit}` as ConversationId) as [
  ConversationId,
  ConversationId,
];

class Requests extends MemoryReplica {
  count = 0;

  override list(...args: Parameters<MemoryReplica["list"]>): ReturnType<MemoryReplica["list"]> {
    this.count++;
    return super.list(...args);
  }
}

async function rootIn(place: MemoryPlace): Promise<RootKey> {
  const services = {
    place: new MemoryReplica(place),
    cipher: objectCipher,
    secretKey: () => Promise.resolve(new Uint8Array(32)),
    cancel: new Cancellation(),
  };
  const root = await createRoot(services, { passphrase: "one", recovery: "two" });
  assert.ok(root.ok);
  return root.value;
}

/** Of the news. */
function numbersOf({ objects }: MemoryPlace): readonly number[] {
  const numbers = [...objects.keys()].flatMap((name) => {
    const parsed = parseName(name);
    return parsed?.kind === "news" ? [parsed.number] : [];
  });
  return numbers.sort((one, other) => one - other);
}

describe("Conversations on two machines", () => {
  let place: MemoryPlace;
  let root: RootKey;
  let [desktop, laptop]: readonly DiskMachine[] = [];

  async function onBoth(times = 1): Promise<void> {
    for (let time = 0; time < times; time++)
      for (const machine of [desktop, laptop]) {
        const checked = await machine?.check();
        assert.ok(checked?.ok, JSON.stringify(checked));
      }
  }

  beforeEach(async () => {
    place = new MemoryPlace();
    root = await rootIn(place);
    const machine = (name: string): Promise<DiskMachine> =>
      DiskMachine.create({ name, root, place: new MemoryReplica(place) });
    [desktop, laptop] = [await machine("desktop"), await machine("laptop")];
  });

  it("are there on the other one, and go on there and here", async () => {
    assert.ok(desktop && laptop);
    await desktop.ask(ONE, "first");
    await desktop.ask(TWO, "other");
    await onBoth();
    assert.deepEqual(laptop.conversations, [ONE, TWO]);
    await laptop.ask(ONE, "second");
    await onBoth(2);
    const all = ["first", "Answer to first", "second", "Answer to second"];
    assert.deepEqual([await desktop.shown(ONE), await laptop.shown(ONE)], [all, all]);
    const [report, again] = [await desktop.check("all"), await laptop.check("all")];
    const quiet = { ok: true, value: { conversations: 2, waiting: 0, setAside: [], changed: [] } };
    assert.deepEqual([report, again], [quiet, quiet]);
  });

  it("are all there on the other one where so many are sent and taken that two threads work", async () => {
    const machine = (name: string): Promise<DiskMachine> =>
      DiskMachine.create({ name, root, place: new MemoryReplica(place), hasMany: true });
    const [office, home] = [await machine("office"), await machine("home")];
    await office.ask(ONE, "first");
    const ids = Array.from({ length: 40 }, (_, at) => `00000000-0000-4000-8000-0000000001${String(at + 10)}`);
    const folder = join(office.storage, "conversations");
    for (const id of ids) cpSync(join(folder, ONE), join(folder, id), { recursive: true });
    const reports = [await office.check("all"), await home.check(), await home.check("all"), await office.check()];
    const quiet = { conversations: 41, waiting: 0, setAside: [] };
    const all = [ONE, ...ids];
    assert.deepEqual(
      reports.map((report) => (report.ok ? { ...report.value, changed: report.value.changed.toSorted() } : report)),
      [[], all, [], []].map((changed) => ({ ...quiet, changed })),
    );
    assert.deepEqual(home.conversations, all);
    for (const id of all) assert.deepEqual(await home.shown(id as ConversationId), ["first", "Answer to first"]);
    assert.deepEqual(
      numbersOf(place),
      all.map((_, at) => at),
    );
    for (const each of [office, home]) each.remove();
  });

  it("are told of where another machine changed something, and not where they were only put", async () => {
    assert.ok(desktop && laptop);
    await desktop.ask(ONE, "first");
    const put = await desktop.check();
    const taken = await laptop.check();
    assert.ok(put.ok && taken.ok);
    assert.deepEqual([put.value.changed, taken.value.changed], [[], [ONE]]);
  });

  it("are free in lists while they are copied, and whoever wants one waits for it", async () => {
    assert.ok(desktop);
    await desktop.ask(ONE, "first");
    const folder = dirname(desktop.fileOf(ONE));
    const file = desktop.closed.file(ONE);
    assert.ok((await file.readIndex(0)).ok);
    assert.equal(await leaseState(folder), "free");
    const waiting = acquireLease(folder);
    setTimeout(() => void file.release(), 100);
    const lease = await waiting;
    assert.ok(lease.ok, JSON.stringify(lease));
    await lease.value.release();
  });

  it("are known to have no segments until they are sent", async () => {
    assert.ok(desktop && laptop);
    const mayHave: unknown[] = [];
    const look = async (machine: DiskMachine): Promise<void> => {
      const file = machine.closed.file(ONE);
      mayHave.push(await file.mayHaveSegments());
      await file.release();
    };
    await look(desktop);
    await desktop.ask(ONE, "first");
    await look(desktop);
    await onBoth();
    await look(desktop);
    await look(laptop);
    assert.deepEqual(mayHave, [
      { ok: true, value: false },
      { ok: true, value: false },
      { ok: true, value: true },
      { ok: true, value: true },
    ]);
  });

  it("have both tails after both went on offline, and each shows its own", async () => {
    assert.ok(desktop && laptop);
    await desktop.ask(ONE, "first");
    await onBoth();
    await desktop.ask(ONE, "here");
    await laptop.ask(ONE, "there");
    await onBoth(2);
    assert.deepEqual(await desktop.shown(ONE), ["first", "Answer to first", "here", "Answer to here"]);
    assert.deepEqual(await laptop.shown(ONE), ["first", "Answer to first", "there", "Answer to there"]);
    assert.deepEqual((await desktop.all(ONE)).toSorted(), (await laptop.all(ONE)).toSorted());
  });

  it("lose what was erased, on both and in the place", async () => {
    assert.ok(desktop && laptop);
    await desktop.ask(ONE, "secret");
    await onBoth();
    await desktop.erase(ONE, [messageId(0)]);
    await onBoth(2);
    assert.deepEqual((await laptop.shown(ONE))[0], "[Erased by the user]");
    assert.doesNotMatch(readFileSync(laptop.fileOf(ONE), "latin1"), /"secret"/);
  });

  it("are put again after a restart only where something changed", async () => {
    assert.ok(desktop);
    await desktop.ask(ONE, "first");
    await desktop.check();
    const before = new Map(place.objects);
    desktop.restart();
    await desktop.check("all");
    assert.deepEqual(new Map(place.objects), before);
    await desktop.ask(TWO, "while no window was open");
    desktop.restart();
    await desktop.check();
    assert.ok([...place.objects.keys()].some((name) => name.startsWith(`c/${TWO}/`)));
  });

  it("are deleted for good everywhere, and in the trash on the other machine, once", async () => {
    assert.ok(desktop && laptop);
    await desktop.ask(ONE, "first");
    await onBoth();
    renameSync(join(desktop.storage, "conversations", ONE), join(desktop.storage, "removed"));
    writeFileSync(join(desktop.storage, "replica", "setup.json"), "");
    assert.ok((await noteGone(desktop.storage, [ONE])).ok);
    await onBoth(2);
    assert.deepEqual([desktop.conversations, laptop.conversations], [[], []]);
    assert.deepEqual(
      [...place.objects.keys()].filter((name) => name.startsWith("c/")),
      [],
    );
    renameSync(join(laptop.storage, "trash", ONE), join(laptop.storage, "conversations", ONE));
    laptop.restart();
    await laptop.check("all");
    assert.deepEqual(laptop.conversations, [ONE]);
    assert.deepEqual(
      [...place.objects.keys()].filter((name) => name.startsWith("c/")),
      [],
    );
  });

  it("are put again where the place has lost them, as when another one is set up", async () => {
    assert.ok(desktop && laptop);
    await desktop.ask(ONE, "first");
    await onBoth();
    await laptop.ask(ONE, "second");
    await onBoth(2);
    for (const name of [...place.objects.keys()]) if (!name.startsWith("root/")) place.objects.delete(name);
    for (const machine of [desktop, laptop, desktop]) await machine.check("all");
    const third = await DiskMachine.create({ name: "third", root, place: new MemoryReplica(place) });
    await third.check();
    assert.deepEqual(await third.shown(ONE), ["first", "Answer to first", "second", "Answer to second"]);
    assert.deepEqual(await laptop.all(ONE), await third.all(ONE));
  });

  it("are not taken by who has another root", async () => {
    const other = await DiskMachine.create({
      name: "stranger",
      root: { id: "0123456789abcdef", key: objectCipher.newKey() },
      place: new MemoryReplica(place),
    });
    assert.deepEqual(await other.check("all"), { ok: false, error: { code: "ROOT_GONE" } });
  });

  it("cost three requests when nothing is new", async () => {
    const requests = new Requests(place);
    const machine = await DiskMachine.create({ name: "third", root: await rootIn(place), place: requests });
    await machine.ask(ONE, "first");
    await machine.check();
    requests.count = 0;
    await machine.check();
    assert.equal(requests.count, 3);
  });
});
