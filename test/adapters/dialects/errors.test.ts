import assert from "node:assert/strict";
import { delta, rightAnswer, type DialectCase, type RightAnswer } from "../../support/dialects/dialectCase.ts";
import { errors } from "../../support/dialects/errors.ts";
import { runCase } from "../../support/dialects/runCase.ts";

describe("failures as services report them", () => {
  for (const tried of errors) {
    it(`§6 ${tried.service}, ${tried.title} (${tried.source})`, async () => {
      assert.deepEqual(await runCase(tried), tried.right);
    });
  }

  it("§6 have a service each, none twice, from thirty services", () => {
    assert.equal(new Set(errors.map((tried) => JSON.stringify(tried))).size, errors.length);
    assert.ok(errors.every(({ service }) => service !== ""));
    assert.ok(new Set(errors.map(({ service }) => service)).size >= 30);
  });

  const chatCase = (body: string): DialectCase => ({
    kind: "errors",
    service: "a server",
    source: "",
    title: "",
    protocol: "chat",
    wire: [{ body }],
    right: rightAnswer({}),
  });

  it("§6 an error in mid-stream keeps what came, and is not sent again", async () => {
    for (const [error, name] of [
      [{ code: 402, message: "Insufficient credits" }, "NO_CREDIT"],
      [{ code: 429, message: "Slow down. Please retry in 12 s." }, "RATE_LIMITED"],
      [{ code: 502, message: "Upstream closed" }, "SERVICE_UNAVAILABLE"],
    ] as const) {
      const body = `data: ${JSON.stringify(delta({ content: "Half an" }))}\n\ndata: ${JSON.stringify({ error })}\n\n`;
      const { text, end, requests } = (await runCase(chatCase(body))) as RightAnswer;
      assert.deepEqual([text, Reflect.get(Object(end), "code"), requests], ["Half an", name, 1]);
    }
  });
});
