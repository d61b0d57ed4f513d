import assert from "node:assert/strict";
import { readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { ReplicaFolder } from "../../../src/adapters/node/replica/replicaFolder.ts";
import type { ClosedFile } from "../../../src/adapters/sqlite/closedFile.ts";
import type { ConversationId } from "../../../src/core/ids.ts";
import type { LogReplica } from "../../../src/core/replica/logReplica.ts";
import { ok } from "../../../src/core/result.ts";
import { Emitter } from "../../../src/host/background/emitter.ts";
import type { Replication } from "../../../src/host/replica/replication.ts";
import { ManualClock, realClock } from "../../support/clocks.ts";
import { withEditorModule } from "../../support/editor/editorModule.ts";
import { DiskMachine } from "../../support/replica/diskMachine.ts";
import { ReplicaDesk } from "../../support/replica/replicaDesk.ts";
import { temporaryFolder } from "../../support/storage/storeBuilders.ts";
import { whenTrue } from "../../support/whenTrue.ts";

const OPEN = "00000000-0000-4000-8000-000000000001" as ConversationId;
const SECOND_MS = 1_000;

type Services = ConstructorParameters<typeof Replication>[0];
type Followed = Parameters<Replication["follow"]>[0];

describe("Replication of a window", function () {
  this.timeout(60_000);
  let temporary: ReturnType<typeof temporaryFolder>;
  let desk: ReplicaDesk;
  let machine: DiskMachine;
  let clock: ManualClock;
  let replication: Replication;
  let open: ClosedFile;
  let settle: Emitter<void>;
  let states: string[];
  /** Wraps the place. */
  let wrap: (place: LogReplica) => LogReplica;

  beforeEach(async () => {
    temporary = temporaryFolder();
    desk = new ReplicaDesk(temporary.path);
    const setup = await desk.setUpFolder();
    const root = (await desk.secrets.rootKey(setup.root)) ?? assert.fail();
    const place = new ReplicaFolder(desk.folder);
    machine = await DiskMachine.create({ name: "desktop", root, place, hasMany: true });
    await machine.ask(OPEN, "first");
    open = machine.closed.file(OPEN);
    clock = new ManualClock();
    wrap = (unwrapped) => unwrapped;
    states = [];
    settle = new Emitter();
    const window = { state: { focused: true }, onDidChangeWindowState: () => ({ dispose: () => undefined }) };
    const { Replication } = await withEditorModule(
      "replication",
      { window },
      async () => import("../../../src/host/replica/replication.ts"),
    );
    const session = { opened: { id: OPEN }, replica: open, onDidSettle: settle.event };
    const services = {
      folders: { storage: machine.storage, dist: join(machine.storage, "dist") },
      ...{ setups: desk.setups, secrets: desk.secrets, clock },
      open: (_place: unknown, _secrets: unknown, _clock: unknown, marker?: string) => {
        const objects = new ReplicaFolder(desk.folder, {
          clock: realClock,
          ...(marker === undefined ? {} : { marker }),
        });
        return Promise.resolve(ok({ objects: wrap(objects), foreignNames: () => Promise.resolve(ok([])) }));
      },
      active: { session },
      log: { info: () => undefined, error: (text: string) => assert.fail(text) },
      reportBug: (error: unknown) => {
        throw error;
      },
      memento: { get: () => "0123456789abcdef", update: () => undefined },
    };
    replication = new Replication(services as unknown as Services);
    replication.onDidChange(() => {
      const { state } = replication.status;
      if (states.at(-1) !== state) states.push(state);
    });
    replication.follow(session as unknown as Followed);
    await replication.start();
    await goOn(0, "idle");
  });
  afterEach(async () => {
    await replication.stop();
    replication.dispose();
    await open.release();
    machine.remove();
    temporary.remove();
  });

  /** Moves the time, and waits for the end of the check that follows. */
  async function goOn(byMs: number, state: "idle" | "failed"): Promise<void> {
    states.length = 0;
    await clock.advance(byMs);
    await whenTrue(() => states.at(-1) === state && clock.pending > 0);
  }

  async function take(turn: string): Promise<void> {
    await open.release();
    await machine.ask(OPEN, turn);
    settle.fire();
  }

  const segments = (): number => readdirSync(join(desk.folder, "c", OPEN)).length;

  it("goes on with the conversation that is open when the folder is there again", async () => {
    const before = segments();
    const away = `${desk.folder} (away)`;
    renameSync(desk.folder, away);
    await take("second");
    await goOn(1.5 * SECOND_MS, "failed");
    renameSync(away, desk.folder);
    await goOn(15 * SECOND_MS, "idle");
    assert.deepEqual([segments() > before, replication.status.waiting], [true, 0]);
  });

  it("looks every minute at the latest whether a folder is there again", async () => {
    const away = `${desk.folder} (away)`;
    renameSync(desk.folder, away);
    await goOn(10 * SECOND_MS, "failed");
    for (const pause of [15, 30, 60, 60, 60]) {
      states.length = 0;
      await clock.advance(pause * SECOND_MS - 1);
      assert.deepEqual(states, []);
      await goOn(1, "failed");
    }
    renameSync(away, desk.folder);
    await goOn(60 * SECOND_MS, "idle");
  });

  it("sends what settles during a check right after it", async () => {
    let goOnListing: (() => void) | undefined;
    const wait = { is: false };
    wrap = (place) => ({
      put: (...args) => place.put(...args),
      get: (...args) => place.get(...args),
      delete: (...args) => place.delete(...args),
      list: async (...args) => {
        if (wait.is && args[0].startsWith("gone/")) await new Promise<void>((resolve) => (goOnListing = resolve));
        return place.list(...args);
      },
    });
    await replication.stop();
    await replication.start();
    await goOn(0, "idle");
    wait.is = true;
    await clock.advance(10 * SECOND_MS);
    await whenTrue(() => goOnListing !== undefined);
    settle.fire();
    wait.is = false;
    states.length = 0;
    goOnListing?.();
    await whenTrue(() => states.at(-1) === "idle");
    await goOn(1.5 * SECOND_MS, "idle");
  });
});
