/** Instruction patterns of languages with less coverage: words of obligation and prohibition only. */

import { formsOf, type InstructionPatterns } from "./instructionPatterns.ts";

/** Patterns in the form of {@link formsOf}, one for each strength. */
export function formsBy(firm: string, soft: string, account: string): InstructionPatterns {
  return { lead: /^[\s,]{1,4}/, firm: formsOf(firm), soft: formsOf(soft), account: formsOf(account), asked: [] };
}

export const italian = formsBy(
  "‹(?:devi|dovete|bisogna|vietat[oaie]|obbligatori[oaie]|d['’]ora in poi|in nessun caso|assicurati|assicuratevi|ricordati?|ricordatevi|evita(?:te)?|evitare|preferisc[io]|preferite|preferire|voglio che|vorrei che|invece di|piuttosto che)›|^(?:non|mai|sempre|niente)\\s(?!(?:funziona|è|so|va|ho|c['’]è|capisco|vedo|trovo)›)\\S|^(?:regola|vincolo|convenzione|requisito|importante)\\s?:",
  "‹(?:deve|devono|dovrebbe|dovrebbero|mai|sempre|solo|va|vanno)›|‹(?:ogni|tutt[ieo]|nessun[oa]?)› .*‹(?:deve|devono|va|vanno|passa|resta|restano)›",
  "‹(?:era|erano|aveva|avevano|ieri|sembra|forse|probabilmente|ancora|fallisce|non funziona|questo dovrebbe)›",
);

export const dutch = formsBy(
  "(?<!‹(?:dat|het|dit) )‹(?:moet|moeten)›(?! (?:ik|even|dit|het wel)›)|‹(?:verboden|verplicht|vanaf nu|voortaan|in geen geval|onder geen beding|niet toegestaan|mag (?:niet|nooit|alleen|geen)|mogen (?:niet|nooit|alleen|geen)|zorg (?:ervoor|dat)|onthoud|vermijd|liever|ik wil dat|in plaats van)›(?! (?:ik|even|dit|het wel)›)|^(?:nooit|altijd|geen)\\s(?!(?:idee|probleem|gezien|fout|reactie)›)\\S|^(?:regel|afspraak|eis|belangrijk|conventie)\\s?:",
  "‹(?:hoort|horen|zou moeten|zouden moeten|dient|dienen|alleen via|alleen met|alleen na)›|‹(?:nooit|altijd|niet|geen) .*\\p{L}+en[.!]?$|^(?:elke?|alle|niemand|niets) .*‹(?:krijgt|krijgen|gaat|gaan|blijft|blijven|nodig)›",
  "‹(?:was|waren|had|hadden|gisteren|blijkbaar|misschien|waarschijnlijk|nog steeds|faalt|werkt niet|dat moet|het moet)›",
);

export const polish = formsBy(
  "‹(?:musi|muszą|musisz|nie wolno|zabronion[eya]|zakazan[eya]|obowiązkow[eoy]|od teraz|pod żadnym pozorem|upewnij się|pamiętaj|unikaj|wolę|zamiast|należy|trzeba)›|^(?:nie|nigdy|zawsze|żadnych)\\s(?!(?:wiem|działa|ma|było|jest|widzę|rozumiem|mogę)›)\\S|^(?:zasada|reguła|wymaganie|ważne)\\s?:",
  "‹(?:powinien|powinna|powinno|powinny|tylko (?:przez|po|z|w)|może tylko)›|^(?:każd[yae]|wszystkie|nikt|nic)\\s.*‹(?:musi|muszą|ma|mają|przechodzi|wymaga|nie)›",
  "‹(?:był|była|było|były|wczoraj|chyba|może|prawdopodobnie|podobno|to powinno|nie działa)›",
);

export const russian = formsBy(
  "(?<!‹это )‹(?:должен|должна|должно|должны|нельзя|запрещено|запрещается|запрещены|обязательно|обязан|обязаны|отныне|впредь|с этого момента|ни в коем случае|ни при каких|не допускается|необходимо|нужно|надо|убедись|убедитесь|помни(?:те)?|запомни(?:те)?|избегай(?:те)?|предпочитаю|предпочитай(?:те)?|хочу,? чтобы|вместо)›(?! (?:быть,? (?:это|баг)|посмотреть|понять)›)|^(?:не|никогда|всегда|только|никаких)\\s(?!(?:работает|знаю|было|был|могу|понимаю|вижу|получается|хватает)›)\\S|^(?:правило|ограничение|требование|важно|договорились)\\s?[:–—]",
  "‹(?:следует|стоит|только (?:через|после|с|в))›|^(?:кажд(?:ый|ая|ое)|все|никто|ничто|ни один|любой)\\s.*‹(?:проходит|требует|остаётся|не|идёт|получает)›",
  "‹(?:был|была|было|были|вчера|кажется|наверное|вероятно|может быть|похоже|опять|снова|падает|не работает|это должно)›",
);
