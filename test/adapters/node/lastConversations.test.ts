import assert from "node:assert/strict";
import {
  forgetLastConversations,
  recordClosing,
  recordOpened,
  readLastConversations,
} from "../../../src/adapters/node/lastConversations.ts";
import { parseConversationId, type ConversationId } from "../../../src/core/ids.ts";
import { temporaryFolder } from "../../support/storage/storeBuilders.ts";

function id(number: number): ConversationId {
  const parsed = parseConversationId(`00000000-0000-4000-8000-${String(number).padStart(12, "0")}`);
  assert.ok(parsed);
  return parsed;
}

/** Event in a window of one workspace: `+1` opens, `2<1` opens 2 in place of 1, `-1` closes, `!1` is killed. */
type Step = `+${number}` | `${number}<${number}` | `-${number}` | `!${number}`;

describe("last conversations", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => (folder = temporaryFolder()));
  afterEach(() => {
    folder.remove();
  });

  async function remembered(steps: readonly Step[]): Promise<readonly number[]> {
    const place = { storage: folder.path, workspace: "/a" };
    const open = new Set<ConversationId>();
    for (const step of steps) {
      const [first = 0, second = 0] = (step.match(/\d+/g) ?? []).map(Number);
      if (step.startsWith("!")) {
        open.delete(id(first));
      } else if (step.startsWith("-")) {
        open.delete(id(first));
        await recordClosing(place, { id: id(first), isOpen: (other) => Promise.resolve(open.has(other)) });
      } else {
        const previousId = step.includes("<") ? id(second) : undefined;
        if (previousId !== undefined) open.delete(previousId);
        open.add(id(first));
        assert.ok((await recordOpened(place, { id: id(first), previousId })).ok);
      }
    }
    assert.deepEqual(await readLastConversations({ ...place, workspace: "/b" }), []);
    return (await readLastConversations(place)).map((last) => Number(last.slice(-2)));
  }

  const cases: readonly { readonly title: string; readonly steps: readonly Step[]; readonly expected: number[] }[] = [
    { title: "start empty", steps: [], expected: [] },
    { title: "drop a conversation that its window replaced by another", steps: ["+1", "2<1", "3<2"], expected: [3] },
    {
      title: "list a window closed for a reload before those closed earlier",
      steps: ["+1", "+2", "-2", "-1"],
      expected: [1, 2],
    },
    {
      title: "list a killed window before those closed earlier",
      steps: ["+1", "+2", "-2", "!1"],
      expected: [1, 2],
    },
    {
      title: "list first what is open in another window, since no window can take it",
      steps: ["+1", "+2", "-1"],
      expected: [2, 1],
    },
    {
      title: "hold at most eight",
      steps: ["+1", "+2", "+3", "+4", "+5", "+6", "+7", "+8", "+9"],
      expected: [9, 8, 7, 6, 5, 4, 3, 2],
    },
  ];
  for (const { title, steps, expected } of cases) {
    it(title, async () => {
      assert.deepEqual(await remembered(steps), expected);
    });
  }

  it("are deleted for every workspace", async () => {
    const places = ["/a", "/b"].map((workspace) => ({ storage: folder.path, workspace }));
    for (const place of places) await recordOpened(place, { id: id(1) });
    assert.deepEqual(await forgetLastConversations(folder.path), { ok: true, value: undefined });
    assert.deepEqual(await Promise.all(places.map((place) => readLastConversations(place))), [[], []]);
    assert.ok((await forgetLastConversations(`${folder.path}/nowhere`)).ok);
  });
});
