import assert from "node:assert/strict";
import { errorOf } from "../../../../src/core/summary/facts/errorLines.ts";
import { wordFactsOf } from "../../../../src/core/summary/facts/words.ts";
import fc from "fast-check";
import type { Message } from "../../../../src/core/message.ts";
import type { FactKind } from "../../../../src/core/summary/facts/fact.ts";
import { extractFacts } from "../../../support/session/extractFacts.ts";
import {
  assistant,
  earlierSummary,
  sourcesOf,
  toolCall,
  toolResult,
  user,
} from "../../../support/session/summarySources.ts";

function factsByKind(messages: readonly Message[]): Partial<Record<FactKind, readonly string[]>> {
  const facts = extractFacts(sourcesOf(messages));
  const kinds = [...new Set(facts.map(({ kind }) => kind))].sort();
  return Object.fromEntries(
    kinds.map((kind) => [kind, facts.filter((fact) => fact.kind === kind).map(({ text }) => text)]),
  );
}

describe("extractFacts", function () {
  this.timeout(20_000);

  describe("in an assistant message", () => {
    const check = (text: string, expected: Partial<Record<FactKind, readonly string[]>>): void => {
      it(text, () => {
        assert.deepEqual(factsByKind([assistant(text)]), expected);
      });
    };
    check("Nothing hard is said here, and/or there.", {});
    check("The loss is $\\frac 1n \\sum$, and \\n ends it.", {});
    check("See src/core/tokens/bpe.ts:12:5 and ./run.sh, then C:\\Temp\\log.txt.", {
      path: ["src/core/tokens/bpe.ts:12:5", "./run.sh", "C:\\Temp\\log.txt"],
    });
    check("Open https://example.com/a/b?c=d&e=f#g, please (http://localhost:8080/x).", {
      url: ["https://example.com/a/b?c=d&e=f#g", "http://localhost:8080/x"],
    });
    check("It calls fetchUser() in UserStore with MAX_RETRIES and user_id.", {
      identifier: ["fetchUser()", "UserStore", "MAX_RETRIES", "user_id"],
    });
    check("The flag is `dryRun`, the table `orders`, see PROJ-1234 and #567.", {
      identifier: ["dryRun", "orders", "PROJ-1234", "#567"],
    });
    check("It took 4,370 ms for 1.5 MB at 99.9%; the retry waits 30 seconds.", {
      quantity: ["4,370 ms", "1.5 MB", "99.9%", "30 seconds"],
    });
    check("The server listens on port 8443 with timeout: 30.", { quantity: ["port 8443", "timeout: 30"] });
    check("Use typescript@6.0.3, v2.1 and ^1.106.0.", { version: ["typescript@6.0.3", "v2.1", "^1.106.0"] });
    check("Commit 3f2a9c1 came on 2026-01-31 and the fix on 12 March 2026.", {
      commit: ["3f2a9c1"],
      date: ["2026-01-31", "12 March 2026"],
    });
    check("Run `npm test -- --grep store` first.", { command: ["npm test -- --grep store"], identifier: ["--grep"] });
    check("It says TypeError: x is not a function", {
      error: ["TypeError: x is not a function"],
      identifier: ["TypeError"],
    });
    check('He said "the old way was better" once.', { quote: ["the old way was better"] });
    check("We decided to keep the queue because order matters.", {
      decision: ["We decided to keep the queue because order matters."],
    });
  });

  it("takes no stack frame for a command", () => {
    const frames = [
      "    at Object.<anonymous> (/app/src/run.js:10:5)",
      "    at async Promise.all (index 0)",
      "    at com.example.orders.Service.load(Service.java:42)",
      "at node:internal/main/run_main_module:28:49",
      '  File "/app/run.py", line 3, in main',
      "from /usr/lib/ruby/run.rb:12:in `load'",
      "#3  0x00007f in main () at /src/run.c:9",
    ];
    const output = ["TypeError: x is not a function", ...frames].join("\n");
    for (const message of [assistant(output), toolResult(output), assistant(`\`\`\`sh\n${output}\n\`\`\``)]) {
      assert.equal(factsByKind([message]).command, undefined);
    }
    assert.deepEqual(factsByKind([assistant("Run `at /etc/jobs/nightly`.")]).command, ["at /etc/jobs/nightly"]);
  });

  it("lists an error once, whatever a log puts before it", () => {
    const forms = [
      "Error: connect ECONNREFUSED 10.0.0.5:5432",
      "2026-01-31T10:00:00.123Z Error: connect ECONNREFUSED 10.0.0.5:5432",
      "✗ Error: connect ECONNREFUSED 10.0.0.5:5432",
      "[10:00:01] ERROR Error: connect ECONNREFUSED 10.0.0.5:5432",
      "Uncaught Error: connect ECONNREFUSED 10.0.0.5:5432",
    ];
    const { error } = factsByKind(forms.map((form) => toolResult(form)));
    assert.deepEqual(error, [forms[0]]);
    const two = ["Error: disk is full", "Error: disk is missing"];
    assert.deepEqual(factsByKind(two.map((form) => toolResult(form))).error, two);
  });

  it("takes nothing from the mark of what was left out", () => {
    assert.deepEqual(factsByKind([assistant("It went on\n… 41200 characters left out …\nfor long.")]), {});
  });

  it("finds directives only in user messages", () => {
    const order = "Always run the linter before you commit.";
    const found = (message: Message): readonly string[] => factsByKind([message]).directive ?? [];
    const messages = [user(order), assistant(order), toolResult(order), toolCall("run", { note: order })];
    assert.deepEqual(messages.map(found), [[order], [], [], []]);
  });

  it("puts the user's messages first, then directives, and sorts others by kind and by speaker", () => {
    const messages = [
      toolResult("see lib/other.ts"),
      assistant("see lib/mine.ts"),
      user("Never touch lib/yours.ts. See lib/ours.ts."),
    ];
    assert.deepEqual(
      extractFacts(sourcesOf(messages)).map(({ kind, text, id }) => [kind, text, id]),
      [
        ["message", "Never touch lib/yours.ts. See lib/ours.ts.", 2],
        ["directive", "Never touch lib/yours.ts.", 2],
        ["path", "lib/yours.ts", 2],
        ["path", "lib/ours.ts", 2],
        ["path", "lib/mine.ts", 1],
        ["path", "lib/other.ts", 0],
        ["remark", "See lib/ours.ts.", 2],
      ],
    );
  });

  it("reads shell listings, tool inputs and tool output", () => {
    const messages = [
      assistant("```sh\n$ git push origin main\nnpm ci\n```\n```ts\nfunction loadAll() { other(); }\n```"),
      toolCall("edit", { path: "src/a/b.ts", text: "x" }),
      toolResult("src/a/c.ts(3,4): error TS2307: Cannot find module 'q'.\nTests: 14 passed", "error"),
    ];
    assert.deepEqual(factsByKind(messages), {
      command: ["git push origin main", "npm ci"],
      error: ["error TS2307: Cannot find module 'q'."],
      identifier: ["loadAll", "TS2307"],
      path: ["src/a/b.ts", "src/a/c.ts"],
      quantity: ["14 passed", "Tests: 14"],
    });
  });

  it("has room for other facts beside the first and the newest of thousands of messages", () => {
    const messages = Array.from({ length: 4_200 }, (_, index) => user(`Go on with part ${index}.`));
    const facts = extractFacts(sourcesOf([...messages, assistant("It calls readRows() in src/io/rows.ts.")]));
    const said = facts.flatMap(({ kind, text }) => (kind === "message" ? [text] : []));
    assert.deepEqual(
      [said.length, said[0], said[1], said.at(-1)],
      [1_000, "Go on with part 0.", "Go on with part 3201.", "Go on with part 4199."],
    );
    assert.ok(facts.some(({ kind, text }) => kind === "path" && text === "src/io/rows.ts"));
  });

  it("takes reports of errors from output, not lines that only speak of errors", () => {
    const output = [
      "fatal: not a git repository",
      "21:35  error  'Edge' is defined but never used",
      "RuntimeError: no event loop",
      "panic: index out of range",
      "2 passed, 3 failed",
      "15 tests, 0 failures",
      "0 errors, 0 warnings",
      '+     log "ERROR" "the service is missing"',
      "214→      {:error, _} ->",
      "attr :anchors, :list, default: []",
      "errors = load_errors(session)",
      'print(f"Build failed: {e}")',
      'assert html =~ "Subagent not found"',
      'test "returns error for invalid project id" do',
      "29d0b84 fix: remove invalid page option",
      "requests.post(url, timeout=5)",
    ];
    const errors = output.flatMap((line) => errorOf(line) ?? []);
    assert.deepEqual(errors, [
      "fatal: not a git repository",
      "21:35  error  'Edge' is defined but never used",
      "RuntimeError: no event loop",
      "panic: index out of range",
      "2 passed, 3 failed",
    ]);
  });

  it("puts commands that only look, and quotation marks in output, below what was done", () => {
    const commands = [
      "npm test -- --grep store",
      "git commit -m 'Fix it'",
      "sed -i s/a/b/ src/a.ts",
      "echo 'export {};' > src/b.ts",
      "find . -name '*.tmp' -delete",
      "git branch release",
      "cd lib && ls -la 2>/dev/null | head -5",
      "git -C lib log --oneline",
      "grep -n 'x' src/a.ts; sed -n 1,20p src/a.ts",
    ];
    const facts = extractFacts(
      sourcesOf([
        ...commands.map((command) => toolCall("shell", { command })),
        toolResult('The title reads "Show all sessions" now.'),
      ]),
    );
    const of = (wanted: FactKind): readonly (readonly [string, boolean])[] =>
      facts.flatMap(({ kind, text, isCommonplace }) => (kind === wanted ? [[text, isCommonplace !== true]] : []));
    assert.deepEqual(
      of("command"),
      commands.map((command, index) => [command, index < 6]),
    );
    assert.deepEqual(of("quote"), [["Show all sessions", false]]);
  });

  it("takes no closing tags, line numbers or escapes for paths", () => {
    const text = "<table><tr></tr></table> 936-/ $/ \\n- src/a.ts /etc/hosts C:\\new\\a.txt";
    const words = wordFactsOf(text).filter(({ kind }) => kind === "path");
    assert.deepEqual(
      words.map((word) => word.text),
      ["src/a.ts", "/etc/hosts", "C:\\new\\a.txt"],
    );
  });

  it("adopts the ledger of an earlier summary, including its directives", () => {
    const content = [
      "## Goal\nShip it.",
      "## User directives (word for word)\n- Answer in French, always.",
      "## Facts kept word for word\n- Error: E1: no such table\n- Paths: src/x.ts · src/y.ts\n- Figures: 12 ms",
    ].join("\n");
    assert.deepEqual(factsByKind([earlierSummary(content)]), {
      directive: ["Answer in French, always."],
      error: ["E1: no such table"],
      path: ["src/x.ts", "src/y.ts"],
      quantity: ["12 ms"],
    });
  });

  it("marks facts in repetitive rows as commonplace, but not those in outlier lines", () => {
    const rows = Array.from({ length: 12 }, (_, i) => `src/api/mod_${i}/handler_${i}.ts`);
    rows.splice(7, 0, "queue drained by drainOrders after 4,310 rows, see orders/late.csv");
    const facts = extractFacts(sourcesOf([toolResult(rows.join("\n"))]));
    assert.deepEqual(
      facts.filter(({ isCommonplace }) => isCommonplace !== true).map(({ kind, text }) => [kind, text]),
      [
        ["path", "orders/late.csv"],
        ["identifier", "drainOrders"],
        ["quantity", "4,310 rows"],
      ],
    );
    assert.equal(facts.length, 15);
  });

  it("ignores unverified details of an earlier summary and preserves the rank of its facts", () => {
    const content = [
      "## Findings",
      "- the limit was raised to 9,999 [unverified] requests in src/made/up.ts [unverified]",
      "- the limit lives in src/real.ts",
      "## Facts kept word for word",
      "- Names: first_one · second_one",
      "## Also mentioned",
      "- Names: in_a_listing",
    ].join("\n");
    assert.deepEqual(
      extractFacts(sourcesOf([earlierSummary(content)])).map(({ text, isCommonplace }) => [
        text,
        isCommonplace === true,
      ]),
      [
        ["first_one", false],
        ["second_one", false],
        ["src/real.ts", false],
        ["in_a_listing", true],
      ],
    );
  });

  it("never returns a secret", () => {
    const messages = [user("Always use sk-ant-api03-aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0fG as the key in conf/app.json.")];
    assert.ok(!JSON.stringify(factsByKind(messages)).includes("sk-ant"));
    assert.deepEqual(factsByKind(messages).path, ["conf/app.json"]);
  });

  it("finds only verbatim parts of arbitrary text", () => {
    const pieces = [
      "src/a.ts",
      "`",
      "```",
      "\n",
      "Error: ",
      '"',
      "12 ms ",
      "never ",
      "((",
      "[x]",
      "://",
      "a_b",
      "- ",
      "日本",
      "\ud800",
      " ",
      ". ",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), (parts) => {
        const text = parts.join("");
        for (const fact of extractFacts(sourcesOf([user(text), toolResult(text)]))) {
          assert.ok(text.includes(fact.text), JSON.stringify(fact));
        }
      }),
      { seed: 4, numRuns: 1500 },
    );
  });

  it("stays within its time limit for hostile text", function () {
    this.timeout(30_000);
    const hostile = [
      "a",
      "a/",
      "a_",
      "aB",
      "1.",
      "1 ",
      "a.b",
      "`a ",
      '"a b c',
      "Error",
      "http://",
      "(a",
      "@",
      "-",
      "never ",
      "x:1 ",
    ];
    for (const piece of hostile) {
      const before = process.cpuUsage();
      extractFacts(sourcesOf([user(piece.repeat(Math.ceil(48_000 / piece.length)))]));
      const cpu = process.cpuUsage(before);
      assert.ok((cpu.user + cpu.system) / 1000 < 1500, `${piece}: ${(cpu.user + cpu.system) / 1000} ms`);
    }
  });
});
