/** Texts of many kinds, by name. None has more than 1,024 characters without a boundary. */
export const CORPUS: Readonly<Record<string, string>> = {
  prose:
    "The quick brown fox couldn't jump; it'd rather HAVE'D a nap. We're done, I'll say, and you've seen it!\n\n".repeat(
      20,
    ),
  typescript:
    'export async function open(path: string, options: { readonly mode?: number } = {}): Promise<Result<Handle, Failure>> {\n  const HTTPServerV2 = await import("./server.ts");\n\treturn options.mode === 0o644 ? ok(new HTTPServerV2(path)) : err({ code: "E_MODE", at: `${path}:12` });\n}\n'.repeat(
      12,
    ),
  json: JSON.stringify(
    Array.from({ length: 60 }, (_, i) => ({
      id: i * 7919,
      name: `item-${i}`,
      tags: ["a", "bC"],
      ratio: i / 7,
      gone: null,
    })),
    null,
    2,
  ),
  logs: Array.from(
    { length: 80 },
    (_, i) =>
      `2026-01-02T12:${String(i % 60).padStart(2, "0")}:07.${i}Z [ERROR] worker-${i % 16} 0x${(i * 2654435761).toString(16)} (/src/m${i}.ts:9:1)`,
  ).join("\r\n"),
  whitespace: Array.from(
    { length: 120 },
    (_, i) => `${" ".repeat(i % 17)}${"\t".repeat(i % 3)}x${"\n".repeat(i % 4)}`,
  ).join(""),
  base64: "TWFueSBoYW5kcyBtYWtlIGxpZ2h0IHdvcmsu/+9abcXYZ0123==\n".repeat(15),
  chinese: "上下文窗口不够用的时候，旧的消息会被总结，但是从来不会被丢弃。请记住:一定要使用中文。".repeat(10),
  japanese: "コンテキストが足りないとき、古いメッセージは要約されます。カタカナー、ひらがな、漢字。".repeat(10),
  korean: "문맥이 부족하면 오래된 메시지는 요약되지만 절대 버려지지 않습니다. ".repeat(10),
  russian: "Никогда не удаляй историю; всегда сжимай её. ПРИМЕР №42, «цитата». ".repeat(10),
  arabic: "لا تحذف التاريخ أبدًا، بل اضغطه دائمًا. ١٢٣٤٥ مثال. ".repeat(10),
  hindi: "इतिहास को कभी मत हटाओ, हमेशा संक्षिप्त करो। क्षत्रिय ज्ञान ४५६। ".repeat(10),
  emoji: "😀👩‍👩‍👧🇫🇷👍🏽✨ ok ❤️\n".repeat(20),
  markdown:
    "# Title\n\n| a | b |\n|---|---|\n| `x_y` | **1.5 MB** |\n\n```sh\nnpm ci && npm test -- --vscode floor\n```\n".repeat(
      12,
    ),
};

/** Texts of `units` UTF-16 units that are hard to count: without boundaries, known tokens, or repetitions. */
export function hardTexts(units: number): Readonly<Record<string, string>> {
  const random = randomSource(3);
  const many = (next: () => string, count: number): string => Array.from({ length: count }, next).join("");
  return {
    "one letter": "a".repeat(units),
    "random letters": many(() => String.fromCharCode(97 + random(26)), units),
    blanks: " ".repeat(units),
    "equals signs": "=".repeat(units),
    ideographs: many(() => String.fromCharCode(0x4e00 + random(3_000)), units),
    "one emoji": "😀".repeat(units / 2),
    "random emoji": many(() => String.fromCodePoint(0x1f300 + random(0x700)), units / 2),
    "rare ideographs": many(() => String.fromCodePoint(0x20000 + random(0xa000)), units / 2),
    "base64 in one line": Buffer.from(many(() => String.fromCharCode(random(128)), (units * 3) / 4)).toString("base64"),
  };
}

/** Repeatable random integers from 0 up to, but not including, `below`. */
export function randomSource(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}
