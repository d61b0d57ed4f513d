/** How a language gives orders, as tables of forms, and how a sentence is held against them. */

/** The forms of one language. Those that begin with `^` are looked for where a clause begins, the others anywhere. */
export interface OrderForms {
  /** Words in front of a clause that say nothing of what it orders. */
  readonly lead: RegExp;
  /** Each of these makes a sentence an order. */
  readonly firm: readonly RegExp[];
  /** Each of these does, unless the sentence gives an account of something. */
  readonly soft: readonly RegExp[];
  /** What tells an account, a guess or a feeling from an order. */
  readonly account: readonly RegExp[];
  /** Orders that have the form of a question. */
  readonly asked: readonly RegExp[];
}

/** A form, in which `‹` and `›` stand for the edges of a word. Latin, Cyrillic and Greek letters, any case. */
export function form(source: string): RegExp {
  return new RegExp(
    source.replaceAll("‹", String.raw`(?<![\p{L}\p{N}_])`).replaceAll("›", String.raw`(?![\p{L}\p{N}_])`),
    "iu",
  );
}

/** Several forms. */
export function formsOf(...sources: readonly string[]): readonly RegExp[] {
  return sources.map(form);
}

/** Whether a sentence is an order by these forms. What others said has to be taken out of it. */
export function directsBy({ lead, firm, soft, account, asked }: OrderForms, sentence: string): boolean {
  if (QUESTION.test(sentence)) return asked.some((each) => each.test(sentence));
  const clauses = clausesOf(sentence, lead);
  const isMet = (each: RegExp): boolean => clauses.some((clause) => each.test(clause));
  return firm.some(isMet) || (soft.some(isMet) && !account.some((each) => each.test(sentence)));
}

const QUESTION = /[?？؟]["'”’)\]»」]*$/;
const CLAUSE_EDGE = /[,;:]\s+|[，；：、]\s*|\s[–—-]{1,2}\s|\s\(/;
const MOST_CLAUSES = 12;

/** The sentence and its clauses, each without what leads into it. */
function clausesOf(sentence: string, lead: RegExp): readonly string[] {
  const clauses = sentence.split(CLAUSE_EDGE).slice(0, MOST_CLAUSES);
  return [...new Set([sentence, ...clauses].map((clause) => clause.replace(lead, "").trim()))];
}
