import assert from "node:assert/strict";
import { ok } from "../../../src/core/result.ts";
import type { Tool } from "../../../src/core/tools/tool.ts";
import { PendingAttachments } from "../../../src/host/mentions/pendingAttachments.ts";
import { give, withQuestions } from "../../support/editor/fakeQuestions.ts";

const cases = [
  { name: "is added when the user agrees", answer: "Add It", added: ["Problems", "secret"] },
  { name: "is not added when the user declines", answer: undefined, added: "" },
];

describe("content that may hold secrets", () => {
  for (const { name, answer, added } of cases)
    it(`${name}; a message sent meanwhile waits for the answer`, async () => {
      const { mentionContent } = await withQuestions(() => import("../../../src/host/mentions/mentionContent.ts"));
      const tool: unknown = {
        definition: { name: "get_problems" },
        describe: () => Promise.resolve(ok({ title: "Read it", detail: "", mustAsk: true })),
        run: () => Promise.resolve({ outcome: "ok", text: "secret" }),
      };
      const mention = { kind: "problems", label: "problems", description: "" } as const;
      const [being, told] = [new PendingAttachments(), new Array<unknown>()];
      const adding = being.add(async (asks) => {
        const cancel = new AbortController().signal;
        const read = await mentionContent(mention, { tools: [tool as Tool], cancel, asks });
        const [part] = read.ok ? read.value : [];
        told.push(part?.kind === "attachment" ? [part.label, part.text] : read.ok || read.error);
      });
      const sent = being.settled(1).then(() => told.push("sent"));
      await new Promise((resolve) => setTimeout(resolve, 30));
      await give("Read it?", answer);
      await Promise.all([adding, sent]);
      assert.deepEqual(told, [added, "sent"]);
    });
});
