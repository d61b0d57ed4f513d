import assert from "node:assert/strict";
import { join } from "node:path";
import { leaseState } from "../../../src/adapters/node/lease.ts";
import { objectCipher } from "../../../src/adapters/node/objectCipher.ts";
import { ThreadLeases } from "../../../src/adapters/node/threadLeases.ts";
import { Cancellation } from "../../../src/core/cancellation.ts";
import type { ConversationId } from "../../../src/core/ids.ts";
import type { ClosedFile } from "../../../src/adapters/sqlite/closedFile.ts";
import type { ReplicatedConversation } from "../../../src/core/replica/conversationReplica.ts";
import { createRoot, type RootKey } from "../../../src/core/replica/replicaRoot.ts";
import { ReplicaThread } from "../../../src/host/replica/replicaThread.ts";
import { DiskMachine } from "../../support/replica/diskMachine.ts";
import { MemoryPlace, MemoryReplica } from "../../support/replica/memoryReplica.ts";

const OPEN = "00000000-0000-4000-8000-000000000001" as ConversationId;
const CLOSED = "00000000-0000-4000-8000-000000000002" as ConversationId;
/** Enough for a thread that helps. */
const MANY = Array.from(
  { length: 40 },
  (_, at) => `00000000-0000-4000-8000-0000000001${String(at).padStart(2, "0")}` as ConversationId,
);

/** The place, which can be told to answer no put, or with nonsense. */
class BrokenPlace extends MemoryReplica {
  answers: "well" | "never" | "nonsense" = "well";
  /** Puts that are not answered. */
  waiting = 0;

  override put(...args: Parameters<MemoryReplica["put"]>): ReturnType<MemoryReplica["put"]> {
    if (this.answers === "well") return super.put(...args);
    this.waiting++;
    return new Promise((resolve) => {
      if (this.answers === "nonsense") resolve(undefined as never);
    });
  }
}

describe("The thread that replicates", function () {
  this.timeout(60_000);
  let objects: MemoryPlace["objects"];
  let place: BrokenPlace;
  let root: RootKey;
  let machine: DiskMachine;
  /** As the window has it. */
  let open: ClosedFile;
  let leases: ThreadLeases;
  let ended: Promise<string>;

  function start(): ReplicaThread {
    leases = new ThreadLeases();
    const start = machine.startOf(leases.channel);
    const openConversation = (id: ConversationId): ReplicatedConversation | undefined =>
      id === OPEN ? open : undefined;
    let thread: ReplicaThread | undefined;
    ended = new Promise((resolve) => {
      thread = new ReplicaThread(start, { place, openConversation, ended: resolve });
    });
    assert.ok(thread);
    return thread;
  }

  async function stop(thread: ReplicaThread): Promise<void> {
    await thread.end();
    await open.release();
    await leases.release();
  }

  async function held(): Promise<readonly string[]> {
    const folders = [OPEN, CLOSED, ...MANY].flatMap((id) => [
      join(machine.storage, "conversations", id),
      join(machine.storage, "replica", "outbox", id),
    ]);
    const states = await Promise.all(folders.map(async (folder) => leaseState(folder).catch(() => "free")));
    return folders.filter((_, at) => states[at] !== "free");
  }

  beforeEach(async () => {
    const memory = new MemoryPlace();
    ({ objects } = memory);
    place = new BrokenPlace(memory);
    const secretKey = (): Promise<Uint8Array> => Promise.resolve(new Uint8Array(32));
    const services = { place, cipher: objectCipher, secretKey, cancel: new Cancellation() };
    const made = await createRoot(services, { passphrase: "one", recovery: "two" });
    assert.ok(made.ok);
    root = made.value;
    machine = await DiskMachine.create({ name: "desktop", root, place, hasMany: true });
    await machine.ask(OPEN, "open");
    await machine.ask(CLOSED, "closed");
    open = machine.closed.file(OPEN);
  });
  afterEach(() => {
    machine.remove();
  });

  const order = { scope: "news", open: OPEN, sweeps: true, isFirst: true } as const;

  it("lets go of the open conversation when it is ended, so that the next one goes on with it", async () => {
    const first = start();
    assert.ok((await first.order("check", order)).ok);
    await stop(first);
    assert.deepEqual(await held(), []);
    const before = objects.size;
    await machine.ask(OPEN, "again");
    const next = start();
    const checked = await next.order("check", order);
    assert.ok(checked.ok);
    assert.deepEqual([checked.value.waiting, objects.size > before], [0, true]);
    await stop(next);
  });

  it("holds nothing after it was ended in the middle, nor does the thread that helps it", async () => {
    for (const id of MANY) await machine.ask(id, `of ${id}`);
    place.answers = "never";
    const thread = start();
    const checking = thread.order("check", order);
    while (place.waiting < 8) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.ok((await held()).length >= 8);
    await stop(thread);
    assert.deepEqual(await checking, { ok: false, error: { code: "CANCELLED" } });
    assert.deepEqual(await held(), []);
  });

  it("holds nothing after it has failed", async () => {
    place.answers = "nonsense";
    const thread = start();
    const checked = await thread.order("check", order);
    assert.ok(!checked.ok && checked.error.code === "STORAGE_FAILED");
    assert.match(await ended, /TypeError/);
    await leases.release();
    await open.release();
    assert.deepEqual(await held(), []);
  });
});
