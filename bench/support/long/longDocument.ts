/** A conversation as Forge exports it: turns of a question, a tool call, its result, and an answer. Deterministic. */

const WORDS =
  "the parser reads a token and keeps the place of each line so that a fault names where it was found in src/parse/reader.ts".split(
    " ",
  );
const QUESTION_WORDS = 30;
const RESULT_WORDS = 350;
const ANSWER_WORDS = 110;
const MESSAGES_PER_TURN = 4;
const TURNS_PER_PIECE = 250;
/** Recounted by the import. */
const TOKENS = { cl100k: 1, o200k: 1 };

/** The document in pieces. */
export function* longDocument(messages: number): Generator<string, void> {
  yield '{"version":1,"messages":[';
  for (let first = 0; first < messages; first += MESSAGES_PER_TURN * TURNS_PER_PIECE) {
    const rows: string[] = [];
    for (let turn = 0; turn < TURNS_PER_PIECE; turn++) {
      const start = first + turn * MESSAGES_PER_TURN;
      if (start < messages) rows.push(...turnFrom(start).map((message) => JSON.stringify(message)));
    }
    yield (first === 0 ? "" : ",") + rows.join(",\n");
  }
  yield '],"summaries":[],"receipts":[],"pins":[],"hidden":[],"settings":[]}';
}

function turnFrom(start: number): readonly object[] {
  const common = { turn: start, state: "complete", createdAtMs: 1_700_000_000_000 + start, tokens: TOKENS };
  const callId = `call_${start}`;
  const inputJson = JSON.stringify({ path: `src/module${start % 997}/part${start % 31}.ts` });
  const [call, result, answer] = [start + 1, start + 2, start + 3];
  const answered = { role: "assistant", ...common, model: "claude-haiku-4-5" };
  return [
    { id: start, role: "user", ...common, parts: [text(start, QUESTION_WORDS)] },
    { id: call, batch: call, ...answered, parts: [{ kind: "toolCall", callId, name: "read_file", inputJson }] },
    {
      id: result,
      batch: call,
      role: "user",
      ...common,
      parts: [{ kind: "toolResult", callId, outcome: "ok", text: words(result, RESULT_WORDS) }],
    },
    { id: answer, ...answered, parts: [text(answer, ANSWER_WORDS)] },
  ];
}

function text(seed: number, count: number): object {
  return { kind: "text", text: words(seed, count) };
}

function words(seed: number, count: number): string {
  const at = (place: number): string => WORDS[(seed * 7 + place * place + place) % WORDS.length] ?? "";
  return `${seed} ${Array.from({ length: count }, (_, place) => at(place)).join(" ")}.`;
}
