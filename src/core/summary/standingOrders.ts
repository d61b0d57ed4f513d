/**
 * Orders without a word such as "never" or "always": an imperative that says how work is to be done from now on. A request
 * for one piece of work ("add a test for that") is none.
 */

/** Whether a user's sentence orders something that holds for longer than the next answer. */
export function isStandingOrder(sentence: string): boolean {
  const bare = sentence.replace(LEAD, "");
  if (IMPERATIVE.test(bare) && SCOPE.test(bare)) return true;
  if (KEEPING.test(bare) || LEAVING.test(bare)) return true;
  if (EACH_NEEDS.test(bare)) return true;
  return CONDITIONAL.test(bare) || NO_SUCH_THING.test(bare) || THIS_NOT_THAT.test(bare) || GERMAN.test(bare);
}

const LEAD =
  /^(?:(?:and|also|so|but|then|now|ok(?:ay)?|please|pls|und|bitte|auch|constraint|rule|convention|requirement|important|p\.?s\.?)[\s,:–-]+){1,3}/i;
const VERBS =
  "use|keep|leave|ask|write|put|stick|follow|stop|skip|make|treat|return|name|call|show|tell|run|update|add|document|test|check|read|log|store|answer|reply|respond|explain|format|indent|sort|group|commit|push|target|support|assume|focus|limit|cap|wait|start|begin|end|finish|mark|tag|prefix|wrap|throw|catch|handle|translate|mention|include|exclude|touch|change|rename|move|split|merge|review|confirm|list|cite|quote|work|stay|give|let|hide|avoid|prefer";
const IMPERATIVE = new RegExp(String.raw`^(?:${VERBS})\s`, "i");
/** What makes an imperative hold for more than one thing or one moment. */
const SCOPE =
  /(?<![\p{L}])(?:only|any|all|every|everything|everywhere|each|no|none|nothing|anything|anywhere|alone|first|before|after|unless|until|whenever|same|existing|instead|as (?:is|it is|they are)|without|outside|both|either|exactly|at (?:most|least)|no (?:more|less|longer)|in (?:english|german|french|spanish|chinese|japanese)|by default|for now|from here|throughout|consistently)(?![\p{L}])/iu;
/** "keep it under one screen", "cap it at 72 minutes". */
const KEEPING =
  /^(?:keep|cap|limit|stick|stay)\s.{1,120}?\s(?:under|below|within|at|to|with|in|on|out|small|short|simple|pure|as)(?![\p{L}])/iu;
const LEAVING = /^(?:leave|let)\s.{1,120}?\s(?:alone|as|be|out|untouched|unchanged)(?![\p{L}])/iu;
const CONDITIONAL = new RegExp(
  String.raw`^(?:when(?:ever)?|if|once|before|after|as soon as|each time|every time)\s[^,]{3,160},\s(?:then\s|also\s|please\s|always\s|first\s){0,2}(?:${VERBS})\s`,
  "i",
);
/** "every function needs a test", "nothing in here may depend on it" */
const EACH_NEEDS =
  /^(?:(?:every|each|nothing|nobody)\s(?:[^\s,]+\s){1,8}?(?:goes|has|is)|(?:every|each|all|any|nothing|nobody)\s(?:[^\s,]+\s){1,8}?(?:needs?|gets?|may|can|must|should|shall|stays?|belongs?))(?![\p{L}])/iu;
/** "no comments in the code", and not "no idea". */
const NO_SUCH_THING =
  /^no\s(?!idea|problem|need|worries|thanks|clue|one|way|luck|matter|doubt|change|longer|further|other|such|real|big|major|more\b|it|that|this|i\b|we\b|you\b)[\p{L}-]{3,}\s.{4,}/iu;
/** "tabs not spaces in there" */
const THIS_NOT_THAT = /^[\p{L}\d'"`_-]{2,24},?\s(?:not|over|instead of|never)\s[\p{L}\d'"`_-]{2,24}(?:\s|$|[.,!])/iu;
/** "keine neuen Abhängigkeiten einführen" */
const GERMAN =
  /(?<![\p{L}])kein(?:e|en|er|em)?\s(?:.{1,80}\s)?\p{Ll}{3,}(?:en|ern|eln)[.!]?$|^(?:lass|nimm|nutze?|verwende|schreib(?:e)?|frag(?:e)?|achte|halt(?:e)?|bleib(?:e)?)\s.{3,}(?<![\p{L}])(?:nur|alle[mnrs]?|jede[mnrs]?|vorher|zuerst|erst|bevor|nicht|ohne|statt|so|in ruhe)(?![\p{L}])/iu;
