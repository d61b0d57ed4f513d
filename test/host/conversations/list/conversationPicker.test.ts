/** The conversation list, and the searches in one and in all conversations, on real files. */

import type { FindToHost } from "../../../../src/protocol/toHost.ts";
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import path from "node:path";
import type { ConversationId } from "../../../../src/core/ids.ts";
import { ok } from "../../../../src/core/result.ts";
import type { Conversations } from "../../../../src/host/conversations/conversations.ts";
import { search } from "../../../../src/host/chat/search.ts";
import { FindInConversation } from "../../../../src/host/find/findInConversation.ts";
import { changeListing } from "../../../../src/host/conversations/list/changeListing.ts";
import { searchConversations, isSearchable } from "../../../../src/host/conversations/list/searchConversations.ts";
import type { ListingChange } from "../../../../src/host/conversations/list/listingState.ts";
import type { FindToView } from "../../../../src/protocol/findView.ts";
import type { ToViewBody } from "../../../../src/protocol/toView.ts";
import { buildDist, openWindow, type OpenedWindow } from "../../../support/session/openConversations.ts";
import { temporaryFolder } from "../../../support/storage/storeBuilders.ts";

describe("the conversation list", function () {
  this.timeout(60_000);
  const shipped = temporaryFolder();
  const disk = temporaryFolder();
  let opened: OpenedWindow;
  let conversations: Conversations;
  let first: ConversationId;
  let second: ConversationId;
  before(async () => {
    await buildDist(shipped.path);
    opened = openWindow({ storage: disk.path, dist: shipped.path });
    ({ conversations } = opened);
    await conversations.start();
    first = await ask("Where is the needle?", "The 消息 is here");
    await conversations.openNew();
    second = await ask("Hi", "What is in the haystack?");
  });
  after(async () => {
    await conversations.close();
    disk.remove();
    shipped.remove();
  });

  function session() {
    const { session: present } = conversations;
    assert.ok(present !== undefined);
    return present;
  }

  async function ask(...texts: readonly string[]): Promise<ConversationId> {
    for (const text of texts) await session().send(text, text);
    return session().opened.id;
  }

  async function listed(id: ConversationId) {
    const found = (await conversations.list()).find((listing) => listing.id === id);
    assert.ok(found?.meta !== undefined);
    const { title, isPinned = false, isArchived = false, lastUsedAtMs } = found.meta;
    return { listing: found, title, isPinned, isArchived, lastUsedAtMs };
  }

  async function change(id: ConversationId, what: ListingChange): Promise<void> {
    const { listing } = await listed(id);
    const changed = await changeListing(listing, what, { conversations, dist: shipped.path });
    assert.ok(changed.ok, JSON.stringify(changed));
  }

  it("titles a conversation by its first meaningful message", async () => {
    assert.equal((await listed(first)).title, "Where is the needle?");
    assert.equal((await listed(second)).title, "What is in the haystack?");
  });

  it("renames, pins and archives the open conversation, and a closed one without changing its last use", async () => {
    const { lastUsedAtMs } = await listed(first);
    await change(first, { title: "Mine", isPinned: true });
    await change(second, { title: "Also mine", isArchived: true });
    const closed = await listed(first);
    assert.deepEqual(
      [closed.title, closed.isPinned, closed.isArchived, closed.lastUsedAtMs],
      ["Mine", true, false, lastUsedAtMs],
    );
    const open = await listed(second);
    assert.deepEqual([open.title, open.isPinned, open.isArchived], ["Also mine", false, true]);
    await change(second, { isArchived: false });
    assert.equal((await listed(second)).isArchived, false);
  });

  it("keeps these changes when meta.json is lost, and the user's title through later messages", async () => {
    rmSync(path.join(disk.path, "conversations", first, "meta.json"));
    await conversations.openExisting(first);
    assert.deepEqual([session().title, (await listed(first)).isPinned], ["Mine", true]);
    await ask("Something else entirely");
    assert.equal((await listed(first)).title, "Mine");
    await conversations.openNew();
    const third = session().opened.id;
    await session().send("x", "x");
    await change(third, { title: "Hi" });
    await ask("What is this about?");
    assert.equal((await listed(third)).title, "Hi");
    await conversations.openExisting(second);
  });

  it("reports that another window has the conversation open, and changes nothing", async () => {
    const other = openWindow({ storage: disk.path, dist: shipped.path });
    await other.conversations.openExisting(first);
    const { listing } = await listed(first);
    const changed = await changeListing(listing, { title: "Theirs" }, { conversations, dist: shipped.path });
    assert.ok(!changed.ok && changed.error.code === "CONVERSATION_IN_USE");
    await other.conversations.close();
    assert.equal((await listed(first)).title, "Mine");
  });

  async function searchAll(query: string) {
    const found = new Map<ConversationId, number>();
    const left = await searchConversations(query, {
      listings: await conversations.listForSearch(),
      open: session().opened,
      index: conversations.index,
      cancel: new AbortController().signal,
      found: (id, hits) => found.set(id, hits.length),
    });
    return { found, left };
  }

  it("finds text in the open conversation and in closed ones", async () => {
    assert.deepEqual([...(await searchAll("haystack")).found], [[second, 1]]);
    const { found, left } = await searchAll("needle");
    assert.deepEqual([...found], [[first, 1]]);
    assert.deepEqual(left, { elsewhere: 0, unreadable: 0, isMore: false });
    assert.deepEqual([...(await searchAll("消息")).found.keys()], [first]);
    assert.deepEqual([...(await searchAll("because")).found.keys()].length, 3);
  });

  it("skips conversations that are open in another window, and counts them", async () => {
    const other = openWindow({ storage: disk.path, dist: shipped.path });
    await other.conversations.openExisting(first);
    const { found, left } = await searchAll("needle");
    await other.conversations.close();
    assert.deepEqual([...found], []);
    assert.deepEqual(left, { elsewhere: 1, unreadable: 0, isMore: false });
  });

  it("does not search for a single letter", () => {
    for (const query of ["", " ", "a", " é ", "я"]) assert.ok(!isSearchable(query), query);
    for (const query of ["ab", "消", "=>", "v2"]) assert.ok(isSearchable(query), query);
  });

  it("searches the conversation that is being opened, and finds nothing without one or after a switch", async () => {
    const said: string[] = [];
    const reply = (body: ToViewBody): void => {
      if (body.kind === "found") said.push(`${body.findId} ${String(body.hits.length)}`);
    };
    const find = new FindInConversation(() => Promise.resolve(ok(undefined)));
    const searched = { conversations, find, presenter: { showBanner: () => assert.fail() } };
    const look = (findId: string, around = {}): Promise<void> =>
      search({ kind: "find", findId, query: "needle" }, { ...searched, ...around }, reply);
    await Promise.all([conversations.openExisting(first), look("opening")]);
    await look("none", { conversations: { start: () => Promise.resolve(), session: undefined } });
    const left = { start: () => Promise.resolve(), session: session() };
    await conversations.openExisting(second);
    const handle: typeof find.handle = (message, _, tell) => {
      left.session = session(); // another one is opened before the reply
      return find.handle(message, session(), tell);
    };
    await look("left", { conversations: left, find: { handle } });
    assert.deepEqual(said, ["opening 1", "none 0", "left 0"]);
  });

  describe("the search in one conversation", () => {
    const opens: number[] = [];
    const find = new FindInConversation((_, number) => {
      opens.push(number);
      return Promise.resolve(ok(undefined));
    });

    async function say(message: FindToHost): Promise<readonly ToViewBody[]> {
      const said: ToViewBody[] = [];
      const done = await find.handle(message, session(), (body) => said.push(body));
      assert.ok(done.ok);
      return said;
    }

    async function found(query: string) {
      const [answer] = await say({ kind: "find", findId: "f", query });
      assert.ok(answer?.kind === "found");
      return answer.hits.map(({ messageId }) => messageId);
    }

    async function go(messageId: number, before: string): Promise<readonly ToViewBody[]> {
      return say({ kind: "findGo", findId: "f", messageId, before });
    }

    const place = (said: readonly ToViewBody[]): Extract<FindToView, { kind: "foundAt" }>["place"] => {
      const at = said.find((body) => body.kind === "foundAt");
      assert.ok(at !== undefined);
      return at.place;
    };

    before(() => conversations.openExisting(first));

    it("returns hits in message order, with the matched words as written", async () => {
      assert.deepEqual(await found("because"), [1, 3, 5]);
      const said = await go(3, "message-0");
      assert.deepEqual(said[0], { kind: "reveal", rowId: "message-3", keepsFocus: true });
      assert.deepEqual(place(said), { rowId: "message-3", part: "text", callId: "", marks: ["Because"] });
    });

    it("finds hidden messages, reports that they have no row, and opens them for reading", async () => {
      await session().retry(); // hides the previous answer, removes nothing
      assert.deepEqual(await found("because"), [1, 3, 5, 6]);
      const said = await go(5, "message-0");
      assert.deepEqual(
        said.map((body) => body.kind),
        ["foundAt"],
      );
      assert.equal(place(said).rowId, null);
      await say({ kind: "openMessage", messageId: 5 });
      await say({ kind: "openMessage", messageId: 99 });
      assert.deepEqual(opens, [5]);
    });

    it("sends the rows that the view lacks, however many they are", async () => {
      await conversations.openNew();
      for (let count = 0; count < 50; count++) await ask(`Number ${count}`);
      const { id } = session().opened;
      await conversations.openExisting(second);
      await conversations.openExisting(id);
      const oldest = opened.shown().rows[0]?.rowId ?? "";
      assert.equal(oldest, "message-60");
      assert.deepEqual(await found("number 3"), [6]);
      const said = await go(6, oldest);
      assert.deepEqual(
        said.map((body) => (body.kind === "rowsOlder" ? [body.before, body.rows[0]?.rowId] : body.kind)),
        [["message-60", "message-0"], "reveal", "foundAt"],
      );
      assert.equal(place(said).rowId, "message-6");
      await conversations.openExisting(first);
    });

    it("ignores steps through a search that was replaced by another", async () => {
      await say({ kind: "find", findId: "g", query: "needle" });
      assert.deepEqual(await go(1, "message-0"), []);
      assert.deepEqual(await found("  "), []);
    });
  });
});
