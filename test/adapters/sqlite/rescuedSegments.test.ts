/** A rescue of a replicated conversation: the same records under the same global ids. */

import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { nodeFileCalls } from "../../../src/adapters/sqlite/engine/shim/fileCalls.ts";
import { loadSqlJs, type SqlJsShim } from "../../../src/adapters/sqlite/engine/sqlJsShim.ts";
import { openSqlJsEngine } from "../../../src/adapters/sqlite/engine/sqlJsEngine.ts";
import { rebuild } from "../../../src/adapters/sqlite/rescue/rebuild.ts";
import { indexPart, parseIndexPage, parseMessages } from "../../../src/adapters/sqlite/rowCodec.ts";
import { configureForBuilding, migrate, schemaVersion } from "../../../src/adapters/sqlite/schema.ts";
import type { ConversationRecord } from "../../../src/core/history/records.ts";
import { textOf, type Message } from "../../../src/core/message.ts";
import { ConversationCopy } from "../../../src/core/replica/conversationCopy.ts";
import { keyOf } from "../../../src/core/replica/globalIds.ts";
import type { WireRecord } from "../../../src/core/replica/wireRecord.ts";
import { Machine, type PublishedSegment } from "../../support/replica/machine.ts";
import { MACHINE_ACTS } from "../../support/replica/machineActs.ts";
import { unpublishedSegments } from "../../support/replica/unpublishedSegments.ts";
import { SQL_JS_FILE } from "../../support/storage/sqliteStore.ts";
import { temporaryFolder } from "../../support/storage/storeBuilders.ts";

interface Step {
  readonly isOther: boolean;
  readonly act: string;
  readonly number: number;
}

const step = fc.record({
  isOther: fc.boolean(),
  act: fc.constantFrom(...Object.keys(MACHINE_ACTS), "exchange", "exchange", "ask"),
  number: fc.nat(11),
});
/** Of rows, in eighths: each is lost or not by its number. */
const loss = fc.array(fc.nat(7), { minLength: 40, maxLength: 40 });

/** The records of the first of two machines after these steps. */
function recordsAfter(steps: readonly Step[]): readonly ConversationRecord[] {
  const machines = [new Machine("a"), new Machine("b")] as const;
  const segments: PublishedSegment[] = [];
  for (const { isOther, act, number } of steps) {
    const machine = machines[isOther ? 1 : 0];
    if (act === "exchange") {
      segments.push(...machine.publish());
      machine.receive(segments);
    } else MACHINE_ACTS[act]?.(machine, number);
  }
  return machines[0].records;
}

/** Records that a machine with these would publish. */
function unpublished(records: readonly ConversationRecord[]): readonly WireRecord[] {
  const all = unpublishedSegments(records).flatMap(({ segment }) => segment.records);
  return all.flatMap((record) => ("json" in record ? [] : [record])); // each was parsed
}

/** Global ids of messages and summaries, and the others' records by theirs. */
function globalIdsOf(records: readonly ConversationRecord[]) {
  const copy = new ConversationCopy();
  for (const record of records) copy.apply(record);
  const { ids, history } = copy;
  const idOf = (number: number | undefined): string => {
    const id = number === undefined ? undefined : ids.idOf(number);
    return id === undefined ? "" : keyOf(id);
  };
  const others = records.flatMap((record, number) => {
    const isOther = record.kind !== "message" && record.kind !== "summary" && idOf(number) !== "";
    return isOther ? [[idOf(number), record] as const] : [];
  });
  return {
    messages: history.entries.map(({ id }) => idOf(ids.recordOfMessage(id))),
    summaries: history.summaries.map(({ id }) => idOf(ids.recordOfSummary(id))),
    others: new Map(others),
    erased: [...ids.erasing],
  };
}

describe("A rescued conversation that is replicated", function () {
  this.timeout(120_000);
  let shim: SqlJsShim;
  let folder: ReturnType<typeof temporaryFolder>;
  let files = 0;
  before(async () => {
    shim = await loadSqlJs(SQL_JS_FILE, { ...nodeFileCalls, sync: () => undefined, syncFolder: () => undefined });
    folder = temporaryFolder();
  });
  after(() => {
    folder.remove();
  });

  /** The records after a rescue that finds only some. */
  function rescued(
    records: readonly ConversationRecord[],
    isFound: (row: "record" | "message", number: number) => boolean,
  ): readonly ConversationRecord[] {
    const found = records.map(indexPart).flatMap((record, number): [number, string][] => {
      return isFound("record", number) ? [[number, JSON.stringify(record)]] : [];
    });
    const messages = new Map(
      records.flatMap((record) => (record.kind === "message" ? [[record.entry.id as number, record] as const] : [])),
    );
    const messageIds = new Set([...messages.keys()].filter((id) => isFound("message", id)));
    const engine = openSqlJsEngine(shim, join(folder.path, `${String(files++)}.sqlite`));
    try {
      configureForBuilding(engine);
      migrate(engine);
      rebuild(engine, {
        records: new Map(found),
        messageIds,
        journal: [],
        draft: "",
        readMessage: (id) => {
          const record = messageIds.has(id) ? messages.get(id) : undefined;
          if (record === undefined) return undefined;
          return { id, entry: JSON.stringify(record.entry), body: JSON.stringify(record.message) };
        },
      });
      const json = engine.all("SELECT body FROM record ORDER BY number").map((row) => String(row["body"]));
      const bodies = engine
        .all("SELECT entry, body FROM message ORDER BY id")
        .map((row) => `{"entry":${String(row["entry"])},"message":${String(row["body"])}}`);
      const contents: readonly Message[] = parseMessages(`[${bodies.join(",")}]`).map(({ message }) => message);
      const after = parseIndexPage(`[${json.join(",")}]`).map((record): ConversationRecord => {
        if (record.kind !== "entry") return record;
        const message = contents[record.entry.id];
        assert.ok(message);
        return { kind: "message", entry: record.entry, message };
      });
      assert.equal(schemaVersion(engine), after.some(({ kind }) => kind === "segment") ? 3 : 2);
      return after;
    } finally {
      engine.close();
    }
  }

  const isLost = (loss: readonly number[], number: number, share: number): boolean =>
    (loss[(number * 7) % loss.length] ?? 0) < share;

  it("has the same global ids, and publishes nothing that was published, whichever rows were lost", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), loss, fc.nat(5), (steps, lost, share) => {
        const records = recordsAfter(steps);
        const before = globalIdsOf(records);
        const after = rescued(records, (row, number) => {
          const isSegment = row === "record" && records[number]?.kind === "segment";
          return isSegment || !isLost(lost, row === "record" ? number : number + 3, share);
        });
        const now = globalIdsOf(after);
        const [olds, news] = [before.messages, now.messages];
        olds.forEach((id, at) => {
          if (id !== "") assert.equal(news[at], id, `message ${String(at)}`);
        });
        before.summaries.forEach((id, at) => {
          if (id !== "") assert.equal(now.summaries[at], id, `summary ${String(at)}`);
        });
        for (const [id, record] of now.others) {
          if (record.kind === "erasure") assert.equal(before.others.get(id)?.kind, "erasure");
          else assert.deepEqual(record, before.others.get(id), id);
        }
        records.forEach((record, number) => {
          const id = [...before.others].find(([, other]) => other === record)?.[0];
          const isDropped = record.kind === "erasure" || record.kind === "leftOut";
          if (id !== undefined && !isDropped && !isLost(lost, number, share)) assert.ok(now.others.has(id), id);
        });
        assert.deepEqual(now.erased, before.erased);
        const [wereLeft, areLeft] = [unpublished(records), unpublished(after)];
        for (const kind of new Set(areLeft.map((record) => record.kind))) {
          const [most, count] = [wereLeft, areLeft].map((all) => all.filter((each) => each.kind === kind).length);
          assert.ok((count ?? 0) <= (most ?? 0), `${kind}: ${String(count)} of ${String(most)}`);
        }
        const texts = new Set(wereLeft.map((record) => (record.kind === "message" ? textOf(record.message) : "")));
        for (const record of areLeft) {
          if (record.kind !== "message") continue;
          const text = textOf(record.message);
          assert.ok(texts.has(text) || text.startsWith("[This message could not be read"), text);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("can be published whichever segments were lost, too", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), loss, fc.nat(5), (steps, lost, share) => {
        const records = recordsAfter(steps);
        const before = globalIdsOf(records);
        const after = rescued(records, (row, number) => !isLost(lost, row === "record" ? number : number + 3, share));
        assert.doesNotThrow(() => unpublished(after));
        globalIdsOf(after).messages.forEach((id, at) => {
          assert.ok(id === "" || id === before.messages[at], `message ${String(at)}`);
        });
      }),
      { numRuns: 200 },
    );
  });

  it("has every record in its place if nothing was lost", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const records = recordsAfter(steps);
        assert.deepEqual(globalIdsOf(rescued(records, () => true)), globalIdsOf(records));
      }),
      { numRuns: 50 },
    );
  });

  it("has placeholders for lost messages in their places, also at the end", () => {
    const [here, there] = [new Machine("a"), new Machine("b")];
    here.askAndAnswer();
    here.pin(1, true);
    here.say();
    const own = here.publish();
    there.receive(own);
    there.askAndAnswer();
    here.receive(there.publish());
    const kinds = ["message", "message", "pin", "message", "segment", "segment", "message", "message"];
    const kindsOf = (records: readonly ConversationRecord[]): readonly string[] => records.map(({ kind }) => kind);
    assert.deepEqual(kindsOf(here.records), kinds);
    const after = rescued(here.records, (row, number) => number < (row === "record" ? 6 : 3) && number !== 1);
    assert.deepEqual(kindsOf(after), kinds);
    assert.deepEqual(globalIdsOf(after).messages, globalIdsOf(here.records).messages);
    const lost = after.map(
      (record) => record.kind === "message" && textOf(record.message).includes("could not be read"),
    );
    assert.deepEqual(lost, [false, true, false, false, false, false, true, true]);
  });
});
