/** Orders in English. */

import { form, formsOf, type OrderForms } from "./orderForms.ts";

/** Where the clause is about, in front of what it orders: "on staging", "for the importer". */
const PLACE = String.raw`(?:(?:in|on|for|with|at|under|within|inside|during|around|near)\s(?:(?!(?:i|we|it|you|they|he|she|that|this|which)›)[^\s,]+\s){1,6}?)?`;
/** Verbs of which an order says how something is done. */
const MANNER =
  "use|keep|leave|put|stick|follow|make|treat|name|call|answer|reply|respond|write|format|indent|sort|group|order|target|support|assume|focus|limit|cap|begin|end|mark|tag|prefix|suffix|wrap|throw|catch|handle|translate|mention|include|exclude|cite|quote|work|stay|let|hide|sign|pin|gate|guard|escape|validate|stay|store|log|return|pass|spell|capitalize|deploy|release|ship|merge|commit|push|schedule|throttle|retry";
/** Verbs that ask for one piece of work as often as not. */
const TASK =
  "ask|fix|stop|skip|show|tell|run|update|add|document|test|check|read|explain|wait|start|finish|touch|change|rename|move|split|review|confirm|list|give|restart|delete|remove|drop|create|build|install|open|close|send|copy|edit|report|page|ping|warn|notify|alert|escalate|talk|consult|do|go|get|take|try|set|switch|enable|disable|raise|bump|upgrade|remind|announce|back up|roll back|revert";
/** Makes an order hold for more than one moment, whatever its verb. */
const LASTING =
  "only|unless|until|till|whenever|every time|each time|instead(?: of)?|rather than|without|nothing|none|anywhere|everywhere|by default|throughout|consistently|existing|as is|as (?:it is|they are)|at (?:most|least)|no (?:more|less|fewer|longer)|in (?:english|german|french|spanish|chinese|japanese)|for now|from here|(?:before|after) (?:you|we|any|every|each|the code|merging|committing|pushing|deploying|changing|touching)|alone|outside|exclusively|one at a time";
/** Makes an order about manner hold for more than one thing. */
const WIDE =
  "all|any|every|everything|each|no|anything|same|both|either|exactly|first|before|after|over|not|never|always|to a minimum|by hand|per";
const UNIVERSAL = "every|each|all|any|no|nobody|no ?one|nothing|none of|everything|everyone|everybody|anything|anyone";
/** What a rule says that something does or has done to it. */
const NORM =
  "needs?|must|may|should|shall|can only|can not|can['’]t|cannot|has to|have to|is to|are to|goes|go|gets?|stays?|remains?|belongs?|requires?|lands?|ships?|merges?|deploys?|restarts?|touche?s?|leaves?|enters?|pushe?s?|writes?|carr(?:y|ies)|comes? with|counts? as|waits?|reads? from|talks? to|runs? (?:in|on|under|behind|through|only|as|with|before|after)|(?:is|are|gets?) (?:merged|deployed|shipped|released|changed|written|logged|stored|committed|pushed|sent|published|deleted|removed|touched|added|reviewed|tested|signed|kept|done|made|approved|announced|documented)";
/** Behind "never", "always", "not": these tell what happened or what somebody feels. */
const TOLD =
  "mind|worry|know|knew|think|thought|had|has|seen|saw|got|been|heard|was|were|fail|fails|failed|works?|worked|crashe[sd]|happens?|happened|the|an?|there|bother(?:ed)?|sure|yet|again|enough|quite|really|understand|understood|get me|mean|expected|used to|found|be afraid|in my|once|did|does|this|that|it|so|found|came|went|made|took|gave|told|said|kept|wrote|ran|left|lost|meant|felt|began|broke|chose|built|managed|noticed|wanted|asked|tried";

const firm: readonly RegExp[] = formsOf(
  String.raw`^${PLACE}(?:never(?: ever)?|always|do not(?: ever)?|don['’]?t(?: ever)?)\s(?!(?:${TOLD})›)\p{L}`,
  "‹(?:under no circumstances?|at all times|on no account|in no case|from (?:now|here|today) on|going forward|henceforth|until further notice|no matter what|without exceptions?|no exceptions)›",
  "^(?:in (?:the )?future|as of (?:now|today)|starting (?:now|today)|as a rule)›",
  "‹(?:must|shall|may|should|can) (?:only|always|never)›(?! (?:be (?:a|the)|guess|hope|imagine|wonder|see|call|be (?:called|reached|used|hit))›)",
  "‹you (?:must|shall|may not|are not to|are to|should|can not|cannot|can['’]t|need to|have to|ought to)›(?! (?:be (?:able|right|aware|tired|kidding|joking|busy|wondering|thinking|new)|know|see|have (?:seen|noticed|got)|admit|imagine|find|get|now)›)",
  "(?<!‹(?:it|this|that|there|he|she|they|i|which) )‹(?:must|mustn['’]t|must not)›(?! (?:be (?:tired|kidding|joking|busy|wondering|thinking|new)|have (?:been|\\p{L}+ed)|admit|say|confess|be (?:a|the|some|because|due|related|wrong|missing|something|my|why|how)|know|i|we|you)›)",
  "‹(?:it|this|that|they) must (?:not|never|always|stay|remain|keep|work|run|also|only|compile|pass|support)›",
  "‹i must (?:insist|ask|require|request)›",
  "‹(?:is|are|be|stays?|remains?|it['’]s|that['’]s)(?: \\p{L}+ly)? (?:not allowed|forbidden|prohibited|banned|off[- ]limits|mandatory|obligatory|compulsory|non-negotiable|taboo|out of bounds|not acceptable|unacceptable|not (?:an option|ok(?:ay)?|fine|to be)|read-only for|a (?:must|no-?go|hard (?:rule|limit|requirement)))›",
  "^(?:hands off|hold off|stay (?:away|out|off|clear)|keep (?:away|out|off|clear)|steer clear|refrain from|stick (?:to|with)|avoid|prefer|make (?:sure|certain)|be (?:sure to|careful (?:with|to|not))|ensure|see to it|take care (?:that|to|not)|remember|keep in mind|bear in mind|note (?:for the|that)|mind (?:the|that)|watch out for|don['’]t forget|insist on|no (?:more|new|extra|further) \\p{L}+ (?:in|on|to|for|at|from|without|than|per)|stop (?:\\p{L}+ing))›(?! that (?:is|was|looks)› \\p{L}+[.!]?$)",
  "‹(?:i|we)(?:['’]d| would| do| really| also| strongly| rather| much){0,3} (?:prefer|insist|require|expect|appreciate)›(?!ed)(?! (?:it|this|that)(?: to)? (?:help|work|be (?:done|fine)|fail)›)",
  "‹(?:i|we)(?:['’]d| would| really| also| only){0,2} (?:want|like|love|need) (?:you to|it to|them to|every|all|each|no|nothing|only|that|the [^,]{2,60} to|any [^,]{2,60} to|to (?:keep|avoid|stay|never|always|be asked|be told|approve|sign off))›",
  "‹(?:i|we) (?:do not|don['’]t|never) want›|‹(?:i|we)(?:['’]d| would) rather›",
  `‹(?:we|nobody|no ?one|everyone|everybody|people|one) (?:never|always|only|do not|don['’]?t) (?!(?:need|have|care|see|get|seem|believe|remember|wanted|say|tell|find|${TOLD})›)\\p{L}+(?<!ed)›(?!,? (?:why|how|what)›)`,
  String.raw`^(?:(?:hard |house |ground |golden |standing )?(?:rule|constraint|policy|convention|requirement|guideline|principle|invariant|restriction|agreement|agreed|mandatory|order)s?|important|do['’]?s?|don['’]?ts?|nb|n\.b\.)(?: (?:no\. ?|#)?\d+| \p{L}+){0,2}\s?(?:[:–—]|\s-)\s?\S`,
  "‹(?:we|both teams|the team|everyone) (?:have |had |all )?agreed (?:that|to|on|not)›|‹as (?:we )?agreed›|‹it was agreed›|‹(?:our|the|house|team|company) (?:rule|policy|convention|agreement|practice|deal|standard)(?: here)? (?:is|says|was always)›|‹by (?:policy|convention|contract)›",
  "‹(?:important|essential|crucial|vital|critical|imperative)› (?:to us |for us |to me |for me |here )?(?:that|to)›",
  String.raw`^let['’]?s (?:always|never|only|avoid|stick to|keep (?:it|this|that|the|all|every))›`,
  String.raw`^${PLACE}(?:${MANNER}|${TASK})\s(?!(?:me|us|you) (?:know|see|look|think)›)(?:.*\s)?(?:${LASTING})›`,
  String.raw`^${PLACE}(?:${MANNER})\s(?!(?:me|us|you|going|in touch)›)(?:.*\s)?(?:${WIDE})›`,
  String.raw`^(?:keep|cap|limit|hold|restrict)\s(?!going|me posted|in touch|it up).{1,120}?\s(?:under|below|above|within|at|to|with|in|on|out|small|short|simple|pure|private|internal|free|as)›`,
  String.raw`^(?:leave|let|keep)\s(?!me›|us›).{1,120}?\s(?:alone|as|be|out|untouched|unchanged|intact|in place)›`,
  String.raw`^(?:when(?:ever)?|if|once|before|after|as soon as|each time|every time|unless|until|where)\s[^,]{3,160},\s(?:then\s|also\s|please\s|always\s|first\s|do not\s|don['’]t\s|never\s){0,2}(?:${MANNER}|${TASK})\s`,
  String.raw`^(?:ask|tell|page|ping|call|warn|notify|alert|stop|wait|abort|roll back|revert|escalate|check with|confirm with|show me|come back|consult|inform)\s(?:.{2,100}\s)?(?:if|when|whenever|before|unless|until|as soon as|once|first|after each|after every)›`,
  String.raw`^(?:${UNIVERSAL})\s(?:[^\s,]+\s){0,8}?(?:${NORM})›(?! (?:wrong|down|missing|lost|stuck|there|fine|ok)›)`,
  String.raw`^(?:nobody|no ?one|everyone|everybody|anyone)\s(?!(?:knows?|knew|understands?|cares?|seems?|is|was|has|had|likes?|thinks?|noticed|said|told|remembers?)›)\p{L}+s\s.{3,}`,
  String.raw`^(?:at (?:most|least)|no (?:more|fewer|less) than|not more than|max(?:imum)?(?: of)?|min(?:imum)?(?: of)?|exactly|one|two|three|\d{1,4}|a single)\s(?:\S+\s){1,5}?(?:per|for (?:each|every)|in (?:each|every)|on (?:each|every))›`,
  String.raw`^no\s(?!idea|problem|need|worr|thanks|clue|one|way|luck|matter|doubt|change|longer|further|other|such|real|big|major|more›|it›|that|this|i›|we›|you›|errors?›|output|response|answer|difference|news|sign|trace|results?›|effect|reason|evidence|remark|objection|question|issues?›|hits?›|match|crash|failure|warning|progress|impact|hint|improvement|success|access|chance|hurry|rush|wonder|surprise|point|open›|offen[cs]e|dice|joy|tests? (?:ran|fail))[\p{L}-]{3,}\s(?!(?:so far|yet|found|was|were|is|are|has|have|had|came|seems?)›).{4,}`,
);

const soft: readonly RegExp[] = formsOf(
  String.raw`^(?!(?:we|i|it|they|he|she|you|that|this|why|but|and|there)›)[\p{L}\d'"${"`"}_-]{2,24},?\s(?:not|over|instead of|never)\s[\p{L}\d'"${"`"}_-]{2,24}(?:\s|$|[.,!])`,
  "‹(?:should|ought to|shouldn['’]t|has to|have to|needs? to|is supposed to|are supposed to)›(?! (?:be (?:fine|ok|okay|enough|good|easy|easier|done|quick|able|possible|obvious|clear|there|gone|back|in there|right|the|a|it|safe|straightforward|harmless)|work|help|do|suffice|pass|take|look|feel|have|already|now|see|know|say|admit|wait|go|get|leave|run to|think|explain|find)›)",
  "‹may not›(?! (?:be (?:right|the|a|needed|necessary|enough|related|available|obvious|ideal|worth|relevant|possible|able)|have|exist|work|matter|need|know|notice|see|help|like|want|always)›)",
  "‹(?:we|you) (?:can['’]?t|cannot|can not|can only) (?:use|add|touch|change|depend|ship|log|store|break|rely|introduce|upgrade|assume|deploy|release|drop|merge|expose|share|send|move|lose|afford|take)›",
  "‹(?:is|are|gets?) (?:never|always|only|not) (?!(?:called|reached|executed|hit|used|triggered|invoked|fired|set|read|found|seen|true|null|empty|closed|loaded|rendered|updated|run|finished|resolved|awaited|cleared|clear|sure|the|a|an|so|that|very|what|why|how|in|on|there|yet|good|great|bad|related|working|available|possible|enough|true|right|quite|fair|mine|my|me|sent|shown|what)›)\\p{L}+(?:ed|en|wn|t|done|made)›",
  String.raw`^(?!it›|this›|that›|the rest|everything|the (?:error|problem|issue|bug|test|cpu|memory|load)s?›)(?:[^\s,]+\s){1,7}?(?:stays?|remains?) (?:on|at|off|out|in|under|below|within|with|until|read-only|as is|untouched|unchanged|frozen|locked|closed|disabled|enabled|pinned|private|internal|optional|behind|where|put)›`,
  String.raw`^(?!it›|this›|that›)(?:[^\s,]+\s){1,6}only (?:with|via|through|after|before|by|from|when|if|as|during|between|over|behind|inside)›`,
  String.raw`^only (?:the |an? |one |two )?(?:[^\s,]+\s){1,5}?(?:may|can|goes|gets?|merges?|deploys?|pushes|touche?s?|writes?|talks?|restarts?|approves?|owns?|is allowed|are allowed|with|via|through|after)›`,
  String.raw`^(?!it›|this›|that›|i›|we›)(?:[^\s,]+\s){1,5}?(?:before|after) (?:each|every|any)›`,
  String.raw`^(?!it›|day›|as›|seen›|just›|never›|long›|years?›)[\p{L}-]+ before [\p{L}-]+(?: [\p{L}-]+)?[.!]?$`,
  String.raw`^(?:please |always )?(?:ask|snapshot|back ?up|backup|dry[- ]run|test|measure|profile|read|plan|tests?|docs?)\s(?:\S+\s){0,3}first[.!]?$`,
  "‹(?:treat|consider|regard) .{2,60} (?:as|to be)›|‹(?:x|is|are) (?:frozen|locked|pinned|reserved) (?:until|till|for|to|by|at)›|‹(?:no longer|not any ?more) (?:allowed|supported|an option)›",
  "‹(?:should|must|shall) (?:say|read|be called|be named|look like)›",
);

const account: readonly RegExp[] = formsOf(
  "‹(?:was|were|had|did|didn['’]t|wasn['’]t|weren['’]t|used to|has been|have been|got|went|saw|noticed|failed|fails|crashe[sd]|happens?|occurs?|reproduces?|so far|yesterday|ago|apparently|seems?|looks? like|turns out|maybe|perhaps|probably|not sure|wonder|suspect|could be|for some reason|in theory|tells us|told us|somehow)›",
  "^(?:i|as|that|it|this|there|which|why|how|what|where|who|when)›(?!.*‹(?:you|we|nobody|every|all|each) )(?!['’]d)",
  "‹(?:it|this|that|which|there|they|he|she) (?:should|may not|has to|needs? to|might)›",
  "‹i (?:should|have to|need to|ought to)›",
  "‹(?:don['’]t|do not|doesn['’]t|not) (?:have|need) to›",
);

/** English. */
export const english: OrderForms = {
  lead: /^(?:(?:and|also|so|but|then|now|ok(?:ay)?|please|pls|plz|kindly|just|btw|by the way|again|next|finally|lastly|yes|yep|right|well|oh|hey|thanks|thank you|one more thing|in general|generally|general remark|additionally|still|therefore|hence|for now|p\.?s\.?)[\s,:–-]+){1,4}/i,
  firm,
  soft,
  account,
  asked: [
    form(
      "^(?:and |so |also |ok(?:ay)?,? )?(?:can|could|would|will) you (?:please )?(?:always|never|not|only|stop|make sure|avoid|ensure|keep|stick to|from now on|refrain)›",
    ),
  ],
};
