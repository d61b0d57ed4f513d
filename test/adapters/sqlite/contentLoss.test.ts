import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { nodeFileCalls } from "../../../src/adapters/sqlite/engine/shim/fileCalls.ts";
import { ERASED_TEXT, erasurePlaceholder, makeErasure } from "../../../src/core/history/erasure.ts";
import { messageId } from "../../../src/core/ids.ts";
import { textOf } from "../../../src/core/message.ts";
import { FaultyCalls } from "../../support/storage/faultyCalls.ts";
import { LocalStores, type LocalStore } from "../../support/storage/localStore.ts";
import { filesIn, momentOf, restoreMoment, type Moment } from "../../support/storage/moments.ts";
import { addMessage, addRow, messageRecord, step, temporaryFolder } from "../../support/storage/storeBuilders.ts";

const DATABASE = "conversation.sqlite";
const LOG = "conversation.sqlite-wal";

/** A moment, and the numbers of messages that are stored, and that two of its files show alone. */
interface LifeMoment {
  readonly files: Moment;
  readonly messages: number;
  readonly inDatabase: number;
  readonly inMeta: number;
}

describe("S2 a database, its log and meta.json of different moments", function () {
  this.timeout(300_000);
  let stores: LocalStores;
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(async () => {
    stores = await LocalStores.load(
      new FaultyCalls({ ...nodeFileCalls, sync: () => undefined, syncFolder: () => undefined }),
    );
    folder = temporaryFolder();
  });
  afterEach(() => {
    folder.remove();
  });
  const conversation = (): string => join(folder.path, "conversation");
  const open = (): LocalStore => {
    const opened = stores.open(conversation());
    assert.ok(opened.ok, JSON.stringify(opened));
    return opened.value;
  };
  const storedTexts = (): readonly string[] => {
    const store = open();
    const read = store.readMessages(Array.from({ length: store.shape.messageCount }, (_, id) => messageId(id)));
    assert.ok(read.ok, JSON.stringify(read));
    store.close();
    return read.value.map(({ message }) => textOf(message));
  };
  const writeMeta = (messageCount: number, recordCount: number): void => {
    writeFileSync(join(conversation(), "meta.json"), JSON.stringify({ version: 1, messageCount, recordCount }));
  };
  const countIn = (moment: Moment): number => {
    const bytes = moment[DATABASE];
    if (bytes === undefined || bytes.length === 0) return 0;
    const copy = join(folder.path, "copy.sqlite");
    writeFileSync(copy, bytes);
    const database = new DatabaseSync(copy, { readOnly: true });
    try {
      return Number(database.prepare("SELECT ifnull(max(id) + 1, 0) AS count FROM message").get()?.["count"]);
    } catch {
      return 0; // the tables are in the log only
    } finally {
      database.close();
      for (const suffix of ["", "-wal", "-shm"]) rmSync(copy + suffix, { force: true });
    }
  };

  /** A conversation that is written, streamed into, erased in, closed and opened again; each step is one moment. */
  const life = (steps: readonly number[]): readonly LifeMoment[] => {
    restoreMoment(conversation(), momentOf(folder.path));
    const moments: LifeMoment[] = [];
    let [messages, records, answers] = [0, 0, 0];
    let store = open();
    const note = (inMeta = messages): void => {
      const files = momentOf(conversation());
      moments.push({ files, messages, inDatabase: countIn(files), inMeta });
    };
    const commit = (text: string): void => {
      const before = messages;
      assert.ok(store.commit([addMessage(messages++, text)]).ok);
      records++;
      note(before); // killed between the commit and the write of meta.json
      writeMeta(messages, records);
      note();
    };
    writeMeta(0, 0);
    for (const kind of steps) {
      if (kind < 5) commit(`message ${messages} ${"text ".repeat(kind * 400)}`);
      else if (kind < 7) {
        const id = step(++answers);
        for (let seq = 0; seq < 6; seq++)
          assert.ok(store.commit([addRow(id, seq, seq === 0 ? "{}" : undefined, seq === 0 ? "begin" : "text")]).ok);
        note();
        assert.ok(store.commit([addMessage(messages++, "answer", id), { kind: "journalDrop", stepId: id }]).ok);
        records++;
        writeMeta(messages, records);
        note();
      } else if (kind === 7 && messages > 0) {
        const { entry, message } = messageRecord(messages - 1, "gone");
        assert.ok(
          store.erase(makeErasure([{ entry, message: erasurePlaceholder(message), tokens: entry.tokens }], { atMs: 1 }))
            .ok,
        );
        records++;
        rmSync(join(conversation(), "meta.json"), { force: true });
        note(0);
        writeMeta(messages, records);
      } else if (kind === 8) store.fillIndex(2);
      else {
        assert.ok(store.close().ok);
        note();
        store = open();
      }
      note();
    }
    store.close();
    note();
    return moments;
  };
  // 0-4: messages of rising length, 5-6: answers, 7: an erasure, 8: the search index, 9: closed and opened again
  const aLife = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 12, maxLength: 24 });
  const percent = fc.integer({ min: 0, max: 99 });

  it("S2 opens every moment of a life, and everything that was acknowledged is there", () => {
    fc.assert(
      fc.property(aLife, (steps) => {
        for (const { files, messages } of life(steps)) {
          restoreMoment(conversation(), files);
          assert.equal(storedTexts().length, messages);
        }
      }),
      { numRuns: 8, endOnFailure: true },
    );
  });

  it("S2 never opens three files of different moments with fewer messages than one of them shows, and rescues them", () => {
    fc.assert(
      fc.property(
        aLife,
        fc.array(fc.tuple(percent, percent, percent), { minLength: 25, maxLength: 25 }),
        (steps, triples) => {
          const moments = life(steps);
          const at = (place: number): LifeMoment => {
            const moment = moments[Math.floor((place * moments.length) / 100)];
            assert.ok(moment !== undefined);
            return moment;
          };
          for (const triple of triples) {
            const [database, log, meta] = triple.map(at);
            assert.ok(database !== undefined && log !== undefined && meta !== undefined);
            restoreMoment(conversation(), {
              [DATABASE]: database.files[DATABASE],
              [LOG]: log.files[LOG],
              "meta.json": meta.files["meta.json"],
            });
            const before = filesIn(conversation());
            const opened = stores.open(conversation());
            if (opened.ok) {
              const { messageCount, recordCount } = opened.value.shape;
              const index = opened.value.readIndex(0, recordCount);
              assert.ok(index.ok, JSON.stringify(index));
              assert.equal(index.value.filter(({ kind }) => kind === "entry").length, messageCount);
              const own = database === log ? log.messages : 0;
              assert.ok(messageCount >= Math.max(database.inDatabase, own, meta.inMeta));
              opened.value.close();
              continue;
            }
            assert.equal(opened.error.reason, "damaged");
            assert.deepEqual(filesIn(conversation()), before);
            const rescued = stores.rescue(conversation());
            assert.ok(rescued.ok, JSON.stringify(rescued));
            const { messagesRecovered, messagesLost, messagesKnown } = rescued.value;
            assert.ok(messagesRecovered >= database.inDatabase);
            assert.equal(messagesKnown, meta.inMeta);
            assert.equal(storedTexts().length, messagesRecovered + messagesLost.length);
            const kept = filesIn(conversation());
            assert.equal(kept["damaged-1.sqlite"], before[DATABASE]);
            assert.equal(kept["damaged-1.sqlite-wal"], before[LOG]);
          }
        },
      ),
      { numRuns: 12, endOnFailure: true },
    );
  });

  /** 40 messages in a log, then 180 in the database. */
  const fill = (from: number, to: number): void => {
    const store = open();
    for (let id = from; id < to; id++)
      assert.ok(store.commit([addMessage(id, `message ${id} ${"word ".repeat(60)}`)]).ok);
    store.close();
  };
  const forty = (): Moment => {
    restoreMoment(conversation(), momentOf(folder.path));
    const store = open();
    for (let id = 0; id < 40; id++) assert.ok(store.commit([addMessage(id, `message ${id} ${"word ".repeat(60)}`)]).ok);
    writeMeta(40, 40);
    const moment = momentOf(conversation());
    store.close();
    return moment;
  };
  const MESSAGES = (count: number) => Array.from({ length: count }, (_, id) => `message ${id} ${"word ".repeat(60)}`);

  it("S2 rescues all messages of a newer database beside an older log, with and without meta.json", () => {
    for (const hasMeta of [true, false]) {
      const old = forty();
      fill(40, 180);
      if (hasMeta) writeMeta(180, 180);
      else rmSync(join(conversation(), "meta.json"));
      writeFileSync(join(conversation(), LOG), old[LOG] ?? "");
      const opened = stores.open(conversation());
      assert.deepEqual(opened, {
        ok: false,
        error: { code: "STORAGE_FAILED", reason: "damaged", detail: "the log is older than the database" },
      });
      const rescued = stores.rescue(conversation());
      assert.deepEqual(rescued.ok && { ...rescued.value, stored: undefined }, {
        messagesRecovered: 180,
        messagesLost: [],
        summariesLost: 0,
        answersInJournal: 0,
        stored: undefined,
        preservedAs: "damaged-1.sqlite",
        messagesKnown: hasMeta ? 180 : 0,
      });
      assert.deepEqual(storedTexts(), MESSAGES(180));
    }
  });

  /** Numbers of messages that are rescued, and that are lost but recorded. */
  type Rescued = readonly [recovered: number, lost: number];
  const damages: readonly (readonly [string, () => void, Rescued])[] = [
    ["a log that was deleted", () => rmSync(join(conversation(), LOG)), [0, 0]],
    ["a log that was emptied", () => writeFileSync(join(conversation(), LOG), ""), [0, 0]],
    [
      "a log that was cut in the middle",
      () => {
        const log = readFileSync(join(conversation(), LOG));
        writeFileSync(join(conversation(), LOG), log.subarray(0, 32 + 30 * 4120 + 100));
      },
      [8, 1], // the frame with the record of the ninth is there, the one with its text is cut
    ],
    [
      "a database of 0 bytes",
      () => {
        rmSync(join(conversation(), LOG));
        writeFileSync(join(conversation(), DATABASE), "");
      },
      [0, 0],
    ],
    [
      "a database of 1 byte",
      () => {
        rmSync(join(conversation(), LOG));
        writeFileSync(join(conversation(), DATABASE), "S");
      },
      [0, 0],
    ],
    [
      "a database that is gone",
      () => {
        rmSync(join(conversation(), LOG));
        rmSync(join(conversation(), DATABASE));
      },
      [0, 0],
    ],
    ["a database of 1 byte beside its log", () => writeFileSync(join(conversation(), DATABASE), "S"), [40, 0]],
  ];
  for (const [name, damage, expected] of damages) {
    it(`S2 calls ${name} damaged, writes nothing, and rescues what is there`, () => {
      restoreMoment(conversation(), forty());
      damage();
      const before = filesIn(conversation());
      const opened = stores.open(conversation());
      assert.equal(opened.ok ? "opened" : opened.error.reason, "damaged");
      assert.deepEqual(filesIn(conversation()), before);
      const rescued = stores.rescue(conversation());
      assert.ok(rescued.ok, JSON.stringify(rescued));
      assert.equal(rescued.value.messagesKnown, 40);
      const texts = storedTexts();
      const { messagesRecovered, messagesLost } = rescued.value;
      assert.deepEqual(texts.slice(0, messagesRecovered), MESSAGES(messagesRecovered));
      assert.deepEqual([messagesRecovered, messagesLost.length], expected);
      assert.equal(existsSync(join(conversation(), "rescue.json")), false);
    });
  }

  it("S2 opens an empty file as new when nothing is known of it, as a kill during its creation leaves it", () => {
    restoreMoment(conversation(), momentOf(folder.path));
    writeFileSync(join(conversation(), DATABASE), "");
    assert.deepEqual(storedTexts(), []);
  });

  it("S2 says that an answer being streamed is shorter in an older log than in the database", () => {
    restoreMoment(conversation(), momentOf(folder.path));
    let store = open();
    store.commit([addMessage(0)]);
    for (let seq = 0; seq < 5; seq++) store.commit([addRow(step(1), seq)]);
    const old = momentOf(conversation());
    for (let seq = 5; seq < 20; seq++) store.commit([addRow(step(1), seq)]);
    store.close();
    writeFileSync(join(conversation(), LOG), old[LOG] ?? "");
    const opened = stores.open(conversation());
    assert.equal(opened.ok ? "opened" : opened.error.reason, "damaged");
    assert.ok(stores.rescue(conversation()).ok);
    store = open();
    assert.equal(store.shape.journal.length, 20);
    store.close();
  });

  for (const [what, base, ours, theirs] of [
    ["continued on two machines", 40, 50, 55],
    ["continued on two machines, and long", 400, 420, 440],
    ["begun on two machines", 0, 5, 9],
  ] as const) {
    it(`S2 does not hide what is in the database of a conversation that was ${what}`, () => {
      restoreMoment(conversation(), momentOf(folder.path));
      fill(0, base);
      const common = momentOf(conversation());
      const store = open();
      for (let id = base; id < theirs; id++) assert.ok(store.commit([addMessage(id, `theirs ${id}`)]).ok);
      const { [LOG]: log } = momentOf(conversation());
      store.close();
      restoreMoment(conversation(), common);
      fill(base, ours);
      writeFileSync(join(conversation(), LOG), log ?? "");
      const opened = stores.open(conversation());
      assert.equal(opened.ok ? "opened" : opened.error.reason, "damaged");
      const before = filesIn(conversation());
      assert.ok(stores.rescue(conversation()).ok);
      const kept = filesIn(conversation());
      assert.equal(kept["damaged-1.sqlite"], before[DATABASE]);
      assert.equal(kept["damaged-1.sqlite-wal"], before[LOG]);
      assert.ok(storedTexts().length >= ours);
    });
  }

  /** Files of one conversation whose numbers of messages are `atFirst`, `then`, and three more; the last with a log. */
  const threeMoments = (atFirst: number, then: number): readonly Moment[] => {
    restoreMoment(conversation(), momentOf(folder.path));
    const created = open();
    const moments = [momentOf(conversation())];
    created.close();
    fill(0, atFirst);
    moments.push(momentOf(conversation()));
    fill(atFirst, then);
    const store = open();
    for (let id = then; id < then + 3; id++) assert.ok(store.commit([addMessage(id, `message ${id}`)]).ok);
    moments.push(momentOf(conversation()));
    store.close();
    return moments;
  };
  for (const [what, database, [atFirst, then]] of [
    ["a database that lacks what was written in between", 1, [40, 400]],
    ["a database that was just created", 0, [0, 2]],
  ] as const) {
    it(`S2 calls a newer log beside ${what} damaged, and rescues both`, () => {
      const moments = threeMoments(atFirst, then);
      restoreMoment(conversation(), {
        [DATABASE]: moments[database]?.[DATABASE],
        [LOG]: moments[2]?.[LOG],
        "meta.json": undefined,
      });
      const before = filesIn(conversation());
      assert.deepEqual(stores.open(conversation()), {
        ok: false,
        error: { code: "STORAGE_FAILED", reason: "damaged", detail: "the log does not belong to the database" },
      });
      assert.deepEqual(filesIn(conversation()), before);
      assert.ok(stores.rescue(conversation()).ok);
      const texts = storedTexts();
      assert.equal(texts.length, then + 3);
      assert.deepEqual(texts.slice(0, atFirst), MESSAGES(atFirst));
      assert.equal(texts.at(-1), `message ${then + 2}`);
    });
  }

  it("S2 keeps the newer draft of a database beside an older log", () => {
    const old = forty();
    rmSync(join(conversation(), "meta.json"));
    const store = open();
    assert.ok(store.commit([{ kind: "draft", text: "long ".repeat(9_000) }]).ok);
    store.close();
    writeFileSync(join(conversation(), LOG), old[LOG] ?? "");
    const opened = stores.open(conversation());
    assert.equal(opened.ok ? "opened" : opened.error.reason, "damaged");
    assert.ok(stores.rescue(conversation()).ok);
    const rescued = open();
    assert.deepEqual([rescued.shape.draft, rescued.shape.messageCount], ["long ".repeat(9_000), 40]);
    rescued.close();
  });

  it("S2 does not bring back a text that was erased, from an older log", () => {
    const old = forty();
    const store = open();
    const { entry, message } = messageRecord(3, `message 3 ${"word ".repeat(60)}`);
    const erasing = makeErasure([{ entry, message: erasurePlaceholder(message), tokens: entry.tokens }], { atMs: 1 });
    assert.ok(store.erase(erasing).ok);
    store.close();
    writeFileSync(join(conversation(), LOG), old[LOG] ?? "");
    assert.equal(stores.open(conversation()).ok, false);
    assert.ok(stores.rescue(conversation()).ok);
    assert.equal(storedTexts()[3], ERASED_TEXT);
  });
});
