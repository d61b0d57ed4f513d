import assert from "node:assert/strict";
import { ContextPresenter } from "../../../src/host/context/contextPresenter.ts";
import type { ContextPart, ContextPartKind } from "../../../src/protocol/contextView.ts";
import { ManualClock } from "../../support/clocks.ts";
import { memoryDisk } from "../../support/storage/memoryStore.ts";
import { openSession } from "../../support/session/openSession.ts";
import { scriptedProvider } from "../../support/models/scriptedProvider.ts";
import { messageRecord } from "../../support/storage/storeBuilders.ts";

const MESSAGES = 10_000;
const AT_A_TIME = 50;

async function opened() {
  const disk = { ...memoryDisk(), records: Array.from({ length: MESSAGES }, (_, id) => messageRecord(id, `m ${id}`)) };
  const { session, store } = await openSession(scriptedProvider(), disk);
  const read: number[] = [];
  const readMessages = store.readMessages.bind(store);
  store.readMessages = (ids) => {
    read.push(ids.length);
    return readMessages(ids);
  };
  const page = new ContextPresenter({ session }, { draftTokens: 0 }, { post: () => undefined }, new ManualClock(), {
    report: (error) => {
      throw error;
    },
  });
  await page.open();
  const part = (kind: ContextPartKind): ContextPart | undefined => page.shown?.parts.find((each) => each.kind === kind);
  return { page, part, read };
}

describe("the context view of a long conversation", () => {
  it("opens as a few lines without reading any message", async () => {
    const { page, part, read } = await opened();
    assert.deepEqual(read, []);
    assert.equal(part("older")?.itemCount, MESSAGES - 4);
    assert.ok(page.shown?.parts.every(({ kind, items }) => kind === "free" || items === null));
    assert.ok(JSON.stringify(page.shown).length < 4_000, "what the page is told does not grow with the conversation");
  });

  it("expands a part to the requested number of newest messages, and reads no others", async () => {
    const { page, part, read } = await opened();
    await page.expand("older", AT_A_TIME);
    const items = part("older")?.items ?? [];
    assert.equal(items.length, AT_A_TIME);
    assert.deepEqual([items[0]?.label, items.at(-1)?.label], [`You: m ${MESSAGES - 5}`, `You: m ${MESSAGES - 54}`]);
    await page.expand("older", 2 * AT_A_TIME);
    assert.equal(part("older")?.items?.length, 2 * AT_A_TIME);
    assert.deepEqual(read, [AT_A_TIME, AT_A_TIME], "what was read is not read again");
  });
});
