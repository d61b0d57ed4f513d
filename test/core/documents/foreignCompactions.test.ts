import assert from "node:assert/strict";
import fc from "fast-check";
import type { Summary } from "../../../src/core/history/summaries/summary.ts";
import { messageId, summaryId } from "../../../src/core/ids.ts";
import { partlyOverlaps } from "../../../src/core/history/summaries/summaryForest.ts";
import { searchText } from "../../../src/core/search/searchText.ts";
import { lines, read } from "../../support/foreignConversations.ts";

/** One token a character, so that a summary is as long as it looks. */
const imported = (text: string) =>
  read(text, (message) => {
    const { length } = searchText(message);
    return { cl100k: length, o200k: length };
  });

const LONG = "a long text of one that speaks. ";
const SHORT = "Done so far";

describe("§5 compactions of other tools become summaries:", () => {
  const AT = "2026-05-04T10:00:00.000Z";
  const atMs = Date.parse(AT);

  const claude = (id: number, parent: number | null, content: string, more: object = {}) => {
    const type = id % 2 === 1 ? "user" : "assistant";
    const message = { role: type, content, ...(type === "user" ? {} : { id: `m${id}` }) };
    const parentUuid = parent === null ? null : String(parent);
    return { type, uuid: String(id), parentUuid, sessionId: "s", timestamp: AT, message, ...more };
  };
  const boundary = (id: number, logical: number, compactMetadata: object = {}) => {
    const place = { uuid: String(id), parentUuid: null, logicalParentUuid: String(logical), sessionId: "s" };
    return {
      type: "system",
      subtype: "compact_boundary",
      content: "Conversation compacted",
      compactMetadata,
      ...place,
    };
  };
  const compacted = (id: number, parent: number, content = SHORT) =>
    claude(id, parent, content, { isCompactSummary: true, isVisibleInTranscriptOnly: true });
  const BEGUN = [claude(1, null, LONG), claude(2, 1, LONG), claude(3, 2, LONG), claude(4, 3, LONG)];
  const kept = (headUuid: string, tailUuid: string, anchorUuid: string) => ({
    preservedSegment: { headUuid, tailUuid, anchorUuid },
    preservedMessages: { anchorUuid, uuids: [headUuid, tailUuid] },
  });

  const record = (type: string, payload: object) => ({ timestamp: AT, type, payload });
  const codexSaid = (role: string, text: string) =>
    record("response_item", { type: "message", role, content: [{ type: "input_text", text }] });
  const META = record("session_meta", { id: "s", timestamp: AT, cwd: "/shop" });

  const roo = (role: string, content: unknown, more: object = {}) => ({ role, content, ts: atMs, ...more });
  const of = (condenseParent: string) => ({ condenseParent });
  const condensed = (condenseId: string, more: object = {}) => ({ isSummary: true, condenseId, ...more });

  const gemini = (id: string, type: string, content: string) => ({ id, timestamp: AT, type, content });
  const GEMINI = [
    { sessionId: "s", projectHash: "h", startTime: AT, lastUpdated: AT },
    gemini("1", "user", LONG),
    gemini("2", "gemini", LONG),
    gemini("3", "user", LONG),
    gemini("4", "gemini", LONG),
  ];
  const SNAPSHOT = "<state_snapshot>Done</state_snapshot>";

  let events = 0;
  const copilot = (type: string, data: object) => ({ type, data, id: `e${++events}`, timestamp: AT });
  const asks = (content: string) => copilot("user.message", { content, attachments: [] });
  const says = (content: string) =>
    copilot("assistant.message", { messageId: `m${events}`, content, toolRequests: [] });

  const open = (id: string, role: string, parts: readonly object[], more: object = {}) => ({
    info: { id, sessionID: "ses_1", role, time: { created: atMs }, ...more },
    parts,
  });
  const words = (text: string) => [{ type: "text", text }];
  const opencode = (...messages: readonly object[]) =>
    JSON.stringify({ info: { id: "ses_1", title: "The failure", directory: "/shop" }, messages });

  const goes = (...history: readonly object[]) =>
    JSON.stringify({ sessionId: "s", title: "Tides", workspaceDirectory: "/shop", history });
  const step = (role: string, content: string, more: object = {}) => ({ message: { role, content }, ...more });

  const hands = (id: number, source: string, more: object) => ({ id, timestamp: AT, source, ...more });
  const message = (id: number, source: string, content: string) =>
    hands(id, source, { action: "message", args: { content } });
  const condensation = (id: number, args: object) => hands(id, "agent", { action: "condensation", args });
  const HANDS = [message(1, "user", LONG), ...[2, 3, 4, 5].map((id) => message(id, "agent", LONG))];
  const sdk = (kind: string, id: string, more: object) => ({ kind, id, timestamp: AT, source: "user", ...more });
  const sdkSaid = (id: string) => sdk("MessageEvent", id, { llm_message: { role: "user", content: LONG } });

  const cases: readonly (readonly [
    name: string,
    text: string,
    summaries: readonly string[],
    parents: readonly number[],
    others?: readonly string[],
  ])[] = [
    [
      "Claude Code: all before it; a second one of the first, too",
      lines(
        ...BEGUN,
        boundary(10, 4),
        compacted(11, 10),
        claude(12, 11, LONG),
        boundary(20, 12),
        compacted(21, 20, "Done since"),
        claude(22, 21, "So."),
      ),
      ["0 to 3, level 1: Done so far", "0 to 4, level 2: Done since"],
      [-1, 0, 1, 2, 3, 4],
    ],
    [
      "Claude Code: not what it kept, which follows",
      lines(...BEGUN, boundary(10, 4, kept("3", "4", "11")), compacted(11, 10), claude(12, 11, "So.")),
      ["0 to 1, level 1: Done so far"],
      [-1, 0, 1, 2, 3],
    ],
    [
      "Claude Code: one that follows what it kept is a message",
      lines(...BEGUN, boundary(10, 4, kept("1", "2", "10")), compacted(11, 2), claude(12, 11, "So.")),
      [],
      [-1, 0, 1, 2, 1, 4],
      [SHORT],
    ],
    [
      "Claude Code: from a message on",
      lines(...BEGUN, boundary(10, 4, kept("1", "2", "10")), compacted(11, 10), claude(12, 11, "So.")),
      ["2 to 3, level 1: Done so far"],
      [-1, 0, 1, 2, 3],
    ],
    [
      "Claude Code: of a branch that is not shown",
      lines(
        ...BEGUN,
        boundary(10, 4),
        compacted(11, 10),
        claude(12, 11, "So."),
        claude(13, 2, LONG),
        claude(14, 13, LONG),
        boundary(20, 14),
        compacted(21, 20, "Done there"),
      ),
      ["0 to 3, level 1, not in use: Done so far", "0 to 6, level 1: Done there"],
      [-1, 0, 1, 2, 3, 1, 5],
    ],
    [
      "Claude Code: of a sub-agent's own messages",
      lines(
        ...BEGUN,
        claude(31, null, LONG, { isSidechain: true }),
        claude(32, 31, LONG, { isSidechain: true }),
        { ...compacted(33, 32), isSidechain: true },
        claude(34, 33, "There.", { isSidechain: true }),
        claude(5, 4, "So?"),
      ),
      ["4 to 5, level 1, not in use: Done so far"],
      [-1, 0, 1, 2, 3, 4, 5, 3],
    ],
    [
      "Claude Code: one longer than what it stands for is a message",
      lines(...BEGUN, boundary(10, 4), compacted(11, 10, LONG.repeat(9)), claude(12, 11, "So.")),
      [],
      [-1, 0, 1, 2, 3, 4],
      [LONG.repeat(9)],
    ],
    ["Claude Code: one of another file is a message", lines(compacted(1, 0), claude(2, 1, LONG)), [], [-1, 0], [SHORT]],
    [
      "Codex: all before it, but a turn that was rolled back",
      lines(
        META,
        codexSaid("user", LONG),
        codexSaid("assistant", LONG),
        codexSaid("user", "Not so"),
        codexSaid("assistant", "No."),
        record("event_msg", { type: "thread_rolled_back", num_turns: 1 }),
        record("compacted", { message: SHORT, replacement_history: [] }),
        codexSaid("user", "And?"),
      ),
      ["0 to 1, level 1: Done so far"],
      [-1, 0, 1, 2, 1],
    ],
    [
      "Codex: one that only the service can read is a message",
      lines(META, codexSaid("user", LONG), codexSaid("assistant", LONG), record("compacted", { message: "" })),
      [],
      [-1, 0, 1],
      ["[A summary that only the service can read]"],
    ],
    [
      "Roo Code: the messages that name it, and those of a summary among them",
      JSON.stringify([
        roo("user", "Do it."),
        roo("assistant", LONG, of("a")),
        roo("user", LONG, of("a")),
        roo("assistant", [{ type: "reasoning", text: "Condensing." }, ...words(SHORT)], condensed("a", of("b"))),
        roo("user", LONG, of("b")),
        roo("user", "Done since", condensed("b")),
        roo("assistant", "So."),
      ]),
      ["1 to 2, level 1: Done so far", "1 to 4, level 2: Done since"],
      [-1, 0, 1, 2, 3, 4],
    ],
    [
      "Roo Code: one that no message names is a message",
      JSON.stringify([roo("user", LONG), roo("assistant", LONG), roo("assistant", SHORT, condensed("a"))]),
      [],
      [-1, 0, 1],
      [SHORT],
    ],
    [
      "Gemini CLI: all before it",
      lines(...GEMINI, { $set: { messages: [gemini("7", "user", SNAPSHOT)] } }, gemini("8", "gemini", "So.")),
      [`0 to 3, level 1: ${SNAPSHOT}`],
      [-1, 0, 1, 2, 3],
    ],
    [
      "Gemini CLI: not what is kept after it",
      lines(...GEMINI, { $set: { messages: [gemini("7", "user", SNAPSHOT), GEMINI[3], GEMINI[4]] } }),
      [`0 to 1, level 1: ${SNAPSHOT}`],
      [-1, 0, 1, 2],
    ],
    [
      "Copilot CLI: all before it was begun",
      lines(
        copilot("session.start", { sessionId: "s", selectedModel: "gpt-5" }),
        asks(LONG),
        says(LONG),
        copilot("session.compaction_start", {}),
        asks("Meanwhile"),
        copilot("session.compaction_complete", { success: true, summaryContent: SHORT }),
        says("So."),
      ),
      ["0 to 1, level 1: Done so far"],
      [-1, 0, 1, 2],
    ],
    [
      "Copilot CLI: the summary of a session elsewhere is a message",
      lines(
        copilot("session.start", { sessionId: "s", selectedModel: "gpt-5" }),
        asks(LONG),
        says(LONG),
        copilot("session.handoff", { summary: SHORT }),
      ),
      [],
      [-1, 0, 1],
      [SHORT],
    ],
    [
      "opencode: all before it; what the model thought stays",
      opencode(
        open("m1", "user", words(LONG)),
        open("m2", "assistant", words(LONG)),
        open("m3", "user", [{ type: "compaction", auto: true }]),
        open("m4", "assistant", [{ type: "reasoning", text: "Hm." }, ...words(SHORT)], { summary: true }),
        open("m5", "user", words("Go on")),
      ),
      ["0 to 2, level 1: Done so far"],
      [-1, 0, 1, 2],
    ],
    [
      "opencode: up to the messages that it kept",
      opencode(
        open("m1", "user", words(LONG)),
        open("m2", "assistant", words(LONG)),
        open("m3", "user", words(LONG)),
        open("m4", "user", [{ type: "compaction", auto: true, tail_start_id: "m3" }]),
        open("m5", "assistant", words(SHORT), { summary: true }),
      ),
      ["0 to 1, level 1: Done so far"],
      [-1, 0, 1],
    ],
    [
      "opencode: one that failed is a message",
      opencode(
        open("m1", "user", words(LONG)),
        open("m2", "assistant", words(LONG)),
        open("m3", "user", [{ type: "compaction", auto: true }]),
        open("m4", "assistant", words(SHORT), { summary: true, error: { name: "APIError" } }),
      ),
      [],
      [-1, 0, 1],
      [SHORT],
    ],
    [
      "Continue: all up to its item, with the results of that",
      goes(
        step("user", LONG),
        step("assistant", LONG, {
          conversationSummary: SHORT,
          toolCallStates: [
            {
              toolCallId: "c",
              toolCall: { id: "c", function: { name: "ls", arguments: "{}" } },
              status: "done",
              output: [{ content: "a b" }],
            },
          ],
        }),
        step("user", "And back"),
      ),
      ["0 to 2, level 1: Done so far"],
      [-1, 0, 1, 2],
    ],
    [
      "OpenHands: what was forgotten; a second one of the first, too",
      JSON.stringify([
        ...HANDS.slice(0, 4),
        condensation(6, { forgotten_event_ids: [2, 3], summary: SHORT }),
        ...HANDS.slice(4),
        condensation(7, { forgotten_events_start_id: 4, forgotten_events_end_id: 4, summary: "Done since" }),
        message(8, "agent", "So."),
      ]),
      ["1 to 2, level 1: Done so far", "1 to 3, level 2: Done since"],
      [-1, 0, 1, 2, 3, 4],
    ],
    [
      "OpenHands: one that does not say what was forgotten is a message",
      JSON.stringify([...HANDS, condensation(6, { summary: SHORT })]),
      [],
      [-1, 0, 1, 2, 3, 4],
      [SHORT],
    ],
    [
      "OpenHands' agent SDK: what was forgotten; a second one of the first, too",
      JSON.stringify([
        ...["1", "2", "3", "4"].map(sdkSaid),
        sdk("Condensation", "5", { forgotten_event_ids: ["2", "3"], summary: SHORT }),
        sdk("CondensationSummaryEvent", "6", { summary: SHORT }),
        sdkSaid("7"),
        sdk("Condensation", "8", { forgotten_event_ids: ["4"], summary: "Done since" }),
      ]),
      ["1 to 2, level 1: Done so far", "1 to 3, level 2: Done since"],
      [-1, 0, 1, 2, 3],
    ],
  ];
  for (const [name, text, summaries, parents, others = []] of cases) {
    it(name, () => {
      const found = imported(text);
      const asMessages = found.short.flatMap((parts) =>
        parts.flatMap((part) => (part.startsWith("attachment summary: ") ? [part.slice(20)] : [])),
      );
      assert.deepEqual([found.summaries, found.parents, asMessages], [summaries, parents, others]);
    });
  }

  it("each is a record as Forge makes them, by its tool", () => {
    const { history } = imported(lines(...BEGUN, boundary(10, 4), compacted(11, 10)));
    const expected: Omit<Summary, "sourceHash"> = {
      id: summaryId(0),
      covers: { start: messageId(0), end: messageId(4) },
      level: 1,
      kind: "conversation",
      content: SHORT,
      tokenCount: { cl100k: SHORT.length, o200k: SHORT.length },
      originalTokens: { cl100k: 4 * LONG.length, o200k: 4 * LONG.length },
      createdAtMs: atMs,
      generatedBy: "tool:Claude Code",
      factsKept: 0,
      factsTotal: 0,
      state: "active",
    };
    assert.deepEqual(history.summaries, [{ ...expected, sourceHash: history.sourceHash(expected.covers) }]);
  });

  it("what they cost is there with them", () => {
    const tokens = { input: 40, output: 5, reasoning: 0, cache: { read: 0, write: 0 } };
    const { records } = imported(
      opencode(
        open("m1", "user", words(LONG)),
        open("m2", "assistant", words(LONG)),
        open("m3", "assistant", words(SHORT), { summary: true, tokens }),
      ),
    );
    const usages = records.flatMap((each) => (each.kind === "usage" ? [[each.message, each.inputTokens]] : []));
    assert.deepEqual(usages, [[2, 40]]);
  });

  it("of any tree: each text is there once, as a message or a summary, and those of what is shown are in use", () => {
    const line = fc.record({ up: fc.nat(6), isCompaction: fc.boolean(), length: fc.nat(9), isAside: fc.boolean() });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 30 }), (made) => {
        const nodes = made.map(({ up, isCompaction, length, isAside }, index) => {
          const parent = index - up < 1 ? null : index - up;
          const content = `<${index}> ${"x".repeat(length)}`;
          const message = { role: "user", content };
          const more = {
            ...(isCompaction ? { isCompactSummary: true } : {}),
            ...(isAside ? { isSidechain: true } : {}),
          };
          const parentUuid = parent === null ? null : String(parent);
          return { type: "user", uuid: String(index + 1), parentUuid, sessionId: "s", message, ...more };
        });
        const { history, messages, parents } = imported(lines(...nodes));
        const texts = [
          ...messages.map((each) => searchText(each.message)),
          ...history.summaries.map((each) => each.content),
        ];
        const found = texts.flatMap((text) => [...text.matchAll(/<(\d+)>/g)].map(([, number]) => Number(number)));
        assert.deepEqual(
          found.toSorted((one, other) => one - other),
          nodes.map((_, index) => index),
        );
        const isShown = ({ covers }: Summary): boolean => {
          const way = new Set<number>();
          for (let at = covers.end - 1; at >= covers.start; at = parents[at] ?? -1) way.add(at);
          return history.entries
            .slice(covers.start, covers.end)
            .every((entry) => history.isVisible(entry) === way.has(entry.id));
        };
        for (const summary of history.summaries) {
          const { id, covers, tokenCount, originalTokens } = summary;
          assert.ok(tokenCount.cl100k < originalTokens.cl100k);
          const newer = history.summaries.slice(id + 1).filter((other) => partlyOverlaps(other.covers, covers));
          assert.equal(history.isUsable(id), isShown(summary) && !newer.some(isShown));
        }
      }),
      { numRuns: 300, seed: 20_261_129 },
    );
  });
});
