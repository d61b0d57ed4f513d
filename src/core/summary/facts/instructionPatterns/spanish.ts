/** Instruction patterns of Spanish. */

import { compilePattern, formsOf, type InstructionPatterns } from "./instructionPatterns.ts";

/** Imperatives and infinitives that say how something is done. */
const VERB =
  "(?:us|utiliz|mantén|manteng|deja|dej|cambi|toc|prueb|prob|not|borr|elimin|añad|agreg|cre|escrib|document|coment|nombr|llam|trat|pas|lanz|despleg|despliegu|public|avis|av[ií]s|preg[uú]nt|cons[uú]lt|revis|ejecut|actualiz|respet|limit|par|esper|muestr|mostr|registr|guard|firm|reinici|instal|sub|baj|respond|contest|traduc|traduzc|qued|avis|confirm|valid|separ|agrup|orden|envuelv|aplic|sigu|apoy|conserv|evit|prefier|marc|inclu[iy]|excluy)(?:a|e|as|es|ad|ed|id|an|en|ar|er|ir|o)?(?:me|nos|lo|la|los|las|se)?|pon(?:ed|er|ga|gan|me|lo)?|haz(?:lo|me)?|haced|hacer|haga|hagan|di|decid|decir|diga|ten(?:ed|er|ga)?|sal|ve|pide|pedid|pedir|pida|sigue|seguid|seguir";
const LASTING =
  "sólo|solo|solamente|únicamente|exclusivamente|siempre|nunca|jamás|tod[oa]s?|cada|ningún|ninguna?|antes|después|sin|en vez de|en lugar de|en su lugar|salvo|excepto|a menos que|hasta que|mientras|primero|por defecto|en (?:español|inglés|castellano)|como (?:mucho|máximo|mínimo)|al menos|por lo menos|cuando|si|no más de|tal cual|en paz|intact[oa]s?|los mismos|las mismas|el mismo|la misma|por|al mínimo|aparte|fuera";

const firm: readonly RegExp[] = formsOf(
  "^en caso de duda›|^mejor (?:\\S+\\s){1,6}que›|‹(?:puedes|podéis|puede) [^,]{2,80},? pero›|^esper[ae]n? (?:mi|a que|el|la) ?(?:visto bueno|aprobación|confirmación|yo|señal)?",
  "^nos quedamos (?:en|con)›|‹no (?:es|son) negociables?›|‹(?:es|son) (?:definitiv[oa]s?|innegociables?|inmutables?|final|finales)›|^que (?:nadie|nada|ningún|ninguna|no|todo|cada)›",
  "^(?:[\\p{L}]+\\s){1,4}(?:va|van) antes que›|‹(?:yo decido|decido yo)›",
  "(?<!‹(?:eso|esto|lo que|yo|ya) )‹(?:debe|debes|deben|debéis|deberá|deberán|deberás)›(?! (?:de )?(?:ser (?:un|una|el|la|por|culpa|que|algo)|estar (?:roto|mal|caído)|haber))",
  "‹(?:a más tardar|hay que|no hay que|tiene[ns]? que|tenéis que|habrá que|es obligatorio|es imprescindible|es importante|es necesario que|queda prohibido|está prohibido|están prohibid[oa]s|prohibid[oa]s?|obligatori[oa]s?|terminantemente|bajo ningún concepto|de ninguna manera|en ningún caso|bajo ninguna circunstancia|a partir de (?:ahora|hoy|aquí)|de ahora en adelante|en adelante|hasta nuevo aviso|sin excepci(?:ón|ones)|ni se te ocurra|innegociable)›(?! (?:ver qué|mirar|decir))",
  "^(?:recuerda|recordad|recuerden?|acuérdate|acordaos|ten en cuenta|tened en cuenta|tenga en cuenta|no olvides|no olvidéis|no olvide|asegúrate|aseguraos|asegúrese|procura|procurad|procure|cuida|cuidado con|evita|evitad|evite|evitar|prefiere|preferid|prefiera|preferible|mejor|no te olvides|ojo con|apunta|quédate con|limítate|ateneos|atente)\\s",
  "^no\\s(?:(?:me|te|se|le|nos|os|les|lo|la|los|las)\\s){0,2}(?!(?:tienes|puedes|sabes|quieres|entiendes|haces|crees|ves|eres|vas|das|dices|pues|es|después|antes|hay|más|tantas?|tantos|nos|los|las|otros?|otras?)›)\\p{L}+(?:es|as|éis|áis)\\s(?:el|la|los|las|un|una|ni|más|nada|esto|eso|este|esta|en|con|de|del|mi|tu|a|al|sin|ningún|ninguna)›",
  "^no\\s(?:(?:me|te|se|le|nos|os|les|lo|la|los|las)\\s){0,2}(?:us|utilic|toqu|cambi|modifiqu|borr|elimin|añad|agregu|cre|escrib|pon|pong|dej|mand|enví|sub|hag|ejecut|lanc|despliegu|publiqu|mezcl|toqu|instal|quit|romp|actualic|registr|guard|mueva|mov|pregunt|asum|inici|reinici|fusion|acept|abr|cierr|merge|commite|pushe)(?:es|as|éis|áis|e|a|en|an)?›",
  "^no (?!similar|particular|regular|familiar)(?:\\p{L}{2,}(?:ar|ir)|hacer|poner|meter|romper|perder|leer|mover|mantener|devolver|exponer|depender|ver|correr)(?:l[oae]s?)?›",
  "^(?:nunca|jamás|siempre|nada de|ni un|ni una)\\s(?!(?:había|he|ha|hemos|vi|pasa|falla|ocurre|me|lo mismo|igual|es|está|era|fue|hay|funciona|sale|da|\\p{L}+(?:í|é|ó|aba|ía|imos|ado))›)\\S",
  "‹(?:quiero|queremos|quisiera|espero|esperamos|exijo|exigimos|me gustaría|nos gustaría|insisto|pido|pedimos) (?:en )?(?:que|un|una|el|la|los|las|todos?|todas?|no|sólo|solo)›(?! (?:esto funcione|funcione|te sirva|ayude))|‹no (?:quiero|queremos)›(?! decir)|‹(?:preferimos|prefiero|preferiría|preferiríamos)›(?! (?:no decir|esperar|ver|pensar))",
  "^(?:regla|norma|restricción|convención|condición|requisito|política|principio|directriz|importante|acuerdo|acordado|prohibido|obligatorio|recordatorio|criterio)s?(?: (?:n[.º°]\\s?)?\\d+| \\p{L}+){0,3}\\s?[:–—]\\s?\\S",
  "‹(?:hemos|habíamos|quedamos en|acordamos|quedó) ?(?:quedado|acordado|pactado|que|no)›|‹como (?:acordamos|quedamos)›|‹según lo acordado›|‹(?:nuestra|la) (?:regla|norma|política|convención) (?:es|dice)›",
  `^(?:${VERB})\\s(?:.*\\s)?(?:${LASTING})›`,
  "^(?:cada|tod[oa]s?|ningún|ninguna?|nadie|nada)\\s(?:\\S+\\s){0,7}?(?:debe|deben|tiene|tienen|necesita|necesitan|pasan? (?:por|a|antes)|va|van|queda|quedan|lleva|llevan|requiere|requieren|puede|pueden|se (?:despliega|toca|publica|borra|sube|cambia|mezcla|reinicia|hace|hacen|escribe|guarda)n?|toca|sube|despliega|reinicia|cambia|entra|sale)›",
  "^(?:cuando|si|en cuanto|antes de(?: que)?|después de|cada vez que|siempre que|al|mientras|hasta que|para cada)\\s[^,]{3,160},\\s(?:entonces\\s|siempre\\s|primero\\s|también\\s|no\\s)*(?:" +
    VERB +
    ")›",
  "^(?:como (?:mucho|máximo|mínimo)|al menos|no más de|máximo|mínimo|un solo|una sola|uno|una|un|dos|tres|\\d{1,4})\\s(?:\\S+\\s){1,5}?(?:por|en cada|para cada)\\s(?!favor|ejemplo|error)\\S",
  "^(?:[^\\s,]+\\s){1,8}(?:en vez de|en lugar de|antes que)›",
  "‹(?:nunca|jamás) se (?!ha|había|sabe|vio)\\p{L}+|‹no se (?!ha|había|sabe|puede|ve)\\p{L}+ (?:nunca|jamás|sin|a mano|hasta|antes)›",
  "^(?:aquí|en \\S+(?:\\s\\S+)?) (?:no se|nunca se|siempre se|solo se|sólo se)\\s\\p{L}+",
);

const soft: readonly RegExp[] = formsOf(
  "^(?:ningún|ninguna|nada de|sin)\\s(?!(?:problemas?|error|errores|cambios?|idea|duda|respuesta|prisa|embargo|novedad|más)›)[\\p{L}-]+(?:\\s(?:los|las|el|la|en|sin|fuera|durante|antes|después|a|por|con) .{2,60})?[.!]?$",
  "^(?:\\p{L}+\\s){1,2},?\\s?por favor[.!]?$|^(?:\\p{L}+\\s)\\p{L}+, por favor[.!]?$|^(?:sólo|solo|únicamente)\\s[^,]{2,60}, (?:sin|nada de|no)›",
  "^(?!(?:eso|esto|la petición|las peticiones)›)(?:[^\\s,]+\\s){1,5}?van (?:a|al|en|por|con|sin|siempre|dentro|fuera)›|‹(?:necesitan?|requieren?) (?:mi|nuestra|una? (?:revisión|prueba|segunda)|dos|aprobación|permiso)›",
  "‹(?:debería|deberían|convendría|habría que|conviene)›",
  "^(?!eso›|esto›|el resto|el error|el problema)(?:[^\\s,]+\\s){1,7}?(?:se queda|se quedan|queda|quedan|permanece|permanecen|sigue|siguen)\\s(?:en|fuera|dentro|como|igual|congelad[oa]s?|cerrad[oa]s?|desactivad[oa]s?|activad[oa]s?|intact[oa]s?|intern[oa]s?|privad[oa]s?)›",
  "^(?:sólo|solo|únicamente)\\s(?:\\S+\\s){1,7}?(?:puede|pueden|debe|deben|con|por|tras|después|mediante|toca|despliega)›",
  "^(?!eso›|esto›|me›)(?:[^\\s,]+\\s){1,7}?(?:sólo|solo|únicamente|siempre|nunca) (?:con|por|tras|después|mediante|en|desde|entre|a través|cuando|si|vía)›",
  "‹(?:no se (?:puede|pueden|permite|permiten|debe|deben|toca|tocan|acepta|aceptan|despliega|cambia|mezcla|borra)n?)›(?! (?:conectar|abrir|encontrar|leer|acceder|reproducir))",
  "^primero\\s.{3,80}(?:luego|después)›",
  "^(?:[^\\s,]+\\s){1,5}(?:antes de|después de) (?:cada|cualquier)›",
);

const account: readonly RegExp[] = formsOf(
  "‹(?:clic|de cada|se rompe|pasa\\.?$|nadie sabe|lo mismo)›",
  "‹(?:era|eran|había|habían|estaba|estaban|fue|fueron|ayer|antes estaba|por lo visto|parece|quizás?|tal vez|probablemente|seguramente|a lo mejor|supongo|creo que no|todavía|aún|sigue fallando|falla|fallan|fallaba|no funciona|se cae|desde hace)›",
  "‹(?:eso|esto|así) (?:debería|debe|tiene)›|‹(?:tengo|tendría) que›",
  "^(?:yo|eso|esto|por qué|cómo|qué|quién|cuál|cuándo|dónde)›",
);

export const spanish: InstructionPatterns = {
  lead: /^(?:(?:y|también|pero|entonces|pues|vale|ok(?:ay)?|bueno|bien|sí|por favor|porfa|además|ah|oye|por cierto|luego|en general|gracias|nota|p\.?d\.?|eso sí|ojo)[\s,:–-]+){1,4}/iu,
  firm,
  soft,
  account,
  asked: [
    compilePattern(
      "^¿?(?:y |vale,? )?(?:puedes|podrías|podéis|podríais|puede|podría) (?:por favor )?(?:.{1,40}\\s)?(?:siempre|nunca|no|evitar|dejar de|a partir de ahora)›",
    ),
  ],
};
