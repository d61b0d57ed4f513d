/** Requests and summaries of a conversation of another tool that had compacted it. */

import assert from "node:assert/strict";
import { runSync } from "../../../../src/core/cooperativeTask.ts";
import { messageId } from "../../../../src/core/ids.ts";
import { searchText } from "../../../../src/core/search/searchText.ts";
import { lines, read } from "../../../support/foreignConversations.ts";
import { TestConversation } from "../../../support/session/conversation.ts";

/** Repeated words of answers are sent once. */
const beginning = (text: string): string => (/^(?:before|since) \d+/.exec(text) ?? [text])[0].slice(0, 60);

describe("§4 a request after an import with a compaction", () => {
  const record = (type: string, payload: object) => ({ timestamp: "2026-05-04T10:00:00.000Z", type, payload });
  const said = (number: number, text: string) => {
    const role = number % 2 === 0 ? "user" : "assistant";
    return record("response_item", { type: "message", role, content: [{ type: "input_text", text }] });
  };
  const BEFORE = Array.from({ length: 20 }, (_, number) => `before ${number} ${"word ".repeat(300)}`);
  const SINCE = Array.from({ length: 6 }, (_, number) => `since ${number}`);
  const SUMMARY = `Summary of what was said. ${"More. ".repeat(50)}`;
  const SENT_SUMMARY = `[Earlier conversation summary]\n\n${SUMMARY}`.slice(0, 60);
  const FILE = lines(
    record("session_meta", { id: "s", cwd: "/shop" }),
    ...BEFORE.map((text, number) => said(number, text)),
    record("compacted", { message: SUMMARY }),
    ...SINCE.map((text, number) => said(number, text)),
  );

  const imported = (model: string): TestConversation => {
    const conversation = new TestConversation({ model });
    const count = (text: string): number => Math.ceil(text.length / 5);
    const { records } = read(FILE, (message) => {
      const tokens = count(searchText(message));
      return { cl100k: tokens, o200k: tokens };
    });
    for (const each of records) conversation.store(each);
    return conversation;
  };
  const ORIGINALS = [...BEFORE, ...SINCE].map(beginning);
  const sentBy = async (conversation: TestConversation): Promise<readonly string[]> => {
    const sent = await conversation.ready().apiMessages();
    assert.ok(sent.ok);
    return sent.value.flatMap(({ parts }) => parts.map((part) => ("text" in part ? beginning(part.text) : part.kind)));
  };

  it("has the summary, once, where there is no room for the originals", async () => {
    assert.deepEqual(await sentBy(imported("small")), [SENT_SUMMARY, ...SINCE]);
  });

  it("has the originals where there is room for them, and again after a switch to a larger window", async () => {
    assert.deepEqual(await sentBy(imported("large")), ORIGINALS);
    const conversation = imported("small");
    await sentBy(conversation);
    conversation.play("model:large");
    assert.deepEqual(await sentBy(conversation), ORIGINALS);
  });

  it("has the originals once the user has undone the summary", async () => {
    const conversation = imported("middle").play("undo0");
    assert.deepEqual(await sentBy(conversation), ORIGINALS);
  });

  it("is not what a summary of more is made of: that has the originals", () => {
    const conversation = imported("small").play("10*100/100");
    const ids = Array.from({ length: 40 }, (_, id) => messageId(id));
    const pending = runSync(conversation.manager.prepareSummarization(ids));
    assert.deepEqual(
      [pending?.covers, pending?.level, pending?.sources],
      [{ start: 0, end: 40 }, 2, ids.map((id) => ({ kind: "message", id }))],
    );
  });

  it("has it still after Forge has summarized what was said since", async () => {
    const conversation = imported("small").play("10*100/100 S20-41:200");
    const [first, second, ...rest] = await sentBy(conversation);
    assert.deepEqual([first, second?.slice(0, 30), rest.length], [SENT_SUMMARY, "[Earlier conversation summary]", 4]);
  });
});
