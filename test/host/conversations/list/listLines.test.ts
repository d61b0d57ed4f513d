import assert from "node:assert/strict";
import type { ConversationListing } from "../../../../src/adapters/node/conversationFolders.ts";
import { parseConversationId, type ConversationId } from "../../../../src/core/ids.ts";
import { messageId } from "../../../../src/core/ids.ts";
import type { ListContent } from "../../../../src/host/conversations/list/listLines.ts";
import { withEditorModule } from "../../../support/editor/editorModule.ts";

const NOW_MS = 1_700_000_000_000;
const DAY_MS = 86_400_000;
const MANY = 5_000;

function idOf(number: number): ConversationId {
  const id = parseConversationId(`00000000-0000-4000-8000-${String(number).padStart(12, "0")}`);
  assert.ok(id);
  return id;
}

function listing(number: number, change: Partial<ConversationListing["meta"]> = {}): ConversationListing {
  const lastUsedAtMs = NOW_MS - number * DAY_MS;
  const meta = {
    version: 1,
    title: `Talk ${number}.`,
    createdAtMs: 0,
    lastUsedAtMs,
    messageCount: 2,
    provider: "offline",
    model: "offline",
    usage: { usedTokens: 0, budgetTokens: 0, summarizedSegments: 0 },
    undecided: 0,
    ...change,
  } as const;
  return { id: idOf(number), folder: "", meta, lastUsedAtMs, sizeBytes: 1, openIn: "free" };
}

/** Newest first, with these changes by number. */
function listings(count: number, changes: Record<number, Partial<ConversationListing["meta"]>> = {}) {
  return Array.from({ length: count }, (_, number) => listing(number, changes[number]));
}

describe("the lines of the list", () => {
  async function lines(content: Partial<ListContent>) {
    const editor = { ThemeIcon: Object, QuickPickItemKind: { Separator: -1 } };
    const { listLines } = await withEditorModule(
      "listLines",
      editor,
      () => import("../../../../src/host/conversations/list/listLines.ts"),
    );
    const whole = {
      listings: [],
      trashedCount: 0,
      current: undefined,
      showsArchive: false,
      query: "",
      hits: new Map(),
      gaps: undefined,
      ...content,
    };
    const made = listLines(whole, NOW_MS);
    return {
      numbers: made.flatMap((line) => ("listing" in line ? [Number(line.listing.id.slice(-12))] : [])),
      notes: made.flatMap((line) => ("fixed" in line ? [`${line.label} ${line.description ?? ""}`.trim()] : [])),
    };
  }

  const first = (count: number): readonly number[] => Array.from({ length: count }, (_, number) => number);
  const NEW = "$(add) New conversation";
  const HOW = "type words of a title, or of what was said, to find one";

  it("are all there for some hundred conversations", async () => {
    assert.deepEqual(await lines({ listings: listings(250) }), { numbers: first(250), notes: [NEW] });
  });

  it("are of the newest and the pinned ones of thousands, and say how the others are found", async () => {
    const all = listings(MANY, { 400: { isPinned: true }, 10: { isArchived: true } });
    assert.deepEqual(await lines({ listings: all, current: idOf(3_000) }), {
      numbers: [400, ...first(251).filter((number) => number !== 10), 3_000],
      notes: [NEW, "$(archive) Archive 1 conversation", `$(info) 4747 older conversations ${HOW}`],
    });
  });

  for (const [query, named] of [
    ["talk 4999.", [4_999]],
    ["TALK 300", [300, ...Array.from({ length: 10 }, (_, digit) => 3_000 + digit)]],
    ["nowhere", []],
  ] as const)
    it(`are also of those whose titles hold ${query}`, async () => {
      const { numbers } = await lines({ listings: listings(MANY), query });
      assert.deepEqual(numbers, [...first(250), ...named]);
    });

  it("are of no more than as many again for a word that all titles hold", async () => {
    assert.deepEqual((await lines({ listings: listings(MANY), query: "talk" })).numbers, first(500));
  });

  it("are also of those in which something was found, and of archived ones", async () => {
    const hit = { id: messageId(1), excerpt: "here", role: "user", words: [], exact: 1 } as const;
    const all = listings(MANY, { 4_000: { isArchived: true }, 4_001: { isArchived: true } });
    const hits = new Map([4_001, 2_000].map((number) => [idOf(number), [hit]])) as unknown as ListContent["hits"];
    assert.deepEqual((await lines({ listings: all, query: "here", hits })).numbers, [
      ...first(250),
      2_000,
      4_000,
      4_001,
    ]);
  });
});
