import assert from "node:assert/strict";
import { NO_OVERHEAD, type RequestOverhead } from "../../../src/core/context/request/requestOverhead.ts";
import { UsageCalibrations } from "../../../src/core/context/usage/usageCalibrations.ts";
import { modelId } from "../../../src/core/ids.ts";
import { textOf } from "../../../src/core/message.ts";
import type { Provider, WireContext } from "../../../src/core/stream/provider.ts";
import { CONTENT_CLASSES, contentClassOf } from "../../../src/core/tokens/contentClass.ts";
import { COUNTING_SAMPLES } from "../../../src/core/tokens/countingSamples.ts";
import { teachCounting } from "../../../src/host/connections/countingTeacher.ts";
import { NEVER } from "../../support/models/providerRequests.ts";
import { testTokenCounter } from "../../support/models/tokenCounter.ts";

const model = modelId("smol");
const messageCounter = {
  count: (message: Parameters<ReturnType<typeof testTokenCounter>["countMessage"]>[0]) =>
    Promise.resolve(testTokenCounter().countMessage(message)),
};
const system = "Be brief, and say what you do not know.";
const tools = [{ name: "read_file", description: "Reads a part of a file.", inputSchemaJson: '{"type":"object"}' }];
const overhead: RequestOverhead = {
  ...NO_OVERHEAD,
  systemPrompt: system,
  systemTokens: { cl100k: 10, o200k: 10 },
};
const withTools: RequestOverhead = { ...overhead, tools, toolsTokens: { cl100k: 400, o200k: 400 } };

/** A server that counts 1.5 tokens where cl100k has one, 5 around each message, and 300 for tools. */
function counted({ systemPrompt, tools: offered, messages }: WireContext): number {
  const texts = [systemPrompt, ...messages.map(textOf)];
  const tokens = texts.map((text) =>
    testTokenCounter().countMessage({ role: "user", parts: [{ kind: "text", text }] }),
  );
  return Math.round(tokens.reduce((sum, { cl100k }) => sum + 5 + 1.5 * cl100k, 0)) + (offered.length > 0 ? 300 : 0);
}

async function taught(requests: readonly RequestOverhead[], count?: (context: WireContext) => number | undefined) {
  const calibrations = new UsageCalibrations();
  const asked: string[] = [];
  const countTokens = (context: WireContext): Promise<number | undefined> => {
    asked.push(`${context.tools.length} ${contentClassOf(context.messages.map(textOf).join(""))}`);
    return Promise.resolve(count?.(context));
  };
  const provider = { ...(count === undefined ? {} : { countTokens }) } as unknown as Provider;
  let ignoresTools = false;
  for (const of of requests)
    ignoresTools = await teachCounting({ provider, model }, of, { calibrations, messageCounter }, NEVER);
  return { calibrations, asked, ignoresTools };
}

describe("teachCounting", () => {
  for (const kind of CONTENT_CLASSES) {
    it(`L3 has a sample of ${kind}`, () => {
      assert.equal(contentClassOf(COUNTING_SAMPLES[kind]), kind);
    });
  }

  it("L3 asks for each content class once, then for each set of tools once", async () => {
    const { asked, calibrations } = await taught([overhead, overhead, withTools, withTools, overhead], counted);
    assert.deepEqual(asked, [...CONTENT_CLASSES.map((kind) => `0 ${kind}`), "1 prose"]);
    assert.equal(calibrations.of(model).saved.replies, 15);
  });

  it("L3 teaches the first count to within 10 % of the bill, without tools and with", async () => {
    const { calibrations } = await taught([withTools], counted);
    const known = calibrations.of(model);
    for (const kind of CONTENT_CLASSES) {
      const text = COUNTING_SAMPLES[kind].slice(10);
      const { cl100k } = testTokenCounter().countMessage({ role: "user", parts: [{ kind: "text", text }] });
      const content = { prose: 14, code: 0, data: 0, cjk: 0, other: 0 };
      const request = { content: { ...content, [kind]: content[kind] + cl100k + 4 }, messages: 0 };
      const context = { systemPrompt: system, messages: [{ role: "user", parts: [{ kind: "text", text }] }] } as const;
      for (const offered of [[], tools]) {
        const [toolSet] = known.saved.tools;
        const fixed = offered.length === 0 ? { fixedTokens: 0 } : { fixedTokens: 404, toolSet: toolSet?.toolSet ?? "" };
        const bill = counted({ ...context, tools: offered });
        const first = known.predict({ ...request, ...fixed });
        const error = Math.abs(first.tokens / bill - 1);
        assert.ok(
          error < 0.05,
          `${kind} with ${String(offered.length)} tools: ${String(first.tokens)} of ${String(bill)}`,
        );
        assert.ok(first.plusMinusTokens < 0.25 * bill, String(first.plusMinusTokens));
      }
    }
  });

  it("L3 learns nothing where the server does not count, fails, or a bill came first", async () => {
    const none = { replies: 0, tools: 0 };
    const learned = ({ calibrations }: { readonly calibrations: UsageCalibrations }) => {
      const { replies, tools: sets } = calibrations.of(model).saved;
      return { replies, tools: sets.length };
    };
    assert.deepEqual(learned(await taught([withTools])), none);
    const failing = await taught([withTools], () => undefined);
    assert.deepEqual([learned(failing), failing.asked.length], [none, 1]);
    let asked = 0;
    const failingLate = await taught([withTools], (context) => (asked++ < 3 ? counted(context) : undefined));
    assert.deepEqual([learned(failingLate), asked], [none, 4]);
  });

  it("L3 finds that a template drops the tools", async () => {
    const { ignoresTools } = await taught([withTools], (context) => counted({ ...context, tools: [] }));
    assert.deepEqual([ignoresTools, (await taught([withTools], counted)).ignoresTools], [true, false]);
  });
});
