/** Instruction patterns of French. */

import { compilePattern, formsOf, type InstructionPatterns } from "./instructionPatterns.ts";

/** Imperatives and infinitives that say how something is done. */
const VERB =
  "(?:utilis|emploi|employ|gard|laiss|demand|arrêt|vérifi|test|not|ajout|modifi|chang|supprim|effac|touch|limit|respect|commit|pouss|publi|déploy|montr|nomm|appel|document|comment|trait|pass|lanc|consult|sign|tradui|aliment|préviens?|document|log|journalis|cré|fusionn|nettoy|sauvegard|attend|aligne?|indent|format|sépar|group|rang|plac|valid|relance|redémarr|ignor|privilégi|préfér|évit|conserv)(?:e|es|ez|er|s|is|ez-vous)?|écri(?:s|vez|re)|mets|mettez|mettre|fais|faites|faire|tiens|tenez|tenir|prends|prenez|prendre|lis|lisez|lire|dis|dites|dire|réponds|répondez|répondre|reste[rz]?|préviens|prévenez|prévenir|attends|attendez|attendre|suis|suivez|suivre|traduis|traduisez|traduire|rends|rendez|rendre|maintiens|maintenez|maintenir|reviens|revenez";
const LASTING =
  "uniquement|seulement|exclusivement|que|toujours|jamais|tous|toutes?|tout|chaque|aucune?|avant|après|sans|plutôt que|au lieu de?|à la place|sauf|à moins|tant que|jusqu['’]à|d['’]abord|partout|systématiquement|par défaut|en (?:français|anglais)|au (?:plus|moins|maximum|minimum)|dès que|lorsque|quand|si|pas plus|maximum|tel(?:le)?s? quel(?:le)?s?|de côté|intacte?s?|par|les mêmes|le même|la même|tranquilles?";

const firm: readonly RegExp[] = formsOf(
  "^(?:évitons|gardons|restons|laissons|utilisons|préférons|n['’]oublions|limitons|respectons|conservons|privilégions|faisons attention)›|^mieux vaut›|^en cas de doute›|‹(?:tu peux|vous pouvez) [^,]{2,80},? mais›|^attend(?:s|ez) (?:mon|ma|le|la) (?:feu vert|accord|validation|signal|confirmation)",
  "^garde[rz]?\\s(?:\\S+\\s){1,6}(?:lisible|simple|court|courte|petit|petite|privé|propre|stable|compatible|synchrone|pure?)s?›",
  "^(?:on|nous) reste(?:ons)? (?:sur|à|en|avec|au)›|‹(?:n['’]est|ne sont|n['’]est) (?:pas négociable|plus négociable)s?›|‹(?:est|sont) (?:définitif|définitive|définitifs|non négociable|immuable|figé|figée)s?›",
  "^(?:[\\p{L}'’]+\\s){1,4}(?:passe|passent|vient|viennent|prime|priment) (?:avant|sur)›|‹(?:je décide|c['’]est moi qui (?:décide|valide))›",
  "‹(?:ne|n['’]) ?(?!(?:a|ai|est|sait|marche|fonctionne|passe)›)\\p{L}+(?:nt|it|a|e|t) jamais (?:dans|en|sur|à|au|être|par|sans|directement)›",
  "(?<!‹(?:je|j['’]ai|ça|cela|il y) )‹(?:devez|dois|doit|doivent|devront|devra)›(?! (?:être (?:dû|lié|un bug|le|la)|avoir (?:été|oublié)|avouer|dire)›)(?!.*‹(?:être (?:dû|lié)|sans doute)›)",
  "(?<!‹(?:comme|ce qu)['’]?)‹il (?:ne )?faut(?: pas| toujours| jamais| absolument)?›(?! (?:dire|avouer|croire|que je (?:regarde|vérifie|voie)|\\d)›)|‹il faudra›|‹il est (?:interdit|obligatoire|important|essentiel|impératif|hors de question)›|‹hors de question›",
  "‹(?:au plus tard|interdit|interdite?s|interdiction|défense de|proscrit|proscrite?s|à proscrire|à bannir|obligatoire|obligatoires|impérativement|impératif|en aucun cas|sous aucun prétexte|désormais|dorénavant|à partir de maintenant|à l['’]avenir|jusqu['’]à nouvel ordre|sans exception|pas touche|non négociable)›",
  "^(?:merci de|veuillez|pense[rz]? à|pensez bien|n['’]oublie[rz]?(?: pas| jamais)?|n['’]oubliez|souviens-toi|souvenez-vous|rappelle-toi|rappelez-vous|assure-toi|assurez-vous|veille[rz]? à|prière de|fais attention|faites attention|attention à|évite[rz]?|éviter|préfère[sz]?|préférez|préférer|privilégie[rz]?|privilégier|retiens|retenez|garde[zr]? (?:en tête|à l['’]esprit)|tiens-t['’]en|tenez-vous-en|abstiens-toi|abstenez-vous|mieux vaut|on évite|on préfère)›(?! (?:pour (?:ton|votre|ta)|d['’]avoir)›)",
  "^(?:ne\\s|n['’]\\s?)(?:pas |jamais |plus )?(?:(?:me|m['’]|le|la|les|l['’]|y|en|lui|leur|rien|se|s['’])\\s?){0,2}\\p{L}+(?:\\s\\S+){0,3}?(?:\\s(?:pas|jamais|plus|rien|aucune?|que|qu['’]\\S+)›|$)",
  "^(?:ne\\s|n['’]\\s?)(?:pas|jamais|plus|rien)\\s\\p{L}+(?:er|ir|re|oir)›",
  "^(?:jamais|toujours|surtout pas|pas question|surtout)\\s(?!(?:vu|eu|été|pas compris|pareil|rien|le même|la même|en panne|en erreur|aussi|là)›)\\S",
  "^(?:pas|plus|aucune?)\\s(?:d['’]|de\\s)?(?!(?:mal|problème|souci|soucis|idée|encore|de soucis?|de problèmes?|grave|urgent|sûr|certain|tout à fait|besoin|vraiment|erreur|réponse|changement|bête|terrible|facile|si|trop|très|compris|vu|autre|différence|retour|question)›)\\S+\\s(?:\\S+\\s){0,6}?(?:dans|sans|en|sur|avant|après|avec|hors|pour|ici|par|à|pendant|entre)›(?!.*‹(?:était|avait|marche|fonctionne|trouvé)›)",
  "(?<!‹(?:si|quand|lorsque) )‹on (?:ne |n['’])(?!(?:sait|voit|comprend|a|est|avait|était|peut|trouve|dirait)›)\\p{L}+ (?:pas|jamais|plus|rien|que|aucune?)›|‹on (?!(?:a|est|avait|était|voit|dirait|peut|sait)›)\\p{L}+ (?:toujours|uniquement|systématiquement|exclusivement)›",
  "‹(?:je|nous) (?:ne |n['’])?(?:veux|voudrais|souhaite|préfère|préférerais|exige|tiens|insiste|voulons|souhaitons|préférons|exigeons|attends|attendons|demande|demandons)(?:-je)? (?:à ce |pour |bien |vraiment |plutôt |pas |plus )*(?:que|qu['’]|aucune?|d['’]|de |un|une|des|du|les|le|la|tous|toutes)",
  "^(?:règle|contrainte|convention|consigne|exigence|principe|politique|restriction|obligation|interdit|accord|important|à (?:noter|retenir|respecter)|rappel|invariant|impératif)s?(?: (?:n°\\s?)?\\d+| \\p{L}+){0,3}\\s?[:–—]\\s?\\S",
  "‹(?:on|nous) (?:s['’]est|nous sommes|a|avons|s['’]était) (?:mis d['’]accord|convenu|mis d['’]accord|acté|fixé)›|‹comme (?:convenu|prévu entre nous)›|‹(?:notre|la) (?:règle|convention|consigne|politique) (?:est|veut|:)›",
  `^(?:${VERB})(?:-\\p{L}+){0,2}\\s(?:.*\\s)?(?:${LASTING})›`,
  "^(?:chaque|toute?|tous les|toutes les|aucune?|personne|rien)\\s(?:\\S+\\s){0,7}?(?:doit|doivent|passe(?:nt)? (?:par|avant|en)|reste|restent|a besoin|ont besoin|va|vont|nécessite|nécessitent|se fait|se font|mérite|méritent|ne (?:\\S+\\s){0,2}?(?:doit|peut|passe (?:par|en|sans)|part|touche|modifie|sort|va|entre|sera|seront|se (?:fait|déploie|modifie|supprime|publie|change)))›",
  "^(?:quand|lorsque|si|dès que|avant(?: de)?|après|chaque fois que|à chaque|pour (?:tout|toute|chaque)|tant que|en cas de?)\\s[^,]{3,160},\\s(?:alors\\s|toujours\\s|d['’]abord\\s|il faut\\s)*(?:" +
    VERB +
    ")›",
  "^(?:au (?:plus|moins|maximum|minimum)|pas plus de|maximum|minimum|un seul|une seule|une?|deux|trois|\\d{1,4})\\s(?:\\S+\\s){1,5}?(?:par|pour chaque|à chaque|dans chaque)\\s(?!rapport|contre|exemple|erreur)\\S",
  "^(?:[^\\s,]+\\s){1,8}(?:plutôt que?|au lieu des?|à la place des?|au lieu d['’]\\S+)›",
);

const soft: readonly RegExp[] = formsOf(
  "^(?:rien|personne|aucune?)\\s(?:\\S+\\s){0,4}?(?:sans|avant|hors|en dehors)›|^pas d['’e]\\s?(?!(?:erreur|problème|souci|réponse|changement|idée|autre|mal|panique|retour|différence))[\\p{L}-]+[.!]?$|^sans [\\p{L}-]+[.!]?$",
  "^(?:[\\p{L}'’]+\\s){1,4}(?:s['’]il (?:te|vous) pla[iî]t|stp|svp)[.!]?$|^(?:juste|seulement|uniquement)\\s[^,]{2,60}, (?:sans|pas)›",
  "^(?!(?:ça|cela|il|elle|ils|elles|la requête|les requêtes)›)(?:[^\\s,]+\\s){1,5}?(?:se font|se fait|vont|s['’]écrivent|s['’]écrit|se nomment|se nomme) (?:à|en|dans|par|au|aux|sur|toujours|uniquement)›",
  "^on \\p{L}+ d['’]abord›",
  "‹(?:devrais|devrait|devraient|devriez|faudrait|conviendrait)›",
  "^(?!ça›|cela›|c['’]|le reste|il›|elle›|l['’]erreur|le problème)(?:[^\\s,]+\\s){1,7}?(?:reste|restent)\\s(?:en|à|sur|sous|dans|hors|au|aux|inchangée?s?|tels?|telles?|privée?s?|internes?|désactivée?s?|activée?s?|fermée?s?|gelée?s?|bloquée?s?|figée?s?)›",
  "^seuls?(?:e|es)?\\s(?:\\S+\\s){1,7}?(?:peut|peuvent|doit|doivent|est autorisé|a le droit|ont le droit|passe|va)›",
  "^(?!ça›|cela›|il›|c['’])(?:[^\\s,]+\\s){1,7}?(?:uniquement|exclusivement|seulement|qu['’]après|qu['’]avec|que par|que via|qu['’]en)›",
  "‹(?:ne peut|ne peuvent) (?:être|se faire|pas être)›|‹n['’]est (?:pas autorisé|pas permis|pas acceptable|pas négociable|pas admis)e?›|‹(?:est|sont) à (?!jour›)\\p{L}+(?:er|ir|re)›",
  "^(?:d['’]abord)\\s.{3,80}(?:ensuite|puis|après)›",
  "^(?:[^\\s,]+\\s){1,5}(?:avant|après) (?:chaque|toute?)›",
);

const account: readonly RegExp[] = formsOf(
  "‹(?:clique|cliquer|se passe|passe\\.?$|ne passe|sur trois|sur deux|pourquoi|déjà vu)›",
  "‹(?:était|étaient|avait|avaient|a été|ont été|hier|tout à l['’]heure|apparemment|peut-être|sans doute|probablement|semble|on dirait|d['’]habitude|depuis|plante|échoue|a échoué|ne marche|ne fonctionne|marchait|en théorie|normalement)›",
  "‹(?:ça|cela|ceci|c['’]) ?(?:devrait|reste|marche)›|‹(?:ça|cela) (?:doit|devait)›|‹je (?:dois|devrais)›",
  "^(?:je|j['’]|c['’]|ça|cela|pourquoi|comment|quand est|qui|quoi|quel|quelle|est-ce)",
);

export const french: InstructionPatterns = {
  lead: /^(?:(?:et|aussi|donc|mais|alors|bon|ok(?:ay)?|bien|oui|sinon|au fait|par ailleurs|de plus|ensuite|enfin|s['’]il (?:te|vous) pla[iî]t|stp|svp|pour info|p\.?s\.?|en général|de manière générale|nit|remarque|suggestion)[\s,:–-]+){1,4}/iu,
  firm,
  soft,
  account,
  asked: [
    compilePattern(
      "^(?:et |ok,? )?(?:peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|tu peux|vous pouvez) (?:.{1,40}\\s)?(?:toujours|jamais|ne plus|ne pas|éviter|systématiquement|désormais)›",
    ),
  ],
};
