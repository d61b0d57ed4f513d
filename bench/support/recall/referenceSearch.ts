/** BM25 of a library: k1 1.2, b 0.75, Porter2 stems, stop words out. */

import { createRequire } from "node:module";

/** Neither package has types. */
interface Bm25 {
  readonly defineConfig: (config: {
    readonly fldWeights: Readonly<Record<string, number>>;
    readonly bm25Params: { readonly k1: number; readonly b: number };
  }) => void;
  readonly definePrepTasks: (tasks: readonly ((input: never) => unknown)[]) => void;
  readonly addDoc: (document: Readonly<Record<string, string>>, id: number) => void;
  readonly consolidate: () => void;
  /** Id and score, best first. */
  readonly search: (query: string, limit: number) => readonly (readonly [string, number])[];
}

interface TextTools {
  readonly tokens: Readonly<Record<"removeWords" | "stem", (tokens: readonly string[]) => readonly string[]>>;
}

const require = createRequire(import.meta.url);
const newBm25 = require("wink-bm25-text-search") as () => Bm25;
const { tokens } = require("wink-nlp-utils") as TextTools;

/** Searches `texts`; finds their positions, best first. */
export function referenceSearch(texts: readonly string[]): (query: string) => Promise<readonly number[]> {
  const engine = newBm25();
  engine.defineConfig({ fldWeights: { text: 1 }, bm25Params: { k1: 1.2, b: 0.75 } });
  engine.definePrepTasks([wordsOf, tokens.removeWords, tokens.stem]);
  texts.forEach((text, at) => {
    engine.addDoc({ text }, at);
  });
  engine.consolidate();
  return (query) => Promise.resolve(engine.search(query, 10).map(([id]) => Number(id)));
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
}
