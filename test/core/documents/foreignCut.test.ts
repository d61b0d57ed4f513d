import assert from "node:assert/strict";
import { documentConversations } from "../../../src/core/documents/documentRecords.ts";
import { FullHistory } from "../../../src/core/history/fullHistory.ts";
import { importReportOf } from "../../../src/core/documents/foreign/importReport.ts";
import { textOf } from "../../../src/core/message.ts";
import { MemoryText, MemoryTexts } from "../../support/documents.ts";

interface Read {
  /** Of each conversation. */
  readonly words: readonly (readonly string[])[];
  /** Damaged stretches, by line and text. */
  readonly damaged: readonly (readonly [number, string])[];
}

/** `undefined` when nothing can be imported. */
function imported(text: string): Read | undefined {
  const recount = <Kind>(record: Kind): Kind => record;
  const options = {
    texts: new MemoryTexts(),
    nowMs: 1,
    fileBytes: text.length,
    recountOwn: recount,
    recountForeign: recount,
  };
  const words: string[][] = [];
  const damaged: (readonly [number, string])[] = [];
  for (const stream of documentConversations(new MemoryText(text), options)) {
    const history = new FullHistory();
    const said: string[] = [];
    for (;;) {
      const step = stream.next();
      if (step.done === true) {
        if (!step.value.ok) return undefined;
        break;
      }
      history.apply(step.value);
      if (step.value.kind === "message") said.push(textOf(step.value.message));
    }
    words.push(said);
    damaged.push(...(importReportOf(history)?.damaged ?? []).map(({ line, text }) => [line, text] as const));
  }
  return { words, damaged };
}

const WORDS = ["One {[?", 'Two "]}".', "Three,", "Four é."];
const time = (at: number) => `2026-03-01T10:00:0${at}Z`;
const role = (at: number) => (at % 2 === 0 ? "user" : "assistant");
const node = (text: string, at: number) => ({
  id: `n${at}`,
  parent: at === 0 ? null : `n${at - 1}`,
  children: [],
  message: {
    id: `n${at}`,
    author: { role: role(at), metadata: {} },
    content: { content_type: "text", parts: [text] },
    status: "finished_successfully",
    recipient: "all",
    metadata: {},
  },
});
const chatGpt = (words: readonly string[]) => ({
  title: "The sky",
  mapping: Object.fromEntries(words.map((text, at) => [`n${at}`, node(text, at)])),
  current_node: `n${words.length - 1}`,
});
const claudeAi = (words: readonly string[]) => ({
  uuid: "c",
  name: "The sky",
  chat_messages: words.map((text, at) => ({
    uuid: `m${at}`,
    sender: at % 2 === 0 ? "human" : "assistant",
    content: [{ type: "text", text }],
    created_at: time(at),
  })),
});

/** A document of each kind with `words`, one record for each. */
const DOCUMENTS: Readonly<Record<string, (words: readonly string[]) => unknown>> = {
  "Gemini CLI's chat": (words) => ({
    sessionId: "s",
    projectHash: "p",
    messages: words.map((content, at) => ({
      id: String(at),
      timestamp: time(at),
      type: at % 2 === 0 ? "user" : "gemini",
      content,
    })),
    summary: "The sky",
  }),
  "Continue's session": (words) => ({
    sessionId: "s",
    title: "The sky",
    history: words.map((content, at) => ({ message: { role: role(at), content }, contextItems: [] })),
  }),
  "ChatGPT's export": (words) => [chatGpt(words)],
  "a conversation of ChatGPT": chatGpt,
  "claude.ai's export": (words) => [claudeAi(words)],
  "a conversation of claude.ai": claudeAi,
  "opencode's session": (words) => ({
    info: { id: "ses_1", title: "The sky" },
    messages: words.map((text, at) => ({
      info: { id: `m${at}`, sessionID: "ses_1", role: role(at), time: { created: 1_000 } },
      parts: [{ type: "text", text }],
    })),
  }),
  "OpenHands' events": (words) => ({
    items: words.map((text, at) => ({
      kind: "MessageEvent",
      id: String(at),
      timestamp: time(at),
      source: at % 2 === 0 ? "user" : "agent",
      llm_message: { content: text },
    })),
  }),
  "Roo's second form": (words) => ({
    version: 2,
    messages: words.map((content, at) => ({ role: role(at), content, ts: 1_000 + at })),
  }),
  "a request": (words) => ({ model: "m", messages: words.map((content, at) => ({ role: role(at), content })) }),
};

describe("§11 a document that is cut:", () => {
  for (const [name, documentOf] of Object.entries(DOCUMENTS)) {
    for (const indent of [0, 2]) {
      it(`${name}, ${indent === 0 ? "on one line" : "on many"}, wherever it is cut`, () => {
        const whole = Buffer.from(JSON.stringify(documentOf(WORDS), undefined, indent));
        assert.deepEqual(imported(whole.toString()), { words: [WORDS], damaged: [] });
        let before = 0;
        for (let end = 1; end < whole.length; end++) {
          const text = whole.subarray(0, end).toString();
          const read = imported(text);
          const count = read?.words[0]?.length ?? 0;
          // Each message is there from its last byte on, and nothing of the next one.
          assert.deepEqual(read?.words ?? [[]], [WORDS.slice(0, count)], text.slice(-40));
          assert.ok(count === before || count === before + 1, text.slice(-40));
          before = count;
          const stretches = read?.damaged.map(([, rest]) => rest) ?? [];
          assert.ok(stretches.length <= 1 && stretches.every((rest) => text.endsWith(rest)), text.slice(-40));
        }
        assert.equal(before, WORDS.length);
      });
    }
  }

  const cutAfter = (text: string, part: string): string => text.slice(0, text.indexOf(part) + part.length);

  it("what is cut off is kept aside, with the number of its message", () => {
    const text = cutAfter(JSON.stringify(DOCUMENTS["Continue's session"]?.(WORDS)), "Three");
    const [, rest = ""] = text.split(/,(?=\{"message":\{"role":"user","content":"Three)/);
    assert.deepEqual(imported(text), { words: [WORDS.slice(0, 2)], damaged: [[3, rest]] });
  });

  it("conversations before the one that is cut are whole, and the last one tells it", () => {
    const others = [claudeAi(["A", "B"]), claudeAi(["C"])];
    const text = cutAfter(JSON.stringify([...others, claudeAi(WORDS)]), "Four");
    const found = imported(text);
    assert.deepEqual(found?.words, [["A", "B"], ["C"], WORDS.slice(0, 3)]);
    assert.deepEqual(
      found.damaged.map(([line]) => line),
      [4],
    );
  });

  it("a conversation without a whole message costs that conversation", () => {
    const text = cutAfter(JSON.stringify([claudeAi(["A"]), claudeAi(["B"])]), '"text":"B');
    assert.deepEqual(imported(text)?.words, [["A"]]);
    assert.equal(imported(text)?.damaged.length, 1);
  });

  it("lines after a cut one are read one by one", () => {
    const line = (content: string) => JSON.stringify({ type: "user", message: { role: "user", content } });
    const first = JSON.stringify({ messages: [{ role: "user", content: "a" }], more: [1, 2] });
    const found = imported(`${first.slice(0, -3)}\n${line("b")}\n${line("c")}`);
    assert.deepEqual(found?.words, [["b", "c"]]);
  });

  it("is not Forge's own, which is imported whole or not at all", () => {
    const own = { version: 1, messages: [{ id: 0, role: "user", parts: [{ kind: "text", text: "a" }] }], more: 1 };
    assert.equal(imported(JSON.stringify(own).slice(0, -4)), undefined);
  });
});
