/** Detects sentences with a decision, a cause or an abandoned approach: what a later reader asks for first. */

const WORDS: Readonly<Record<string, readonly string[]>> = {
  en: [
    "decided",
    "decision",
    "verdict",
    "outcome",
    "conclusion",
    "we(?:'ll| will) (?:use|go with|keep|drop)",
    "(?:going|go|went|gone) (?:with|for)",
    "settled on",
    "opted for",
    "chose",
    "chosen",
    "picked",
    "agreed",
    "root cause",
    "(?:was|is) caused by",
    "turned out",
    "the reason is",
    "because of this",
    "rejected",
    "ruled out",
    "abandoned",
    "discarded",
    "scrap(?:ped)?",
    "dropped",
    "gave up",
    "given up",
    "reverted",
    "postponed",
    "deferred",
    "rather than",
    "in favou?r of",
    "over a",
    "does(?: not|n't) work",
    "works now",
    "fixed by",
    "switch(?:ed)? (?:from|to|over)",
    "moves? to",
    "moved to",
    "plan:",
    "it is for",
    "stays? (?:with|in|on)",
    "is stored",
    "not worth",
    "settled",
    "because",
    "after all",
    "let['’]s (?:not|keep|drop|use|stay|leave)",
  ],
  de: [
    "entschieden",
    "entscheidung",
    "beschlossen",
    "verworfen",
    "nehmen wir",
    "wir nehmen",
    "bleiben bei",
    "ursache",
    "lag daran",
    "liegt daran",
    "stattdessen",
    "geeinigt",
    "weil",
  ],
  others: [
    "décidé",
    "choisi",
    "decidido",
    "elegido",
    "escolhido",
    "deciso",
    "besloten",
    "gekozen",
    "решили",
    "выбрали",
  ],
};
const UNBOUNDED = [
  "因为",
  "因為",
  "なので",
  "决定",
  "決定",
  "选择了",
  "選擇了",
  "改用",
  "放弃",
  "放棄",
  "原因是",
  "採用",
  "결정",
  "선택",
];
const DECISION = new RegExp(
  String.raw`(?<![\p{L}])(?:${Object.values(WORDS).flat().join("|")})(?![\p{L}])|${UNBOUNDED.join("|")}`,
  "iu",
);
const AGREEMENT =
  /^(?:ok(?:ay)?|alright|all right|fine|good|great|right|agreed|yes|yep|gut|also gut|einverstanden|in ordnung|d'accord|vale|bon|bien|va bene|好的?|はい)[\s,:.!-]+(?:\S+\s+){4}/iu;
const LONGEST_DECISION_UNITS = 300;
const SHORTEST_DECISION_UNITS = 20;
const SHORTEST_UNBOUNDED_UNITS = 8;

export function isDecision(sentence: string): boolean {
  if (sentence.length > LONGEST_DECISION_UNITS || /[?？]$/.test(sentence)) return false;
  if (sentence.length < SHORTEST_DECISION_UNITS) {
    return sentence.length >= SHORTEST_UNBOUNDED_UNITS && UNBOUNDED.some((word) => sentence.includes(word));
  }
  return DECISION.test(sentence) || AGREEMENT.test(sentence);
}
