/** Rows and markers say what the next request has, after everything that changes it. */

import assert from "node:assert/strict";
import type { ContextPolicy } from "../../../src/core/context/contextSettings.ts";
import { messageId, modelId, summaryId } from "../../../src/core/ids.ts";
import { chooseStrategy } from "../../../src/host/pickers/strategyChoice.ts";
import type { Row, SentView } from "../../../src/protocol/toView.ts";
import { openSummarized, type SummarizedSession } from "../../support/session/summarizedSession.ts";

const LETTERS: Readonly<Record<SentView, string>> = { original: "o", excerpt: "x", summary: "s", notSent: "." };

/** The form in which rows say that they are sent, one letter a message, and the use of each marker. */
function told(rows: readonly Row[]): string {
  return rows
    .flatMap((row) => (row.kind === "message" ? [LETTERS[row.sent]] : row.kind === "summary" ? [` ${row.use} `] : []))
    .join("");
}

/** Fails unless each row says what the exact request has. */
function check({ session, rows }: SummarizedSession): string {
  const { manager } = session.opened;
  const prepared = manager.prepare();
  assert.ok(prepared.kind === "ready");
  const sent = new Map(
    prepared.context.segments.map((each) => [
      each.kind === "summary" ? `S${String(each.id)}` : "id" in each ? each.id : "",
      each.kind,
    ]),
  );
  for (const row of rows()) {
    if (row.kind === "summary" && row.state === "active")
      assert.equal(row.use === "sent", sent.has(`S${String(row.summaryId)}`), row.rowId);
    if (row.kind !== "message") continue;
    const id = messageId(Number(row.messageId));
    const kind = sent.get(id);
    const covering = manager.sentAs(id);
    const expected =
      kind ?? (covering.kind === "summary" && sent.has(`S${String(covering.id)}`) ? "summary" : "notSent");
    assert.equal(row.sent, expected, row.rowId);
  }
  return told(rows());
}

/** The view of a page that has heard everything since `before`: it gets no rows anew. */
function heard(before: readonly Row[], { emitted }: SummarizedSession, from: number): string {
  let rows = before.slice();
  for (const body of emitted.slice(from)) {
    if (body.kind === "rowsAdded") rows = [...rows, ...body.rows];
    if (body.kind === "rowChanged") rows = rows.map((row) => (row.rowId === body.rowId ? body.row : row));
    if (body.kind === "rowsSent") {
      const sent = new Map(body.rows.map((row) => [row.rowId, row.sent]));
      rows = rows.map((row) => (row.kind === "message" ? { ...row, sent: sent.get(row.rowId) ?? row.sent } : row));
    }
  }
  return told(rows);
}

async function summarized(settings: Readonly<Record<string, unknown>> = {}): Promise<SummarizedSession> {
  const opened = await openSummarized({ "context.targetPercent": 40, ...settings });
  await opened.fill(85);
  await opened.rest();
  return opened;
}

describe("rows and markers beside the exact request", () => {
  it("change when a larger model has room for the originals, and back", async () => {
    const opened = await summarized();
    const before = check(opened);
    assert.match(before, /^s+ sent o+$/);
    const [rows, from] = [opened.rows(), opened.emitted.length];
    const { session } = opened;
    const { connection } = session;
    await session.switchModel({ ...connection, model: modelId("large") });
    const large = check(opened);
    assert.match(large, /^o+ notNeeded o+$/);
    assert.equal(heard(rows, opened, from), large);
    await session.switchModel(connection);
    assert.equal(check(opened), before);
    assert.equal(heard(rows, opened, from), before);
  });

  const strategies: readonly (readonly [ContextPolicy, RegExp])[] = [
    ["pipeline", /^s+ sent o+$/],
    ["sandwich", /^s+ sent o+$/],
    ["tree", /^s+ sent o+$/],
    ["fullHistory", /^o+ notNeeded o+$/],
  ];
  for (const [policy, expected] of strategies) {
    it(`follow the choice of ${policy}`, async () => {
      const opened = await summarized();
      const [rows, from] = [opened.rows(), opened.emitted.length];
      await chooseStrategy(opened.session, policy);
      await opened.rest();
      assert.match(check(opened), expected);
      assert.equal(heard(rows, opened, from), told(opened.rows()));
    });
  }

  it("follow a window that moves with each message", async () => {
    const opened = await openSummarized();
    await chooseStrategy(opened.session, "slidingWindow");
    for (let turn = 0; turn < 12; turn++) await opened.say(20);
    assert.equal(check(opened), `${".".repeat(4)}${"o".repeat(20)}`);
    const [rows, from] = [opened.rows(), opened.emitted.length];
    await opened.session.actions.setPinned(1, true);
    await opened.say(20);
    assert.equal(check(opened), `.o${".".repeat(4)}${"o".repeat(20)}`);
    assert.match(heard(rows, opened, from), /^\.o\.{4}o/);
  });

  it("say that a summary is not sent where the strategy sends the newest messages only", async () => {
    const opened = await summarized();
    await chooseStrategy(opened.session, "slidingWindow");
    for (let turn = 0; turn < 10; turn++) await opened.say(5);
    assert.match(check(opened), /^\.+ notSent \.+o{20}$/);
  });
});

describe("the why of a summary", () => {
  const marker = ({ rows }: SummarizedSession) => {
    const row = rows().find(({ kind }) => kind === "summary");
    assert.ok(row?.kind === "summary");
    return row;
  };

  it("says number, strategy, use of the budget, and what it did, and one line of the log says what was checked", async () => {
    const opened = await summarized();
    const { number, cause, effect, meta } = marker(opened);
    assert.equal(number, 1);
    assert.match(cause, /^Threshold, at 8\d% of 3\.9k$/);
    assert.match(effect, /^Request: 3\.\dk → (?:\d{3}|[12](?:\.\d)?k) tokens$/);
    assert.match(meta, /^Extract, no model used · /);
    const lines = opened.logged.filter((line) => line.startsWith("Summarizes"));
    assert.equal(lines.length, 1);
    assert.match(
      lines[0] ?? "",
      /^Summarizes \(background\): the request has 3\d{3} of 3892 tokens \(8\d%\)\. Strategy: threshold\.$/,
    );
  });

  it("says that the user asked, and keeps the number in another version", async () => {
    const opened = await openSummarized();
    for (let turn = 0; turn < 8; turn++) await opened.say(30);
    await opened.session.summaries.summarizeNow({ range: { start: messageId(0), end: messageId(4) } });
    await opened.session.summaries.summarizeNow({ range: { start: messageId(4), end: messageId(8) } });
    await opened.session.summaries.summarizeNow({ regenerate: { id: summaryId(0), sizePercent: 50 } });
    const markers = opened.rows().flatMap((row) => (row.kind === "summary" ? [[row.number, row.cause]] : []));
    assert.deepEqual(markers, [
      [1, "Written again, you asked"],
      [2, "Chosen messages, you asked"],
    ]);
  });

  it("names the model of a switch", async () => {
    const opened = await openSummarized();
    const { session } = opened;
    const small = session.connection;
    await session.switchModel({ ...small, model: modelId("middle") });
    for (let turn = 0; turn < 20; turn++) await opened.say(60);
    await session.switchModel(small);
    await opened.rest();
    await opened.say(5);
    assert.equal(marker(opened).cause.split(", ").at(-1), "switch to small");
  });
});
