/**
 * Marked's rules for `*` and `~~`, except that they work beside Chinese, Japanese and Korean, which is written without
 * blanks: `**注意：**请` is bold. These characters count as letters and, for their neighbours, as a place where words
 * end (markdown-cjk-friendly's amendment of CommonMark). For other text the rules are marked's own.
 */
import type { Tokenizer } from "marked";

type InlineRules = Tokenizer["rules"]["inline"];

/** Letters and signs of the scripts, in a character class. Quotation marks and dashes are shared with other scripts. */
const eastAsian =
  String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Bopomofo}\p{sc=Hangul}` +
  String.raw`\u20a9\u2329\u232a\u2ff0-\u303e\u3099-\u309c\u30a0\u30fb\u30fc\u3190-\u319f\u31c0-\u31e5\u31ef` +
  String.raw`\u3220-\u33ff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uffee`;

/**
 * A closing delimiter `run` of the character `sign`. Groups as in marked: (1) and (2) can only close, (3) and (4) only
 * open, (5) and (6) do both. `asLetters`: signs that count as letters.
 */
function closingDelimiter(skip: string, sign: string, run: string, asLetters: string): RegExp {
  const other = String.raw`[[\p{P}\p{S}]--[${sign}${asLetters}${eastAsian}]]`;
  const letter = String.raw`[[^\s\p{P}\p{S}${eastAsian}]${asLetters}]`;
  const asian = `[${eastAsian}]`;
  const whole = `${run}(?!${sign})`;
  const alternatives = [
    skip,
    String.raw`${other}(${run})(?=\s|$)`,
    String.raw`(?:${letter}(?=${whole}${other})|(?:${letter}|${asian})(?=${whole}(?:\s|$)))(${run})`,
    String.raw`(?:(?:\s|${other})(?=${run}${letter})|\s(?=${run}${asian}))(${run})`,
    String.raw`\s(${run})(?!${sign})(?=${other})`,
    `${other}(${run})(?!${sign})(?=${other})`,
    `(?:(?:${letter}|${asian})(?=${run}(?:${letter}|${asian}))|${other}(?=${run}${asian})|${asian}(?=${run}${other}))(${run})`,
  ];
  return new RegExp(alternatives.join("|"), "gv");
}

const sign = String.raw`[[\p{P}\p{S}]--[*~${eastAsian}]]`;
const rules: Partial<InlineRules> = {
  emStrongLDelim: new RegExp(String.raw`^\*+(?:(${sign})|([^\s*]))?`, "v"),
  emStrongRDelimAst: closingDelimiter(
    String.raw`^[^_*]*?__[^_*]*?\*[^_*]*?(?=__)|[^*]+(?=[^*])`,
    String.raw`\*`,
    String.raw`\*+`,
    "~",
  ),
  delLDelim: new RegExp(String.raw`^~~(?:(${sign})|[^\s~])`, "v"),
  delRDelim: closingDelimiter("^[^~]+(?=[^~])", "~", "~~?", ""),
};

/** A half character is the end of one beyond U+FFFF: an ideograph or a pictograph. */
const placeOfOpening = new RegExp(String.raw`^([[\s\p{P}\p{S}${eastAsian}\udc00-\udfff]--[*_]])`, "v");
const beforeSign = new RegExp(String.raw`^(?:\*+|~~)${sign}`, "v");

/** The rules for a delimiter of `*` or `~~` at the start of `source`. */
export function emphasisRules(source: string): Partial<InlineRules> {
  return beforeSign.test(source) ? { ...rules, punctuation: placeOfOpening } : rules;
}
