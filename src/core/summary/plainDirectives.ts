/**
 * Which directives are orders beyond doubt. Recognition takes in whatever may direct, as nothing that does may be lost; only
 * what is plainly an order is to be headed as one. What is reported, asked, concluded or told of oneself is kept all the same.
 */

import { isDirective, isQuestion } from "./directives.ts";
import { formsFor } from "./orders/languages.ts";
import { directsFirmlyBy, formsOf } from "./orders/orderForms.ts";

/** Whether a sentence of the user says plainly, and of itself, how something is to be. */
export function isPlainDirective(sentence: string): boolean {
  if (!isDirective(sentence)) return false;
  if (isQuestion(sentence)) return true; // one that directs asks for something lasting
  if (DOUBTFUL.some((sign) => sign.test(sentence))) return false;
  return formsFor(sentence).some((forms) => directsFirmlyBy(forms, sentence));
}

/** Whether a sentence may direct, and is not plainly an order. */
export function isDoubtfulDirective(sentence: string): boolean {
  return isDirective(sentence) && !isPlainDirective(sentence);
}

/** Verbs with which people tell what others say, think or want; with "I" and "we" as subject they are one's own word. */
const REPORTED = formsOf(
  "(?<!‹(?:i|we|i['’]d|we['’]d|you)(?: \\p{L}+)? )‹(?:sa(?:ys|id)|claim(?:s|ed)|told|tells|think(?:s)?|thought|believe[sd]|swears?|swore|argue[sd]|suggest(?:s|ed)|recommend(?:s|ed)|insist(?:s|ed)|demand(?:s|ed)|want(?:s|ed)|ask(?:s|ed)|wr(?:ites|ote)|mention(?:s|ed)|state[sd]|allege[sd]|feels|felt|of the (?:view|opinion)|according to|supposedly|allegedly|reportedly)›",
  "(?<!‹(?:ich|wir) )‹(?:sagt(?:e|en)?|mein(?:t|te|ten)|behaupte(?:t|te|ten)|glaub(?:t|te|ten)|erzähl(?:t|te|ten)|schr(?:eibt|ieb|ieben)|laut|angeblich|hieß es|(?:stand|steht) (?:in|im|auf|da|dort))›",
  "‹(?:disait|disent|a dit|dit que|prétend(?:ait)?|affirm(?:e|ait)|pens(?:e|ait)|croit|voulait|selon|paraît|il paraît)›",
  "‹(?:dice|decía|dijo|dicen|afirma(?:ba)?|cree|creía|quería|según|dizia|disse|diz|dizem|acha(?:va)?|queria|segundo|diceva|dicono|sostiene|sosteneva|voleva|secondo)›",
  "‹(?:zegt|zei|zeiden|beweert|beweerde|vindt|vond|volgens|mówił[aoi]?|mówi|twierdzi(?:ł[aoi]?)?|podobno|według|говорил[аи]?|сказал[аи]?|говорит|говорят|утвержда(?:ет|л[аи]?)|считает|по словам|якобы)›",
  "听说|据说|(?:说过|说是|认为|觉得)|と言って|と言い|と言わ|と思|そうです|らしい|(?:다고|라고|냐고|자고) ?(?:하|해|했|말|물|들|그)|더라",
);

/** Words with which a question begins, that has no mark at its end. */
const ASKED = formsOf(
  "^(?:\\p{L}+,? ){0,2}(?:why|how come|how do|how does|what if|who|whose|does|do (?:you|we|they)|did|is (?:it|there|this|that)|are (?:you|we|they|there)|has (?:anyone|it)|have you|anyone|warum|wieso|weshalb|pourquoi|por qué|por que|porquê|perché|waarom|dlaczego|czemu|почему|зачем)›",
  "为什么|怎么|なぜ|どうして|왜 ",
);

/** What is concluded from what one sees: of something that is over, or without saying of what. */
const CONCLUDED = formsOf(
  "‹(?:must|should|could|would|might|ought to|need|can)(?:n['’]t| not| never| always)? have (?:\\p{L}+ly )?\\p{L}+(?:ed|en|wn|t|d|ne|un|me|en)›",
  "‹could (?:never|always|not|only)›|‹(?:must|has to|have to) be (?:the|a|an|some|my|your|our|their|in|on|at|somewhere|something|because|due|down to|another|one of|related)›",
  "‹(?:muss|müssen|müsste|dürfte|sollte)›.*‹(?:haben|gewesen sein|worden sein)[.!]?$",
  "^(?:(?:ça|cela|ce|c['’]|ceci) |)(?:doit|devait|devrait)›|^(?:deve|debe|devono|deben|dovrebbe|debería|deveria)›|‹debe de›|^(?:acho|creo|credo|supongo|imagino) que›",
  "^(?:dat|het|dit) (?:moet|zou)›|^to (?:musi|powinno)›|^это (?:должно|нужно)›|吧[。！]?$|はず|かもしれ|것 같",
  "‹(?:used to|back (?:then|in)|yesterday|last (?:year|week|month|time|night)|in the old days|früher|gestern|damals|autrefois|avant,|hier|ayer|antes había|ontem|ieri|vroeger|gisteren|wczoraj|kiedyś|вчера|раньше)›|以前|从前|昔|以前は|前は|예전",
);

/** What somebody tells of oneself: a habit, an experience, a feeling. */
const TOLD_OF_ONESELF = formsOf(
  "^(?:\\p{L}+,? )?i(?:['’]ve| have|['’]d| had)? (?:never|always|only|just)›(?! (?:want|accept|approve|merge|sign)›)|^never (?:thought|seen|heard|knew|had|mind|been)›",
  "‹ich (?:habe|hab|hatte|bin|war|vergesse|verstehe)›|‹je n['’]ai›|‹j['’]ai›|^(?:nunca|jamás|siempre) (?:he|había|hemos)›|^nunca \\p{L}*(?:i|é|í|tinha|tenho)›|^rien à›|^(?:non|mai) (?:ho|avevo|abbiamo)›|‹ik (?:heb|had|ben)›|^nigdy nie \\p{L}+(?:łem|łam|liśmy)›|‹я (?:никогда|всегда)›",
  "(?:从来没|从没|没见过)|(?:ました|でした|ていた)[。！]?$|(?:았|었|했|였|본 적)(?:어요|습니다|네요|다|이 없)",
);

const DOUBTFUL = [...REPORTED, ...ASKED, ...CONCLUDED, ...TOLD_OF_ONESELF];
