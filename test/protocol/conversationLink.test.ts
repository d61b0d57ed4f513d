import assert from "node:assert/strict";
import { conversationAddress, parseConversationAddress } from "../../src/protocol/conversationLink.ts";

const ID = "0f8fad5b-d9cb-469f-a165-70867728950e";

describe("addresses of conversations", () => {
  for (const [messageId, address] of [
    [null, `#conversation-${ID}`],
    [0, `#conversation-${ID}-message-1`],
    [99_999, `#conversation-${ID}-message-100000`],
  ] as const)
    it(`${address} is written and read`, () => {
      const place = { conversationId: ID, messageId };
      assert.deepEqual([conversationAddress(place), parseConversationAddress(address)], [address, place]);
    });

  for (const address of [
    `conversation-${ID}`,
    `#conversation-${ID.toUpperCase()}`,
    `#conversation-${ID}-message-0`,
    `#conversation-${ID}-message-1x`,
    `#conversation-${ID}-message-1234567890`,
    `#conversation-${ID}/../x`,
    "#message-1",
  ])
    it(`${address} is none`, () => {
      assert.equal(parseConversationAddress(address), undefined);
    });
});
