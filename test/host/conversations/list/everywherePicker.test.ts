/** Picking a message of any conversation, and the bound of what is searched. */

import assert from "node:assert/strict";
import { messageId, parseConversationId, type ConversationId } from "../../../../src/core/ids.ts";
import type { Conversations } from "../../../../src/host/conversations/conversations.ts";
import {
  MOST_CONVERSATIONS,
  searchConversations,
} from "../../../../src/host/conversations/list/searchConversations.ts";
import type { BugReporter } from "../../../../src/host/editor/bugReporter.ts";
import type { SearchIndex } from "../../../../src/host/search/searchIndex.ts";
import type { IndexHit } from "../../../../src/host/search/searchIndexProtocol.ts";
import type { ToViewBody } from "../../../../src/protocol/toView.ts";
import { beginAnew, give, happened, listed, type, withQuestions } from "../../../support/editor/fakeQuestions.ts";

const load = () => withQuestions(async () => import("../../../../src/host/conversations/list/everywherePicker.ts"));

const TITLE = "Forge: Find in All Conversations";

function idOf(number: number): ConversationId {
  const id = parseConversationId(`00000000-0000-4000-8000-${String(number).padStart(12, "0")}`);
  assert.ok(id);
  return id;
}

function hit(id: number, excerpt: string): IndexHit {
  const entry = { role: "user", createdAtMs: 0 } as const;
  return { id: messageId(id), excerpt, words: [], hasAll: true, exact: 0, score: 1, entry };
}

/** Finds one message in each of so many conversations. */
const indexOf = (count: number): Pick<SearchIndex, "search"> => ({
  search: ({ question }, { found }) => {
    for (let number = 0; number < count; number++) found(idOf(number), [hit(7, `It has ${question} here`)]);
    return Promise.resolve(0);
  },
});

describe("finding in all conversations", () => {
  let findEverywhere: Awaited<ReturnType<typeof load>>["findEverywhere"];
  before(async () => {
    ({ findEverywhere } = await load());
  });
  beforeEach(beginAnew);

  const listing = { id: idOf(0), folder: "", lastUsedAtMs: 0, sizeBytes: 0, openIn: "free" };
  const fake: unknown = {
    listForSearch: () => Promise.resolve([listing]),
    index: indexOf(1),
    session: undefined,
    openExisting: (id: string) => Promise.resolve(void happened.push(`opened ${id.slice(-1)}`)),
  };
  const conversations = fake as Conversations;
  const views = {
    focusAndPost: (body: ToViewBody) =>
      body.kind === "openFind" && happened.push(`find ${body.query} in ${String(body.messageId)}`),
  };
  const keyboard = { afterPrompt: () => void happened.push("keyboard"), focusComposer: () => undefined };
  const noBugs: unknown = { report: (error: unknown) => happened.push(String(error)) };
  const find = (query: string): Promise<void> =>
    findEverywhere(query, conversations, views, keyboard, noBugs as BugReporter);

  it("opens the message that is picked, with the query that found it", async () => {
    const finding = find("needle");
    await type(TITLE, "haystack");
    await pickHit("haystack");
    await finding;
    assert.deepEqual(happened, [`asked ${TITLE}`, `closed ${TITLE}`, "keyboard", "opened 0", "find haystack in 7"]);
  });

  it("gives the keyboard back when it is dismissed", async () => {
    const finding = find("");
    await give(TITLE);
    await finding;
    assert.deepEqual(happened, [`asked ${TITLE}`, `closed ${TITLE}`, "keyboard"]);
  });

  async function pickHit(words: string): Promise<void> {
    for (;;) {
      const line = (await listed(TITLE)).find(({ description = "" }) => description.includes(`It has ${words}`));
      if (line !== undefined) return give(TITLE, line);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  for (const [count, isMore] of [
    [MOST_CONVERSATIONS, false],
    [MOST_CONVERSATIONS + 1, true],
  ] as const)
    it(`tells of ${MOST_CONVERSATIONS} conversations, and ${isMore ? "that more match" : "no more"}, of ${count}`, async () => {
      const found: ConversationId[] = [];
      const gaps = await searchConversations("needle", {
        listings: [],
        open: undefined,
        index: indexOf(count),
        found: (id) => found.push(id),
        cancel: new AbortController().signal,
      });
      assert.deepEqual([found.length, gaps], [MOST_CONVERSATIONS, { elsewhere: 0, unreadable: 0, isMore }]);
    });
});
