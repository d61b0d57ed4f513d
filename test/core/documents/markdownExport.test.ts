import assert from "node:assert/strict";
import { marked } from "marked";
import { exportMarkdown, markdownOutline } from "../../../src/core/documents/markdownExport.ts";
import { modelId, toolCallId } from "../../../src/core/ids.ts";
import type { Message, MessageState, Part } from "../../../src/core/message.ts";
import { runSync } from "../../../src/core/cooperativeTask.ts";
import { counts, TestConversation } from "../../support/session/conversation.ts";
import { contentsOf, richConversation } from "../../support/session/savedConversations.ts";

async function markdownOf(conversation: TestConversation): Promise<string> {
  const pieces: string[] = [];
  const done = await exportMarkdown(
    runSync(markdownOutline(conversation.manager)),
    contentsOf(conversation),
    (piece) => {
      pieces.push(piece);
      return Promise.resolve();
    },
  );
  assert.deepEqual(done, { ok: true, value: undefined });
  return pieces.join("");
}

function answer(parts: readonly Part[], state: MessageState = "complete", model = "a-model"): TestConversation {
  const conversation = new TestConversation();
  const meta = { state, createdAtMs: Date.UTC(2026, 10, 21, 10, 15), tokens: counts(1), model: modelId(model) };
  conversation.store(conversation.manager.record({ role: "assistant", parts }, meta));
  return conversation;
}

describe("exportMarkdown", () => {
  const head = "# Conversation\n\n## Assistant (a-model)\n\n*2026-11-21 10:15 UTC*\n";
  const check = (title: string, part: Part, expected: string): void => {
    it(title, async () => {
      assert.equal(await markdownOf(answer([part])), `${head}\n${expected}\n`);
    });
  };
  it("says of each message that the model does not have as it is what it has instead", async () => {
    const summarized = await markdownOf(new TestConversation().play("6*90/90 S0-7:60"));
    assert.equal(summarized.match(/UTC · the model has a summary of it\*$/gm)?.length, 8);
    const windowed = new TestConversation({ settings: { strategy: "slidingWindow" } }).play("12*60/60");
    assert.equal((await markdownOf(windowed)).match(/UTC · not sent to the model\*$/gm)?.length, 4);
    const excerpt = await markdownOf(new TestConversation().play("u40 t20:9000"));
    assert.equal(excerpt.match(/ · the model has an excerpt of it\*$/gm)?.length, 1);
  });
  it("L6 names a model by its file, not by the path", async () => {
    const conversation = answer([{ kind: "text", text: "Yes." }], "complete", "/home/ann/models/Smol.Q4_1.gguf");
    assert.equal(await markdownOf(conversation), `${head.replace("a-model", "Smol Q4_1")}\nYes.\n`);
  });
  const callId = toolCallId("c");
  check("writes text unchanged", { kind: "text", text: "# One\n\n* two" }, "# One\n\n* two");
  check("writes thinking as a block quote", { kind: "thinking", text: "hm\n\nso" }, "> **Thinking**\n>\n> hm\n>\n> so");
  check(
    "shows a tool call with its input",
    { kind: "toolCall", callId, name: "read", inputJson: '{"a":1}' },
    '**Calls** `read`\n\n```json\n{"a":1}\n```',
  );
  check(
    "uses a longer fence for text that contains fences",
    { kind: "toolResult", callId, outcome: "error", text: "```\n````\n" },
    "**Result** (failed)\n\n`````\n```\n````\n`````",
  );
  check(
    "escapes backticks and newlines in an attachment's name",
    { kind: "attachment", label: "a`b\nc", text: "x" },
    "**Attached** `` a`b c ``\n\n```\nx\n```",
  );
  check(
    "describes an image by its type and size",
    { kind: "image", mediaType: "image/png", dataBase64: "AA==", widthPx: 3, heightPx: 4 },
    "*Picture: image/png, 3 × 4*",
  );

  it("states how an answer ended", async () => {
    const parts: readonly Part[] = [{ kind: "text", text: "half" }];
    const ends = await Promise.all(
      (["complete", "interrupted", "cancelled", "failed"] as const).map((state) => markdownOf(answer(parts, state))),
    );
    assert.deepEqual(
      ends.map((text) => text.slice(head.length)),
      [
        "\nhalf\n",
        "\nhalf\n\n*The answer was interrupted here.*\n",
        "\nhalf\n\n*The answer was stopped here.*\n",
        "\nhalf\n\n*The answer failed here.*\n",
      ],
    );
  });

  it("writes every visible message in full, even if summarized, and counts the hidden ones", async () => {
    const conversation = richConversation();
    const text = await markdownOf(conversation);
    const { history } = conversation.manager;
    const missing = history.entries.filter((entry) => {
      const said = conversation.message(entry.id).parts.flatMap((part) => (part.kind === "text" ? [part.text] : []));
      return said.some((words) => text.includes(words) !== history.isVisible(entry));
    });
    assert.deepEqual(missing, []);
    assert.match(text, /^# A title\n/);
    assert.match(text, /\n---\n\n\*Not shown: 1 message hidden in the chat\.\*\n$/);
  });

  it("gives each role its own heading", async () => {
    const conversation = new TestConversation().play("u1 t1:1 a1");
    const system: Message = { role: "system", parts: [{ kind: "text", text: "be brief" }] };
    conversation.add(system, 1);
    const speakers = (await markdownOf(conversation)).match(/^## .*$/gm);
    assert.deepEqual(speakers, ["## You", "## Assistant", "## Tools", "## Assistant", "## Instructions"]);
  });

  it("reads at most 200 messages at a time and stops at the first read error", async () => {
    const conversation = new TestConversation().play("300*1/1");
    const error = { code: "STORAGE_FAILED", reason: "ioError", detail: "gone" } as const;
    let pages = 0;
    const done = await exportMarkdown(
      runSync(markdownOutline(conversation.manager)),
      (ids) => {
        assert.ok(ids.length <= 200);
        return pages++ < 2 ? contentsOf(conversation)(ids) : Promise.resolve({ ok: false, error });
      },
      () => Promise.resolve(),
    );
    assert.deepEqual([done, pages], [{ ok: false, error }, 3]);
  });

  describe("E:an answer stopped inside a fence ends with its message:", () => {
    /** The text between the head of the message and the note on its end. */
    async function bodyOf(text: string, kind: "text" | "thinking" = "text"): Promise<string> {
      const written = await markdownOf(answer([{ kind, text }], "cancelled"));
      const [begin, end] = [`${head}\n`, "\n\n*The answer was stopped here.*\n"];
      assert.ok(written.startsWith(begin) && written.endsWith(end));
      const headings = marked.lexer(`${written}\n## You\n`).filter(({ type }) => type === "heading");
      assert.deepEqual(headings.at(-1)?.raw.trim(), "## You", "the next message is a heading of the document");
      return written.slice(begin.length, -end.length);
    }
    const closes = (title: string, text: string, closing: string): void => {
      it(title, async () => {
        assert.equal(await bodyOf(text), text + closing);
      });
    };
    closes("a fence", "Look:\n```ts\nconst a = 1;", "\n```");
    closes("a fence that ends with its opening line", "Look:\n```ts", "\n```");
    closes("a longer fence with a shorter one in it", "`````md\n```\nx\n```", "\n`````");
    closes("a fence of tildes with backticks in it", "~~~~\n```\nx", "\n~~~~");
    closes("a fence after a closed one", "```\na\n```\n\n```\nb", "\n```");
    closes("an indented fence", "  ```\n  x", "\n  ```");
    closes("a fence in a list", "1. a\n   ```\n   x", "\n   ```");
    closes("a fence whose end has words behind it", "```\nx\n``` no", "\n```");
    closes("a fence with line ends of Windows", "a\r\n```\r\nb", "\n```");

    const stays = (title: string, text: string): void => {
      it(`${title}: nothing is added`, async () => {
        assert.equal(await bodyOf(text), text);
      });
    };
    stays("a closed fence", "```\nx\n```");
    stays("a fence in a quote, which ends with it", "> ```\n> x");
    stays("backticks in a line", "a ```b\nc");
    stays("a fence in indented code", "    ```\n    x");

    it("thinking, also with line ends of old systems in it", async () => {
      assert.equal(await bodyOf("a\r```\rb", "thinking"), "> **Thinking**\n>\n> a\n> ```\n> b");
    });
  });
});
