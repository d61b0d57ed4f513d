/** A parameter that a gateway refuses is left out of later requests, and nothing else is. */

import assert from "node:assert/strict";
import { createAnthropicProvider } from "../../../src/adapters/anthropic/client.ts";
import { modelId } from "../../../src/core/ids.ts";
import { textMessage, type Message } from "../../../src/core/message.ts";
import { RefusedParameters } from "../../../src/core/models/refusedParameters.ts";
import { startAnthropicServer } from "../../servers/anthropicServer.ts";
import { list, member, text } from "../../servers/wireJson.ts";
import { fold, nameOf, NEVER, prepared } from "../../support/models/providerRequests.ts";

const MODEL = modelId("claude-sonnet-5-5");
const SAID: readonly Message[] = [
  textMessage("user", "One?"),
  {
    role: "assistant",
    parts: [
      { kind: "thinking", text: "Hm.", signature: "signed:3" },
      { kind: "text", text: "One." },
    ],
  },
  textMessage("user", "Two?"),
];

/** A request's `thinking` parameter, whether it contains earlier thinking, and its number of cache marks. */
type Form = readonly [thinking: unknown, hasEarlier: boolean, marks: number];

interface Refusal {
  readonly status: number;
  readonly body: object;
  readonly has: (form: Form) => boolean;
}

/** The forms of all requests made for two questions, and the refusals saved permanently. */
async function asked(
  refusals: readonly Refusal[],
): Promise<{ readonly forms: readonly Form[]; readonly kept: unknown }> {
  const server = await startAnthropicServer();
  const forms: Form[] = [];
  let kept: unknown;
  const refused = new RefusedParameters({
    get: () => undefined,
    set: (value) => {
      kept = value;
    },
  });
  const gateway = (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    assert.ok(typeof init?.body === "string");
    const form = formOf(JSON.parse(init.body));
    forms.push(form);
    const refusal = refusals.find(({ has }) => has(form));
    if (refusal === undefined) return fetch(input, init);
    return Promise.resolve(Response.json(refusal.body, { status: refusal.status }));
  };
  const provider = createAnthropicProvider({ apiKey: "sk-x", baseUrl: server.url, refused, fetch: gateway });
  for (let question = 0; question < 2; question++) {
    const options = { model: MODEL, maxOutputTokens: 500, reasoningEffort: "high" } as const;
    const events = [];
    for await (const event of provider.stream(prepared(SAID, "Be brief."), options, NEVER)) events.push(event);
    assert.equal(nameOf(fold(events).end), "endTurn", JSON.stringify(refusals));
  }
  await server.close();
  return { forms, kept };
}

function formOf(body: unknown): Form {
  const blocks = list(body, "messages").flatMap((message) => list(message, "content"));
  const marks = [...list(body, "system"), ...blocks].filter((block) => member(block, "cache_control") !== undefined);
  return [member(body, "thinking"), blocks.some((block) => text(block, "type") === "thinking"), marks.length];
}

const said = (message: string): object => ({ type: "error", error: { type: "invalid_request_error", message } });
const inFields = (...fields: readonly (readonly [readonly (string | number)[], string])[]): object => ({
  detail: fields.map(([loc, msg]) => ({ type: "extra_forbidden", loc: ["body", ...loc], msg, input: null })),
});

describe("Anthropic provider behind a gateway that refuses parameters", () => {
  const ADAPTIVE = { type: "adaptive", display: "summarized" };
  const WHOLE: Form = [ADAPTIVE, true, 3];
  const extra = "Extra inputs are not permitted";
  const check = async (
    statuses: readonly number[],
    bodies: readonly object[],
    has: Refusal["has"],
    expected: { readonly form: Form; readonly kept?: object },
  ): Promise<void> => {
    for (const status of statuses) {
      for (const body of bodies) {
        const { forms, kept } = await asked([{ status, body, has }]);
        assert.deepEqual({ forms, kept }, { forms: [WHOLE, expected.form, expected.form], kept: expected.kept });
      }
    }
  };

  it("omits how thinking is displayed after a refusal", () =>
    check(
      [400, 422],
      [said(`thinking.adaptive.display: ${extra}`), inFields([["thinking", "adaptive", "display"], extra])],
      ([thinking]) => member(thinking, "display") !== undefined,
      { form: [{ type: "adaptive" }, true, 3], kept: { [MODEL]: ["thinking.display"] } },
    ));

  it("omits thinking after a refusal", () =>
    check(
      [400, 422],
      [
        said(`thinking: ${extra}`),
        said("thinking: Input tag 'adaptive' found using 'type' does not match any of the expected tags: 'enabled'"),
        said("thinking.type: Input should be 'enabled' or 'disabled'"),
        said('"thinking.type.adaptive" is not supported for this model.'),
        inFields([["thinking"], extra]),
      ],
      ([thinking]) => thinking !== undefined,
      { form: [undefined, true, 3], kept: { [MODEL]: ["thinking=adaptive"] } },
    ));

  it("omits earlier thinking after a refusal and still requests new thinking", () =>
    check(
      [400, 422],
      [
        said(`messages.1.content.0.thinking.signature: ${extra}`),
        said("messages.1.content.0: Input tag 'thinking' found using 'type' does not match any of the expected tags"),
        inFields([["messages", 1, "content", 0, "thinking"], extra]),
      ],
      ([, hasEarlier]) => hasEarlier,
      { form: [ADAPTIVE, false, 3] },
    ));

  it("omits the cache marks after a refusal", () =>
    check(
      [400, 422],
      [
        said(`system.0.cache_control: ${extra}`),
        said(`messages.2.content.0.text.cache_control: ${extra}`),
        inFields([["system", 0, "cache_control"], extra], [["messages", 2, "content", 0, "cache_control"], extra]),
      ],
      ([, , marks]) => marks > 0,
      { form: [ADAPTIVE, true, 0] },
    ));

  it("handles refusals of several parameters in turn", async () => {
    const display = inFields([["thinking", "display"], extra]);
    const marked = inFields([["system", 0, "cache_control"], extra]);
    const { forms } = await asked([
      { status: 422, body: display, has: ([thinking]) => member(thinking, "display") !== undefined },
      { status: 422, body: marked, has: ([, , marks]) => marks > 0 },
    ]);
    const plain = { type: "adaptive" };
    assert.deepEqual(forms, [WHOLE, [plain, true, 3], [plain, true, 0], [plain, true, 0]]);
  });
});
