/** Word lists of the English instruction patterns, as regular expression alternatives. */

/** Leading place or time of an instruction: "on staging", "during the freeze". Not where a subject follows. */
export const PLACE = String.raw`(?:(?:in|on|for|with|at|under|within|inside|during|around|near|between|until|before|after|while)\s(?:(?!(?:i|we|it|you|they|he|she|that|this|which)›)[^\s,]+\s){1,6}?)?`;

/** Verbs whose instructions say how something is done, or who is told. */
export const MANNER =
  "use|keep|leave|put|stick|follow|make|treat|name|call|answer|reply|respond|write|format|indent|sort|group|order|target|support|assume|focus|limit|cap|begin|end|mark|tag|prefix|suffix|wrap|throw|catch|handle|translate|mention|include|exclude|cite|quote|work|stay|let|hide|sign|pin|gate|guard|escape|validate|store|log|return|pass|spell|capitalize|deploy|release|ship|merge|commit|push|schedule|throttle|retry|announce|report|post|document|record|track|tell|inform|notify|back|encrypt|mask|redact|rotate|batch|page|quote|link|attach|label|separate|isolate|preserve|protect";

/** Verbs that ask for a single piece of work as often as not. */
export const TASK =
  "ask|fix|stop|skip|show|run|update|add|test|check|read|explain|wait|start|finish|touch|change|rename|move|split|review|confirm|list|give|restart|delete|remove|drop|create|build|install|open|close|send|copy|edit|ping|warn|alert|escalate|talk|consult|do|go|get|take|try|set|switch|enable|disable|raise|bump|upgrade|remind|roll back|revert|freeze|pause|resume|drain|shed|save|verify|scale|silence|mute|hold|reject|refuse|decline|accept|allow|block|count|measure|plan|propose|suggest|rebase|squash|archive|clean|tidy|pull|loop|fall back|back off|abort|cancel|fail|degrade|render|load|cache|fetch|sync";

/** Makes an instruction lasting, whatever its verb. */
export const LASTING = String.raw`only|unless|until|till|whenever|every time|each time|instead(?: of)?|rather than|without|nothing|none|anywhere|everywhere|by default|throughout|consistently|existing|as is|as (?:it is|they are)|at (?:most|least)|no (?:more|less|fewer|longer)|in (?:english|german|french|spanish|chinese|japanese)|for now|from here|(?:before|after) (?:you|we|any|every|each|the code|i)|(?:before|after) \p{L}+ing|alone|outside|exclusively|one at a time|by hand|manually|in small steps|if|when|as soon as|as long as`;

/** Makes an instruction about manner apply to more than one thing. */
export const WIDE =
  "all|any|every|everything|each|no|anything|same|both|either|exactly|first|before|after|over|not|never|always|to a minimum|per";

/** Subjects of rules that apply to all of a kind. */
export const UNIVERSAL =
  "every|each|all|any|no|nobody|no ?one|nothing|none of|everything|everyone|everybody|anything|anyone|whoever|whatever|both";

/** Verbs of rules: what a subject does or has done to it. */
export const NORM =
  "needs?|must|may|should|shall|can only|can not|can['’]t|cannot|has to|have to|is to|are to|goes|go|gets?|stays?|remains?|belongs?|requires?|lands?|ships?|merges?|deploys?|restarts?|touche?s?|leaves?|enters?|pushe?s?|writes?|asks?|carr(?:y|ies)|comes? with|counts? as|waits?|reads? from|talks? to|runs? (?:in|on|under|behind|through|only|as|with|before|after)|(?:is|are|gets?) (?:merged|deployed|shipped|released|changed|written|logged|stored|committed|pushed|sent|published|deleted|removed|touched|added|reviewed|tested|signed|kept|done|made|approved|announced|documented)";

/** After "never", "always", "not": these report events or feelings. */
export const TOLD =
  "mind|worry|know|knew|think|thought|had|has|seen|saw|got|been|heard|was|were|fail|fails|failed|works?|worked|crashe[sd]|happens?|happened|the|an?|there|bother(?:ed)?|sure|yet|again|enough|quite|really|understand|understood|get me|mean|expected|used to|found|be afraid|in my|once|did|does|this|that|it|so|came|went|made|took|gave|told|said|kept|wrote|ran|left|lost|meant|felt|began|broke|chose|built|managed|noticed|wanted|asked|tried";

/** After "no": reported as missing, not forbidden. */
export const MISSED =
  "idea|problem|need|worr(?:y|ies)|thanks|clue|one|way|luck|matter|doubt|changes?|longer|further|other|such|real|big|major|more|it|that|this|i|we|you|errors?|output|responses?|answers?|differences?|news|signs?|trace|results?|effect|reasons?|evidence|remarks?|objections?|questions?|issues?|hits?|match(?:es)?|crash(?:es)?|failures?|warnings?|progress|impact|hint|improvement|success|access|chance|hurry|rush|wonder|surprises?|point|open|offen[cs]e|dice|joy|requests?|rows?|connection|signal|tests? (?:ran|fail)|messages?|time|worries";
