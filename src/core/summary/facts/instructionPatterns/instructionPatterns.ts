/** Format of the instruction patterns of a language, and matching of a sentence against them. */

/** Patterns that begin with `^` match at the start of a clause, the others anywhere. */
export interface InstructionPatterns {
  /** Opening words of a clause that are no part of the instruction. */
  readonly lead: RegExp;
  /** Any match makes the sentence an instruction. */
  readonly firm: readonly RegExp[];
  /** Any match makes it an instruction, unless the sentence is an account. */
  readonly soft: readonly RegExp[];
  /** Tells an account, a guess or a feeling from an instruction. */
  readonly account: readonly RegExp[];
  /** Instructions in the form of a question. */
  readonly asked: readonly RegExp[];
}

export function patternsIn({ lead, firm, soft, account, asked }: InstructionPatterns): readonly RegExp[] {
  return [lead, ...firm, ...soft, ...account, ...asked];
}

/** `‹` and `›` are word boundaries that work for Latin, Cyrillic and Greek; case is ignored. */
export function compilePattern(source: string): RegExp {
  return new RegExp(
    source.replaceAll("‹", String.raw`(?<![\p{L}\p{N}_])`).replaceAll("›", String.raw`(?![\p{L}\p{N}_])`),
    "iu",
  );
}

export function formsOf(...sources: readonly string[]): readonly RegExp[] {
  return sources.map(compilePattern);
}

/** Whether a sentence is an instruction. Quotations must have been removed from it. */
export function matchesInstruction(
  { lead, firm, soft, account, asked }: InstructionPatterns,
  sentence: string,
): boolean {
  if (QUESTION.test(sentence)) return asked.some((each) => each.test(sentence));
  const clauses = clausesOf(sentence, lead);
  const isMet = (each: RegExp): boolean => clauses.some((clause) => each.test(clause));
  return firm.some(isMet) || (soft.some(isMet) && !account.some((each) => each.test(sentence)));
}

const QUESTION = /[?？؟]["'”’)\]»」]*$/;
const CLAUSE_EDGE = /[,;:]\s+|[，；：、]\s*|\s[–—-]{1,2}\s|\s\(/;
const MOST_CLAUSES = 12;

/** The sentence and its clauses, each without its opening words. */
function clausesOf(sentence: string, lead: RegExp): readonly string[] {
  const clauses = sentence.split(CLAUSE_EDGE).slice(0, MOST_CLAUSES);
  return [...new Set([sentence, ...clauses].map((clause) => clause.replace(lead, "").trim()))];
}
