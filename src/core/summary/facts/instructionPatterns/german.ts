/** Instruction patterns of German. */

import { compilePattern, formsOf, type InstructionPatterns } from "./instructionPatterns.ts";

/** Imperatives, familiar and polite. */
const IMPERATIVE =
  "lass(?:t|en sie)?|nimm|nehmt|nehmen sie|nutzt?e?|nutzen sie|verwende[nt]?(?: sie)?|benutze?n?(?: sie)?|schreibe?n?(?: sie)?|schreibt|frage?n?(?: sie)?|fragt|achtet?(?: auf)?|achten sie|halte?n?(?: sie)?|haltet|bleibe?n?(?: sie)?|bleibt|gib|gebt|geben sie|mach|macht|machen sie|setze?n?(?: sie)?|stelle?n?(?: sie)?|lege?n?(?: sie)?|lies|lest|starte?n?(?: sie)?|stoppe?n?(?: sie)?|ruf|rufe?n?(?: sie)?|melde?n?(?: sie)?|meld|sag|sage?n?(?: sie)?|teste?n?(?: sie)?|prüfe?n?(?: sie)?|prüf|ändere?|ändern sie|lösche?n?(?: sie)?|lösch|antworte?n?(?: sie)?|behandle|behandeln sie|beschränke?n?(?: sie)?|warte?n?(?: sie)?|zeige?n?(?: sie)?|zeig|arbeite?n?(?: sie)?|spiele?n?(?: sie)?|fass|fasse?n?(?: sie)?|rolle?n?(?: sie)?|logge?n?(?: sie)?|bau|baue?n?(?: sie)?|trag|trage?n?(?: sie)?|kommentiere?n?(?: sie)?|dokumentiere?n?(?: sie)?|sichere?n?(?: sie)?|informiere?n?(?: sie)?|sprich|sprecht|plane?n?(?: sie)?";
/** Makes an instruction lasting. */
const LASTING =
  "nur|ausschließlich|nie|niemals|immer|stets|alle[mnrs]?|jede[mnrs]?|vorher|zuerst|erst|bevor|nachdem|nicht|kein(?:e[mnrs]?)?|ohne|statt|anstatt|anstelle|außer|so|in ruhe|unverändert|überall|grundsätzlich|spätestens|höchstens|mindestens|maximal|pro|sobald|wenn|falls|solange|bis|auf (?:deutsch|englisch)|möglichst|per hand|von hand|mehr als|weniger als|weiterhin|vor (?:jede[mnrs]?|dem|der)|nach jede[mnrs]?";

const firm: readonly RegExp[] = formsOf(
  "‹ohne (?:\\S+\\s){1,3}kein(?:e[mnrs]?)?›|‹(?:nichts|niemand) (?:\\S+\\s){0,4}?(?:ohne|außer|bevor|vor)›",
  "^(?:im zweifel|bei unklarheit|bei fragen|bei zweifeln?|in jedem fall|auf jeden fall)›(?! (?:war|ist|lag|liegt|hat|geht)›)",
  "‹du (?:darfst|kannst) [^,]{2,80},? aber›|‹ihr (?:dürft|könnt) [^,]{2,80},? aber›",
  "‹ich (?:entscheide|gebe frei|sage,? wann)›|^warte(?:t|n sie)? auf (?:mein|meine|das|die)›",
  "^(?:[\\p{L}-]+\\s){1,4}(?:geht|gehen|kommt|kommen) vor\\s\\p{L}+|‹(?:steht|stehen) fest›|‹(?:ist|sind) (?:endgültig|nicht verhandelbar|unveränderlich|gesetzt|final)›",
  "^(?:sobald|wenn|falls|bevor|nach|vor|bei)\\s[^,]{2,120},\\s(?:sofort\\s|erst\\s|immer\\s|bitte\\s)*\\p{Ll}+(?:en|ern|eln)[.!]?$",
  "^(?:vor|nach|bei|während|zwischen)\\s(?:\\S+\\s){1,5}?(?:bescheid (?:geben|sagen)|\\p{Ll}{4,}(?:en|ern|eln))[.!]?$",
  "‹(?:darf|dürfen|darfst|dürft) (?!ich›|wir›)(?:.{1,80}\\s)?(?:nicht|nie|niemals|nur|kein(?:e[mnrs]?)?|erst|höchstens|maximal|ausschließlich|auf keinen fall|keinesfalls)›|^(?:nichts|niemand|keine?r?)\\s.*‹darf›",
  "‹(?:spätestens|auf keinen fall|keinesfalls|unter keinen umständen|ab (?:jetzt|sofort|heute)|von nun an|künftig|zukünftig|in zukunft|grundsätzlich|prinzipiell|ausnahmslos|ohne ausnahme|bis auf weiteres|verboten|untersagt|tabu|nicht erlaubt|nicht gestattet|unzulässig|verpflichtend|ist pflicht|sind pflicht|pflicht ist|finger weg|hände weg)›",
  "^(?:merk(?:e|t)? (?:dir|euch)|merken sie sich|denkt?e? (?:dran|daran|an)|denken sie|achte[nt]?(?: sie)? (?:auf|darauf)|pass(?:t)? auf|vergiss|vergesst|vergessen sie|stelle?n?t?(?: sie)? sicher|sorge?n?t?(?: sie)? dafür|vermeide[nt]?(?: sie)?|bevorzuge[nt]?(?: sie)?|beachte[nt]?(?: sie)?|behalte[nt]? im|unterlass|wichtig ist|es gilt|gilt ab)›",
  "‹ich (?:möchte|will|erwarte|bestehe|wünsche|hätte gern|bitte|verlange)(?!› (?:nur )?(?:wissen|verstehen|sehen|fragen|kurz|mal))›|‹wir (?:erwarten|bestehen|wünschen|verlangen|wollen (?:kein|nur|nicht|immer)e?[mnrs]?)›|‹mir (?:ist|wäre) (?:es )?(?:wichtig|lieber)›|‹uns ist (?:es )?wichtig›",
  "^(?:niemals?|nie|immer|stets)\\s(?!(?:noch|wieder|mehr|gedacht|gesehen|gehört|gehabt|das gleiche|dasselbe|der|die)›)(?:.+\\s)?\\p{L}+(?:en|ern|eln|n)[.!]?$",
  "^(?:niemals?|immer|stets)\\s(?:erst|nur|mit|ohne|in|auf|über|vor|nach|per|zuerst|über)›",
  "^(?!.*‹(?:habe?|haben|hast|hat|hatte|hatten|war|waren|wurde|wurden|worden|ist|sind|geht|bin|ging|kam|kann|können|konnte|ich)›)(?:.*\\s)?(?:niemals|nie|immer|stets|nur|nicht|keine?[mnrs]?|ausschließlich|erst|vorher|zuerst|statt|ohne)›(?!\\s(?:noch|wieder)›).*\\s(?:\\p{Ll}{3,}(?:en|ern|eln)|tun|sein)[.!]?$",
  "^(?!ich›|wir›|es›)(?:.*\\s)?kein(?:e[mnrs]?)?\\s(?:\\S+\\s){1,6}?(?:ohne|auf|in|im|vor|nach|außerhalb|während|zwischen|ab|am|mehr (?:in|auf|ohne))›(?!.*‹(?:haben?|hat|hatte|gab|gibt|war|wurde|ist|sind|kam|sehe|finde|fand|geht|bekomme)›)",
  "^(?:bitte|bitte,)\\s(?:.*\\s)?(?:" + LASTING + ")›",
  `^(?:${IMPERATIVE})\\s(?:.*\\s)?(?:${LASTING})›`,
  "^(?!(?:es|das|sie|er|dies)›)(?:.*\\s)?(?:werden|wird)\\s(?!wohl›|wahrscheinlich›)(?:.{1,80}\\s)?(?:nicht|nie|niemals|immer|stets|nur|ausschließlich|grundsätzlich|erst)\\s(?:.{1,80}\\s)?(?:ge\\p{L}+|\\p{L}+(?:ge\\p{L}+t|ge\\p{L}+en)|(?:ver|be|er|ent|zer|über|unter)\\p{L}+(?:t|en)|\\p{L}+iert)[.!]?$",
  "^(?:(?:haus|grund|feste |goldene )?regel|vorgabe|bedingung|vereinbarung|konvention|anforderung|auflage|vorschrift|grundsatz|prinzip|wichtig|abgemacht|ausgemacht|verboten|pflicht|merke|vereinbart)n?(?: (?:nr\\.? ?)?\\d+| \\p{L}+){0,2}\\s?[:–—]\\s?\\S",
  "‹(?:wir (?:haben|hatten)|haben wir) .{0,60}(?:vereinbart|ausgemacht|abgemacht|festgelegt|verabredet)›|‹wie (?:vereinbart|abgemacht|besprochen)›|‹(?:unsere|die|feste) (?:regel|vorgabe|vereinbarung|konvention) (?:ist|lautet)›",
  "‹(?:wir|man)\\s(?!haben›|hatten›|waren›|wurden›|sind›|können›|konnten›|wissen›|verstehen›|sehen›)\\p{L}+(?:en|t)\\s(?:.{1,80}\\s)?(?:nie|niemals|immer|stets|nur noch|grundsätzlich|ausschließlich|keine?[mnrs]?|nicht)›(?!\\s(?:noch|wieder|mehr weiter)›)(?!.*‹(?:gesehen|gefunden|verstanden|gehört|gewusst|sicher|weiter)›)",
  "^(?:wenn|falls|sobald|bevor|nachdem|vor|nach|bei|solange|ehe)\\s(?!ich›)[^,]{2,160},?\\s(?:dann\\s|bitte\\s|immer\\s|erst\\s|zuerst\\s|vorher\\s)*(?:" +
    IMPERATIVE +
    "|(?:\\S+\\s){1,6}(?:ziehen|machen|laufen lassen|prüfen|sichern|fragen|melden|informieren|abstimmen|aktualisieren|mitpflegen|anpassen|anlegen|testen|warten))(?:[\\s.!]|$)",
  "‹(?:lieber|besser|eher) (?:\\S+\\s){1,8}als›|^(?:lieber|bevorzugt|möglichst|am liebsten)\\s(?!hätte›)\\S",
  "^(?:\\S+\\s){1,3}(?:statt|anstatt|anstelle von)\\s\\S+[.!]?$|^\\p{Lu}[\\p{L}-]+,?\\s(?:nicht|kein)\\s\\p{Lu}\\S+[.!]?$",
  "^(?:maximal|höchstens|mindestens|nicht mehr als|nicht weniger als|genau|nur|ein|eine|zwei|drei|\\d{1,4})\\s(?:\\S+\\s){1,5}?(?:pro|je|für jede[nrs]?|in jede[mr]|bei jede[mr])›",
);

const soft: readonly RegExp[] = formsOf(
  "^(?!(?:der|das|die|es|sie|er|ich|wir|du|ihr|alle|anfragen?)›)(?:[^\\s,]+\\s){1,5}?(?:gehen|gehören|laufen|kommen|stehen) (?:an|in|ins|nicht|nie|über|durch|unter|zu|zum|zur|gegen|bis|still|nur|auf|per|immer)›",
  "‹(?:gehört|gehören) (?:nicht |nie )?(?:in|ins|an|auf|unter|zu|zum|zur)›|‹(?:brauch(?:t|en)|benötigt|benötigen|erforder(?:t|n)) (?:meine?|unsere?|eine? (?:freigabe|test|prüfung|zweite)|zwei|freigabe|zustimmung|rücksprache)›",
  "^keine?\\s(?!(?:ahnung|änderung|fehler|idee|sorge|frage|problem|angst|zeit|antwort|ursache|lust|wunder|reaktion|weitere|daten|meldung|treffer|eile|panik)(?:en|n)?›)[\\p{L}-]+[.!]?$",
  "^(?!(?:mir|mich|jetzt|hier)›)(?:\\p{L}+\\s){1,2}bitte[.!]?$|^(?:nur|bloß|einfach)\\s[^,]{2,60}, kein(?:e[nr]?)?\\s|^[^,]{3,80}, nicht (?:gegen|in|im|auf|an|mit|von|per|aus|der|die|das)›",
  "^wir bleiben (?:bei|auf|in)›|^man\\s(?!(?:sieht|kann|weiß|hat|merkt|könnte|muss sich)›)\\p{L}+t\\s.{4,}",
  "^(?:\\S+\\s){1,3}(?:auf|in) (?:deutsch|englisch|französisch)›|^(?:\\S+\\s){1,2}(?:nur|immer|stets|nie|erst)\\s(?!(?:noch|wieder|zwei|einmal|kurz)›)\\S+(?:\\s\\S+){0,3}[.!]?$",
  "^(?:maximal|höchstens|mindestens|nie mehr als|nicht mehr als)\\s\\S+\\s\\S+",
  "‹(?:muss|müssen|musst|müsst)›(?! (?:ich|mal|wohl|das|es|noch|erst mal)›)",
  "‹(?:soll|sollst|sollen|sollt|sollte|sollten)›(?! (?:mal|ich|wir|man|das|es|jetzt|eigentlich|so|nun|passen|klappen|reichen|gehen|funktionieren|helfen|genügen|schon)›)",
  "^(?!es›|das›|der rest|alles›|der fehler|das problem|wir›|ich›)(?:[^\\s,]+\\s){1,6}?(?:bleibt|bleiben)\\s(?:auf|aus|an|bei|in|im|unter|über|so|wie|unverändert|unangetastet|gesperrt|eingefroren|zu|geschlossen|intern|privat|read-only|bis)›",
  "^(?:jede[rsmn]?|alle|sämtliche|nichts|niemand|keine?r?)\\s(?:\\S+\\s){0,7}?(?:braucht|brauchen|bekommt|bekommen|bleibt|bleiben|gehört|gehören|geht|gehen|läuft|laufen|steht|stehen|hat|haben|kommt|kommen|wird|werden|fasst|rührt|startet|ändert|deployt|merged?t?|schreibt|löscht)\\s.{3,}",
  "^nur\\s(?:\\S+\\s){1,6}?(?:darf|dürfen|mit|über|per|nach|von|via|in|im|auf|wenn|falls|solange)›",
  "^(?:\\S+\\s){1,5}(?:nur|erst)\\s(?:mit|nach|über|per|von|via|in|im|auf|wenn|falls|ab|zwischen|bei|durch|am|vom|zum)›",
  "^(?:\\S+\\s){0,5}?(?:vor|nach|bei) jede[mnrs]?\\s\\S+",
  "^(?:erst|zuerst)\\s.{2,80}\\s(?:dann|danach)›",
  "‹(?:ist|sind|hat|haben)\\s(?:\\S+\\s){0,4}?zu\\s\\p{Ll}+(?:en|ern|eln)[.!]?$",
);

const account: readonly RegExp[] = formsOf(
  "‹(?:timeout|stürzt|durch|niemand weiß|dritte[rnms]?|zweite[rnms]?|war|waren|wurde|wurden|worden|hatte|hatten|ging|kam|kamen|sah|fand|musste|mussten|sollte eigentlich|gestern|vorhin|bisher|anscheinend|offenbar|scheinbar|vielleicht|vermutlich|wahrscheinlich|irgendwie|glaube ich|schon immer|immer noch|noch immer|immer wieder|wie immer|gar nichts mehr|gar nicht mehr|seit|wohl|komisch|seltsam|scheitert|schlägt fehl|stürzt ab)›",
  "‹(?:das|es|dies|dieser|dieses) (?:muss|soll|sollte|müsste|bleibt|ist)›|‹ich (?:muss|soll|sollte|müsste|musste|schaue)›",
  "^(?:ich|es|das|warum|wieso|was|wie|wer|wo|wann|welche[rs]?)›",
  "‹(?:muss|müssen|sollen|brauchen?) (?:nicht|kein\\p{L}*)›(?!.*‹(?:sein|werden)›)",
);

export const german: InstructionPatterns = {
  lead: /^(?:(?:und|auch|also|aber|dann|jetzt|ok(?:ay)?|gut|ja|noch was|noch etwas|übrigens|außerdem|nochmal|hinweis|danke|achtung|p\.?s\.?|generell|ganz wichtig)[\s,:–-]+){1,4}/iu,
  firm,
  soft,
  account,
  asked: [
    compilePattern(
      "^(?:und |ok(?:ay)?,? )?(?:kannst|könntest|können|könnten|würdest|würden) (?:du|ihr|sie) (?:bitte )?(?:.{1,60}\\s)?(?:immer|nie|niemals|nur noch|künftig|ab jetzt|in zukunft|nicht mehr|stets)›",
    ),
  ],
};
