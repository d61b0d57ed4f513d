/** Attachments excluded after they were sent: the request has a line in their place, the history retains them. */

import assert from "node:assert/strict";
import { exclusionRecord, canBeExcluded, withoutExcluded } from "../../../src/core/history/exclusion.ts";
import { messageId } from "../../../src/core/ids.ts";
import type { Message } from "../../../src/core/message.ts";
import { attach, leaveOut, sendAgain } from "../../support/session/attachedMessages.ts";
import { counts, TestConversation } from "../../support/session/conversation.ts";
import { loaded, saved } from "../../support/session/savedConversations.ts";

const LINE = '[The user has taken the attachment "file0.ts" out of the conversation.]';

async function sentTexts(conversation: TestConversation): Promise<readonly string[]> {
  const read = await conversation.ready().apiMessages();
  assert.ok(read.ok);
  return read.value.flatMap(({ parts }) => parts.flatMap((part) => ("text" in part ? [part.text] : [])));
}

/** An answered question with an attachment. */
function asked(before = ""): TestConversation {
  const conversation = new TestConversation().play(before);
  attach(conversation, 900);
  return conversation.play("a50");
}

describe("an excluded attachment", () => {
  it("is replaced by a line in the request and updates the usage at once", async () => {
    const conversation = asked();
    const before = conversation.manager.usage().usedTokens;
    leaveOut(conversation, 0);
    assert.equal(conversation.manager.usage().usedTokens, before - 900 + 20);
    assert.deepEqual(await sentTexts(conversation), [LINE, "user 0", "assistant 1"]);
  });

  it("is unchanged in the history and is sent again when the user includes it", async () => {
    const conversation = asked();
    const [before, revision] = [conversation.manager.usage().usedTokens, conversation.manager.revision];
    leaveOut(conversation, 0);
    sendAgain(conversation, 0);
    assert.equal(conversation.manager.usage().usedTokens, before);
    assert.ok(conversation.manager.revision > revision);
    assert.deepEqual(await sentTexts(conversation), ["the file of message 0", "user 0", "assistant 1"]);
    assert.deepEqual(conversation.message(messageId(0)).parts[0], {
      kind: "attachment",
      label: "file0.ts",
      text: "the file of message 0",
    });
    assert.equal(conversation.manager.history.entry(messageId(0)).leftOut, undefined);
  });

  it("stays excluded for every model, after a restart, and after export and import", async () => {
    const conversation = asked();
    leaveOut(conversation, 0);
    conversation.play("model:large");
    assert.deepEqual(await sentTexts(conversation), [LINE, "user 0", "assistant 1"]);
    assert.deepEqual(await sentTexts(conversation.reopened()), [LINE, "user 0", "assistant 1"]);
    const json = await saved(conversation);
    assert.ok(json.includes("the file of message 0"));
    const imported = loaded(json);
    assert.deepEqual(await sentTexts(imported), [LINE, "user 0", "assistant 1"]);
    sendAgain(imported, 0);
    assert.deepEqual(await sentTexts(imported), ["the file of message 0", "user 0", "assistant 1"]);
  });

  it("makes room for earlier messages, and takes it again when included after a return to the model", () => {
    const conversation = asked("9*200/200");
    assert.equal(conversation.sent(), "summarizationNeeded");
    leaveOut(conversation, 18);
    assert.equal(conversation.sent().split(" ").length, 20);
    conversation.play("model:large model:small");
    sendAgain(conversation, 18);
    assert.equal(conversation.sent(), "summarizationNeeded");
  });

  it("is always a file or a picture that the user added", () => {
    const message: Message = {
      role: "user",
      parts: [
        { kind: "image", mediaType: "image/png", dataBase64: "AAAA" },
        { kind: "text", text: "Look." },
      ],
    };
    assert.deepEqual(message.parts.map(canBeExcluded), [true, false]);
    assert.deepEqual(withoutExcluded(message, [0]).parts, [
      { kind: "text", text: "[The user has taken this picture out of the conversation.]" },
      { kind: "text", text: "Look." },
    ]);
    assert.equal(withoutExcluded(message, undefined), message);
    const conversation = new TestConversation();
    const entry = conversation.manager.history;
    conversation.add(message, 40);
    for (const wrong of [1, 2]) {
      const made = exclusionRecord(
        { entry: entry.entry(messageId(0)), message },
        { leftOut: [wrong], sentTokens: counts(9), atMs: 0 },
      );
      assert.equal(made.ok ? "made" : made.error.code, "VALIDATION_ERROR");
    }
  });

  it("is rejected in an imported document when its index names no attachment", async () => {
    const conversation = asked();
    leaveOut(conversation, 0);
    const json = await saved(conversation);
    for (const wrong of ["[1]", "[0,0]", "[7]", '"0"']) {
      assert.throws(() => loaded(json.replace('"leftOut":[0]', `"leftOut":${wrong}`)), wrong);
    }
  });
});
