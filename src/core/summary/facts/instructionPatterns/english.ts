/** Instruction patterns of English. */

import { compilePattern, formsOf, type InstructionPatterns } from "./instructionPatterns.ts";

/** Leading place or time of an instruction: "on staging", "during the freeze". Not where a subject follows. */
const PLACE = String.raw`(?:(?:in|on|for|with|at|under|within|inside|during|around|near|between|until|before|after|while)\s(?:(?!(?:i|we|it|you|they|he|she|that|this|which)›)[^\s,]+\s){1,6}?)?`;

/** Verbs whose instructions say how something is done, or who is told. */
const MANNER =
  "use|keep|leave|put|stick|follow|make|treat|name|call|answer|reply|respond|write|format|indent|sort|group|order|target|support|assume|focus|limit|cap|begin|end|mark|tag|prefix|suffix|wrap|throw|catch|handle|translate|mention|include|exclude|cite|quote|work|stay|let|hide|sign|pin|gate|guard|escape|validate|store|log|return|pass|spell|capitalize|deploy|release|ship|merge|commit|push|schedule|throttle|retry|announce|report|post|document|record|track|tell|inform|notify|back|encrypt|mask|redact|rotate|batch|page|quote|link|attach|label|separate|isolate|preserve|protect";

/** Verbs that ask for a single piece of work as often as not. */
const TASK =
  "ask|fix|stop|skip|show|run|update|add|test|check|read|explain|wait|start|finish|touch|change|rename|move|split|review|confirm|list|give|restart|delete|remove|drop|create|build|install|open|close|send|copy|edit|ping|warn|alert|escalate|talk|consult|do|go|get|take|try|set|switch|enable|disable|raise|bump|upgrade|remind|roll back|revert|freeze|pause|resume|drain|shed|save|verify|scale|silence|mute|hold|reject|refuse|decline|accept|allow|block|count|measure|plan|propose|suggest|rebase|squash|archive|clean|tidy|pull|loop|fall back|back off|abort|cancel|fail|degrade|render|load|cache|fetch|sync";

/** Makes an instruction lasting, whatever its verb. */
const LASTING = String.raw`only|unless|until|till|whenever|every time|each time|instead(?: of)?|rather than|without|nothing|none|anywhere|everywhere|by default|throughout|consistently|existing|as is|as (?:it is|they are)|at (?:most|least)|no (?:more|less|fewer|longer)|in (?:english|german|french|spanish|chinese|japanese)|for now|from here|(?:before|after) (?:you|we|any|every|each|the code|i)|(?:before|after) \p{L}+ing|alone|outside|exclusively|one at a time|by hand|manually|in small steps|if|when|as soon as|as long as`;

/** Makes an instruction about manner apply to more than one thing. */
const WIDE =
  "all|any|every|everything|each|no|anything|same|both|either|exactly|first|before|after|over|not|never|always|to a minimum|per";

/** Subjects of rules that apply to all of a kind. */
const UNIVERSAL =
  "every|each|all|any|no|nobody|no ?one|nothing|none of|everything|everyone|everybody|anything|anyone|whoever|whatever|both";

/** Verbs of rules: what a subject does or has done to it. */
const NORM =
  "needs?|must|may|should|shall|can only|can not|can['’]t|cannot|has to|have to|is to|are to|goes|go|gets?|stays?|remains?|belongs?|requires?|lands?|ships?|merges?|deploys?|restarts?|touche?s?|leaves?|enters?|pushe?s?|writes?|asks?|carr(?:y|ies)|comes? with|counts? as|waits?|reads? from|talks? to|runs? (?:in|on|under|behind|through|only|as|with|before|after)|(?:is|are|gets?) (?:merged|deployed|shipped|released|changed|written|logged|stored|committed|pushed|sent|published|deleted|removed|touched|added|reviewed|tested|signed|kept|done|made|approved|announced|documented)";

/** After "never", "always", "not": these report events or feelings. */
const TOLD =
  "mind|worry|know|knew|think|thought|had|has|seen|saw|got|been|heard|was|were|fail|fails|failed|works?|worked|crashe[sd]|happens?|happened|the|an?|there|bother(?:ed)?|sure|yet|again|enough|quite|really|understand|understood|get me|mean|expected|used to|found|be afraid|in my|once|did|does|this|that|it|so|came|went|made|took|gave|told|said|kept|wrote|ran|left|lost|meant|felt|began|broke|chose|built|managed|noticed|wanted|asked|tried";

/** After "no": reported as missing, not forbidden. */
const MISSED =
  "idea|problem|need|worr(?:y|ies)|thanks|clue|one|way|luck|matter|doubt|changes?|longer|further|other|such|real|big|major|more|it|that|this|i|we|you|errors?|output|responses?|answers?|differences?|news|signs?|trace|results?|effect|reasons?|evidence|remarks?|objections?|questions?|issues?|hits?|match(?:es)?|crash(?:es)?|failures?|warnings?|progress|impact|hint|improvement|success|access|chance|hurry|rush|wonder|surprises?|point|open|offen[cs]e|dice|joy|requests?|rows?|connection|signal|tests? (?:ran|fail)|messages?|time|worries";

const firm: readonly RegExp[] = formsOf(
  "‹(?:asks?|asked|insists?|insisted|demands?|demanded|requires?|required|requests?|requested|expects?) that .{2,80}? (?:be|not|never|stays?|remains?|has)›|‹(?:no|not) later than›|‹at the latest›",
  String.raw`^(?:rather|better|preferably) .{3,80} than›|^[\p{L} -]{3,40} (?:beats?|trumps?|wins? over|comes? (?:first|before)|goes before|matters? more than|outweighs?)›`,
  "^(?:i|we)(?: really| also)? (?:don['’]t like|dislike|hate|can['’]t stand|care (?:more )?about|care more|value)› (?!(?:it|this|that|when)›)",
  "‹(?:is|are)(?: \\p{L}+ly)? (?:final|immutable|not negotiable|off the table|out of scope|sacred|a precondition|confidential|not up for|not to \\p{L}+|manual only|not enough (?:that|to)|my (?:call|decision)|not (?:your|yours|our)›)",
  "‹i (?:decide|approve|sign off|say when)›|^wait for (?:my|our|the|an?) (?:ok|okay|approval|go|green light|sign-?off|signal|word)›",
  "^(?:indent|target|assume|spell|capitali[sz]e|adhere|abide|respect|comply|minimi[sz]e|maximi[sz]e|favou?r|preserve|protect|honou?r|obey|observe|maintain|retain|tolerate|consider(?! (?:using|doing|whether|adding|it done)›))\\s\\S+\\s\\S",
  "^(?:let me know|pull me in|loop (?:me |us )?in|keep me (?:posted|informed)|get (?:an? |my |the )?(?:sign-?off|approval|ok|permission|review)) .*‹(?:if|when|whenever|before|unless|until|as soon as|once|first|after each|after every|for (?:each|every|any))›",
  "^(?:feel free|you (?:can|may)|it(?:['’]s| is) fine) .*(?:‹but|, not)›",
  "^(?:whatever (?:you do|happens)|in any case|either way)›,?",
  "‹(?:it|this|that|they) (?:has to|have to|needs? to) (?:stay|remain|keep|work|run|support|not|never|also|only|compile|fit|match)›",
  String.raw`^(?:we|you) (?!(?:are|have|had|can|will|need|see|get|know|think|could|might|found)›)\p{L}+(?<!ed) (?:\S+\s){0,6}?(?:only|by hand|without)›`,
  "^we keep (?!\\p{L}+ing›)",
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
  String.raw`^(?:(?:hard |house |ground |golden |standing )?(?:rule|constraint|policy|convention|requirement|guideline|principle|invariant|restriction|agreement|agreed|mandatory|order|acceptance(?: criteri(?:a|on))?|definition of done|deadline)s?|important|do['’]?s?|don['’]?ts?|nb|n\.b\.)(?: (?:no\. ?|#)?\d+| \p{L}+){0,2}\s?(?:[:–—]|\s-)\s?\S`,
  "‹(?:we|both teams|the team|everyone) (?:have |had |all )?agreed (?:that|to|on|not)›|‹as (?:we )?agreed›|‹it was agreed›|‹(?:our|the|house|team|company) (?:rule|policy|convention|agreement|practice|deal|standard)(?: here)? (?:is|says|was always)›|‹by (?:policy|convention|contract)›",
  "‹(?:important|essential|crucial|vital|critical|imperative)› (?:to us |for us |to me |for me |here )?(?:that|to)›",
  String.raw`^let['’]?s (?:always|never|only|avoid|stick to|keep (?:it|this|that|the|all|every))›`,
  String.raw`^${PLACE}(?:${MANNER}|${TASK})\s(?!(?:(?:me|us|you) (?:know|see|look|think)|i|we|they|he|she|is|was|are|were)›)(?:.*\s)?(?:${LASTING})›`,
  String.raw`^${PLACE}(?:${MANNER})\s(?!(?:me|us|you|going|in touch|i|we|they|he|she|is|was|are|were)›)(?:.*\s)?(?:${WIDE})›`,
  String.raw`^(?:keep|cap|limit|hold|restrict)\s(?!going|me posted|in touch|it up).{1,120}?\s(?:under|below|above|within|at|to|with|in|on|out|small|short|simple|pure|private|internal|free|as)›`,
  String.raw`^(?:leave|let|keep)\s(?!me›|us›).{1,120}?\s(?:alone|as|be|out|untouched|unchanged|intact|in place|up|on|off|open|closed|running|enabled|disabled)›`,
  String.raw`^(?:when(?:ever)?|if|once|before|after|as soon as|each time|every time|unless|until|where|during|between|while|as long as|from|under|in case of)\s[^,]{3,160},\s(?:then\s|also\s|please\s|always\s|first\s|only\s|do not\s|don['’]t\s|never\s){0,2}(?:${MANNER}|${TASK})\s`,
  String.raw`^(?:ask|tell|page|ping|call|warn|notify|alert|stop|wait|abort|roll back|revert|escalate|check with|confirm with|show me|come back|consult|inform)\s(?:.{2,100}\s)?(?:if|when|whenever|before|unless|until|as soon as|once|first|after each|after every)›`,
  String.raw`^(?:nobody|no ?one|everyone|everybody|anyone)\s(?!(?:knows?|knew|understands?|cares?|seems?|is|was|has|had|likes?|thinks?|noticed|said|told|remembers?)›)\p{L}+s\s.{3,}`,
  String.raw`^(?:at (?:most|least)|no (?:more|fewer|less) than|not more than|max(?:imum)?(?: of)?|min(?:imum)?(?: of)?|exactly|one|two|three|\d{1,4}|a single)\s(?:\S+\s){1,5}?(?:per|for (?:each|every)|in (?:each|every)|on (?:each|every))›`,
);

const soft: readonly RegExp[] = formsOf(
  String.raw`^(?:${UNIVERSAL})\s(?:[^\s,]+\s){0,8}?(?:${NORM})›(?! (?:wrong|down|missing|lost|stuck|there|fine|ok)›)`,
  String.raw`^no\s(?!(?:${MISSED})›)(?:[\p{L}-]+\s){1,3}(?:in|on|to|for|at|from|with|without|before|after|during|outside|while|unless|except|until|over|under|between|per|by|via|of)›`,
  String.raw`^no\s(?!(?:${MISSED})›)(?!\p{L}+ed›)(?:[\p{L}-]+\s)?[\p{L}-]+(?<!ed|found|came|yet|far)(?: please)?[.!]?$`,
  String.raw`^nothing (?!new›|wrong›|special›|else›|happen|show|change|work|yet›|bad›|\p{L}+ed›)\p{L}+ (?:on|in|to|outside|without|after|before|from)›`,
  String.raw`^(?!(?:it|that|this|i|we|they|he|she|there)›|[^,]*‹(?:is|are|was|were)›)[^,]{3,80}, not (?!(?:worth|sure|yet|good|great|bad|that|so|very|really|too|enough|even|to mention|my|again|here)›)(?:\S+\s?){1,5}[.!]?$`,
  String.raw`^(?!(?:let|it|this|that|i|we|he|she|they|me|the)›)(?:[^\s,]+\s){1,4}first[.!]?$`,
  String.raw`^(?!(?:it|this|that|the|requests?|traffic|calls?|we|i|they|you|he|she)›)(?:[^\s,]+\s){1,6}?(?:goes|go) (?:to|through|via|into|under|in|by|behind)›`,
  String.raw`^(?!(?:it|this|that|everything|the (?:rest|error|problem|issue|bug|test|cpu|memory|load))›)(?:[^\s,]+\s){1,7}?(?:stays?|remains?) (?!(?:red|broken|stuck|empty|down|zero|the same|slow|high|unclear|as it was|there|a mystery)›)\p{L}+`,
  "‹keeps? \\p{L}+ing (?:until|till|while|during|as long as)›",
  "‹(?:needs?|requires?) (?:my|our|two|approval|sign-?off|reviews?|prior|explicit|written|permission|a (?:second|test|note|review|reviewer|comment|ticket|reason|plan|sign-?off))›",
  String.raw`^(?:[\p{L}-]+\s){1,4}only[.!]?$|^(?:just|only) [^,]{3,60}, no(?:t|thing)?\s`,
  String.raw`^(?!(?:${MANNER}|${TASK}|next|the|an?|thanks|yes|no)›)(?:[\p{L}-]+\s){1,2}[\p{L}-]+s,? please[.!]?$`,
  String.raw`^(?:during|until|while|in|on|at|for|before|after|as long as)\s(?:[^\s]+\s){1,7}?(?:only|nobody|nothing|no one|we only)\s(?!(?:was|were|happened|saw|one|two)›)\p{L}+`,
  "‹(?:fine|ok|okay|allowed|welcome) .{2,60} but (?:not|never|only|nothing)›",
  String.raw`^(?!let['’]s›)(?!(?:we|i|it|they|he|she|you|that|this|why|but|and|there)›)[\p{L}\d'"${"`"}_-]{2,24},?\s(?:not|over|instead of|never)\s[\p{L}\d'"${"`"}_-]{2,24}(?:\s|$|[.,!])`,
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
  "‹(?:was|were|had|did|didn['’]t|wasn['’]t|weren['’]t|used to|has been|have been|got|went|saw|noticed|failed|fails|crashe[sd]|happens?|occurs?|reproduces?|so far|yesterday|ago|apparently|seems?|looks? like|turns out|maybe|perhaps|probably|not sure|wonder|suspect|could be|for some reason|in theory|tells us|told us|somehow|the problem|weird|strange|arrived|reach(?:es)?|since|yet)›",
  "^(?:i|as|that|it|this|there|which|why|how|what|where|who|when)›(?!.*‹(?:you|we|nobody|every|all|each) )(?!['’]d)",
  "‹(?:it|this|that|which|there|they|he|she) (?:should|may not|has to|needs? to|might)›",
  "‹i (?:should|have to|need to|ought to)›",
  "‹(?:don['’]t|do not|doesn['’]t|not) (?:have|need) to›",
);

export const english: InstructionPatterns = {
  lead: /^(?:(?:and|also|so|but|then|now|ok(?:ay)?|please|pls|plz|kindly|just|btw|by the way|again|next|finally|lastly|yes|yep|right|well|oh|hey|thanks|thank you|one more thing|in general|generally|general remark|additionally|still|therefore|hence|for now|p\.?s\.?)[\s,:–-]+){1,4}/i,
  firm,
  soft,
  account,
  asked: [
    compilePattern(
      "^(?:and |so |also |ok(?:ay)?,? )?(?:can|could|would|will) you (?:please )?(?:always|never|not|only|stop|make sure|avoid|ensure|keep|stick to|from now on|refrain)›",
    ),
  ],
};
