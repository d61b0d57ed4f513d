import assert from "node:assert/strict";
import { recalledText } from "../../../../src/core/context/recalled/recalledText.ts";
import { recallForQuestion } from "../../../../src/core/context/recalled/recallForQuestion.ts";
import type { StorageFailed } from "../../../../src/core/errors.ts";
import { FullHistory } from "../../../../src/core/history/fullHistory.ts";
import { TokenCosts } from "../../../../src/core/context/tokenCosts.ts";
import { messageId, modelId, toolCallId } from "../../../../src/core/ids.ts";
import { textMessage, type Message } from "../../../../src/core/message.ts";
import { err } from "../../../../src/core/result.ts";
import { testTokenCounter } from "../../../support/models/tokenCounter.ts";
import { MemoryStore, memoryDisk } from "../../../support/storage/memoryStore.ts";
import { messageRecord } from "../../../support/storage/storeBuilders.ts";

/** Messages that are not sent any more, among talk that names nothing. */
const OLD: readonly (string | Message)[] = [
  "The tide gauge at the north pier is SK-41.",
  "We keep the retry budget at seven, since the queue drains slowly.",
  "src/db/pool.ts opens twelve connections.",
  "It failed with E_CONN_RESET after the firewall was changed.",
  "Wir haben die Verbindungen zum Lager am Dienstag getrennt, weil sie zu alt waren.",
  "パスワードの期限は九十日です。",
  {
    role: "user",
    parts: [{ kind: "toolResult", callId: toolCallId("c"), outcome: "ok", text: "port = 5871\nmode = strict" }],
  },
  `The list: ${"item, ".repeat(300)}and then the harbour master, Ilse Brandt, said no. ${"item, ".repeat(300)}`,
  "My key is sk-ant-api03-ZZ9xQ7fLw2Kp0dVt4uNs8Yb6Rm1Hc3Jg5Ea7Td9Wq2Pk4Xs6Vn8Lz0Bf1Gy3Ui5Oo7Ae9-Kq2WbwAA, for the gateway account.",
];
const CHATTER = [
  "Fine, go on.",
  "Done.",
  "That reads well.",
  "Next I look at the rest.",
  "Thanks, that is all for now.",
];
/** A way of speaking, each time with another name. */
const USUAL = Array.from({ length: 9 }, (_, at) => `The customer of ward ${at + 20} insists on the contract clause.`);
const SUMMARY = "Findings:\n- the ferry leaves from the south pier · crane load: 40 t";

interface Asked {
  /** Changes the history after it is stored. */
  readonly change?: (history: FullHistory) => void;
  readonly isHidden?: (id: number) => boolean;
  readonly known?: "all";
  readonly failing?: "search" | "read";
  readonly searched?: (query: string) => void;
}

/** Numbers of the old messages that are recalled, the best first. */
async function recalled(question: string | Message, options: Asked = {}): Promise<readonly string[]> {
  const texts = [...OLD, ...USUAL, ...Array.from({ length: 300 }, (_, at) => CHATTER[at % CHATTER.length] ?? "")];
  const newest = ["The east pier is closed today.", "The quota of Anna Berg is 12."];
  const records = [...texts, ...newest].map((text, at) => {
    const record = messageRecord(at, typeof text === "string" ? text : "");
    return typeof text === "string" ? record : { ...record, message: text };
  });
  const history = new FullHistory();
  for (const record of records) history.apply(record);
  options.change?.(history);
  const store = new MemoryStore(memoryDisk(records));
  const failure = err<StorageFailed>({ code: "STORAGE_FAILED", reason: "ioError", detail: "" });
  const ids = records.map(({ entry: { id } }) => id);
  const sent = {
    history,
    known: { ids: options.known === "all" ? ids : ids.slice(-newest.length), texts: [SUMMARY] },
    recalled: [],
    isHidden: options.isHidden ?? (() => false),
    costs: new TokenCosts(modelId("small")),
    mostTokens: 1_000,
  };
  const passages = await recallForQuestion(
    typeof question === "string" ? textMessage("user", question) : question,
    sent,
    {
      counter: { count: (message) => Promise.resolve(testTokenCounter().countMessage(message)) },
      store: {
        searchRanked: (query, ranked) => {
          options.searched?.(query);
          return options.failing === "search" ? Promise.resolve(failure) : store.searchRanked(query, ranked);
        },
        readMessages: (read) => (options.failing === "read" ? Promise.resolve(failure) : store.readMessages(read)),
      },
    },
  );
  return passages.map((passage) => {
    const record = records[passage.id];
    assert.ok(record !== undefined);
    return (recalledText(passage, record.entry, record.message) ?? "").replace(/^.*\n/, "");
  });
}

describe("what is recalled for a question", () => {
  const finds = (what: string, question: string, ...expected: readonly string[]): void => {
    it(`is ${what}`, async () => {
      assert.deepEqual(await recalled(question), expected);
    });
  };
  const gauge = "> The tide gauge at the north pier is SK-41.";
  const retries = "> We keep the retry budget at seven, since the queue drains slowly.";
  const pool = "> src/db/pool.ts opens twelve connections.";
  const reset = "> It failed with E_CONN_RESET after the firewall was changed.";

  finds("what an identifier names", "What is SK-41?", gauge);
  finds("what a path names", "look at src/db/pool.ts again", pool);
  finds("what an error names", "E_CONN_RESET is back", reset);
  finds("what an error names in other letters", "conn reset again?", reset);
  finds("what is quoted", 'what did "tide gauge" mean?', gauge);
  finds("what two words name together", "How high is the retry budget?", retries);
  finds("what a word names in any form", "Which gauges do we have?", gauge);
  finds(
    "what a German word names in any form",
    "Warum ist die Verbindung zum Lager weg?",
    "> Wir haben die Verbindungen zum Lager am Dienstag getrennt, weil sie zu alt waren.",
  );
  finds("what a script without spaces names", "パスワードの期限は？", "> パスワードの期限は九十日です。");
  finds(
    "what it names beside what is said again and again",
    "The customer of ward 77 insists on the contract clause. What is SK-41?",
    gauge,
  );
  finds("what a tool returned", "is the port still 5871?", "> port = 5871\n> mode = strict");

  it("is not sought by what has no words, which would read every message", async () => {
    const [usual, code, marks] = ["The customer of ward 77 insists on the contract clause.", "Is it SK-41?", '"""'];
    const queries: string[] = [];
    const searched = (query: string): void => void queries.push(query);
    assert.deepEqual(await recalled([usual, marks, code].join("\n"), { searched }), [gauge]);
    assert.deepEqual(queries, [[usual, marks, code].join("\n"), usual, code, code]);
    queries.length = 0;
    assert.deepEqual(await recalled([usual, marks].join("\n"), { searched }), []);
    assert.ok(!queries.includes(marks), queries.join(" | "));
  });

  it("is the passage of a long message", async () => {
    const [passage = "", ...others] = await recalled("What did Ilse Brandt say?");
    assert.deepEqual(others, []);
    assert.match(passage, /^> … .*the harbour master, Ilse Brandt, said no\. .* …$/);
    assert.ok(passage.length > 500 && passage.length <= 920, String(passage.length));
  });

  const nothing: readonly (readonly [what: string, question: string, options?: Asked])[] = [
    ["a word to go on", "continue"],
    ["words that name nothing", "Yes, do it all again, please."],
    ["thanks", "Thanks, that reads well."],
    ["what nobody has said", "What is the boiling point of xenon?"],
    ["what a newest message says", "Is the east pier closed?"],
    ["a name that a newest message has", "What is the quota of Anna Berg?"],
    ["what a line of a summary says", "Where does the ferry leave from?"],
    ["an item of a line of a summary", "crane load?"],
    ["what is said again and again", "The customer of ward 77 insists on the contract clause."],
    ["several such sentences", "The customer insists on the clause.\nIt is the contract clause of the ward."],
    ["a long text", `About SK-41. ${"It is what it is, as it was before. ".repeat(40)}`],
    ["a block of code", "```ts\nimport { pool } from 'src/db/pool.ts';\n// E_CONN_RESET\n```"],
    [
      "lines of code without a fence",
      "const pool = open('src/db/pool.ts');\nif (pool.E_CONN_RESET) {\n  retry();\n}\nreturn [pool];",
    ],
    ["what is sent as it is", "What is SK-41?", { known: "all" }],
    ["what is hidden", "What is SK-41?", { isHidden: (id) => id === 0 }],
    ["a passage with a secret", "Which key has the gateway account?"],
    ["a search that fails", "What is SK-41?", { failing: "search" }],
    ["messages that cannot be read", "What is SK-41?", { failing: "read" }],
  ];
  for (const [what, question, options] of nothing) {
    it(`is nothing for ${what}`, async () => {
      assert.deepEqual(await recalled(question, options), []);
    });
  }

  it("is nothing for a picture alone, and no search where everything is sent", async () => {
    const picture: Message = { role: "user", parts: [{ kind: "image", mediaType: "image/png", dataBase64: "" }] };
    assert.deepEqual(await recalled(picture, { failing: "search" }), []);
  });

  it("is nothing of a message that was erased", async () => {
    const erase = (history: FullHistory): void => {
      const entry = { ...history.entry(messageId(0)), erasedAtMs: 1 };
      history.apply({ kind: "erasure", entries: [entry], atMs: 1 });
    };
    assert.deepEqual(await recalled("What is SK-41?", { change: erase }), []);
  });
});
