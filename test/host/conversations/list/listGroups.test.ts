import assert from "node:assert/strict";
import type { ConversationListing } from "../../../../src/adapters/node/conversationFolders.ts";
import { parseConversationId } from "../../../../src/core/ids.ts";
import { listGroups } from "../../../../src/host/conversations/list/listGroups.ts";

const NOW = new Date(2026, 2, 30, 0, 30).getTime(); // half an hour after midnight, a day after the clocks changed

function listing(
  name: string,
  at: Date,
  place: { isPinned?: boolean; isArchived?: boolean } = {},
): ConversationListing {
  const id = parseConversationId(`00000000-0000-4000-8000-${name.padStart(12, "0")}`);
  assert.ok(id !== undefined);
  const meta = {
    version: 1 as const,
    title: name,
    createdAtMs: 0,
    lastUsedAtMs: at.getTime(),
    messageCount: 2,
    provider: "offline",
    model: "offline",
    usage: { usedTokens: 0, budgetTokens: 0, summarizedSegments: 0 },
    undecided: 0,
    ...place,
  };
  return { id, folder: name, meta, lastUsedAtMs: at.getTime(), sizeBytes: 1, openIn: "free" };
}

describe("listGroups", () => {
  const check = (listings: readonly ConversationListing[], expected: readonly (readonly [string, string])[]): void => {
    const groups = listGroups(listings, NOW).map(({ label, listings: some }) => [
      label,
      some.map(({ meta }) => meta?.title).join(" "),
    ]);
    assert.deepEqual(groups, expected);
  };

  it("groups by calendar day, not by hours, and keeps the order", () => {
    check(
      [
        listing("1", new Date(2026, 2, 31)), // the clock was set back since
        listing("2", new Date(2026, 2, 30, 0, 1)),
        listing("3", new Date(2026, 2, 29, 23, 59)),
        listing("4", new Date(2026, 2, 29)),
        listing("5", new Date(2026, 2, 28, 23, 59)),
        listing("6", new Date(2026, 2, 23)),
        listing("7", new Date(2026, 2, 22, 23)),
        listing("8", new Date(2026, 1, 28)),
        listing("9", new Date(2026, 1, 27, 23)),
      ],
      [
        ["Today", "1 2"],
        ["Yesterday", "3 4"],
        ["Previous 7 days", "5 6"],
        ["Previous 30 days", "7 8"],
        ["Older", "9"],
      ],
    );
  });

  it("puts pinned conversations first and omits archived ones", () => {
    check(
      [
        listing("1", new Date(2026, 2, 30)),
        listing("2", new Date(2020, 1, 1), { isPinned: true }),
        listing("3", new Date(2026, 2, 30), { isArchived: true }),
        listing("4", new Date(2026, 2, 30), { isPinned: true, isArchived: true }),
      ],
      [
        ["Pinned", "2"],
        ["Today", "1"],
      ],
    );
  });
});
