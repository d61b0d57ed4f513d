/** Instruction patterns of Portuguese. */

import { compilePattern, formsOf, type InstructionPatterns } from "./instructionPatterns.ts";

const VERB =
  "(?:us|utiliz|mant[eé]|mantenh|deix|mud|mex|test|remov|apag|adicion|cri|escrev|document|coment|nome|cham|trat|pass|rod|public|avis|pergunt|consult|revis|execut|atualiz|respeit|limit|par|esper|mostr|registr|guard|assin|reinici|instal|sub|respond|traduz|fiqu|confirm|valid|separ|agrup|orden|aplic|sig|apoi|conserv|evit|prefir|marc|inclu|faç|fech|abr|envi|mand|coloqu|coloc|verifiqu|verific|fal)(?:a|e|am|em|ar|er|ir|ro)?|põe|ponha|ponham|pôr|faz|fazer|façam|diz|diga|tenha|ter|peça|peçam|pedir|siga|seguir|leia";
const LASTING =
  "só|somente|apenas|unicamente|exclusivamente|sempre|nunca|jamais|tod[oa]s?|cada|nenhuma?|antes|depois|sem|em vez de|ao invés de|no lugar de|salvo|exceto|a menos que|a não ser que|até que|enquanto|primeiro|por padrão|em (?:português|inglês)|no (?:máximo|mínimo)|pelo menos|quando|se|não mais que|como está|em paz|os mesmos|as mesmas|o mesmo|a mesma|por|ao mínimo|fora|intact[oa]s?";

const firm: readonly RegExp[] = formsOf(
  "^(?:em caso de dúvida|na dúvida)›|^melhor (?:\\S+\\s){1,6}(?:do )?que›|‹(?:você pode|podes|pode|vocês podem) [^,]{2,80},? mas›|^esper[ae]m? (?:a |o )?(?:minha|meu|pela minha|pelo meu|aprovação|confirmação|sinal)",
  "^(?:ficamos|vamos ficar) (?:no|na|em|com)›|‹não (?:é|são) negociáve(?:l|is)›|‹(?:é|são) (?:definitiv[oa]s?|inegociáve(?:l|is)|imutáve(?:l|is)|fina(?:l|is))›|^que (?:ninguém|nada|nenhum|nenhuma|não|tudo|cada)›",
  "^(?:[\\p{L}]+\\s){1,4}(?:vem|vêm) antes›|‹(?:eu decido|quem decide sou eu)›",
  "(?<!‹(?:isso|isto|eu|já) )‹(?:deve|devem|deverá|deverão|precisam? (?:de|ser|estar|passar|ter|ficar)|tem de|tem que|têm de|têm que|há que)›(?! (?:ser (?:um|uma|o|a|por|culpa|algum)|estar (?:quebrado|fora)|haver|ter (?:sido|havido)))",
  "‹(?:o mais tardar|é (?:obrigatório|importante|essencial|proibido|imprescindível|vedado)|proibid[oa]s?|obrigatóri[oa]s?|vedad[oa]s?|em hipótese alguma|de jeito nenhum|de forma alguma|em nenhum caso|sob nenhuma|em caso algum|a partir de (?:agora|hoje)|daqui (?:em|para a|pra) (?:diante|frente)|de agora em diante|até (?:segunda ordem|novo aviso)|sem exceç(?:ão|ões)|nem pensar|inegociável)›",
  "^(?:lembre(?:-se|m-se)?|lembra-te|tenha em mente|não (?:se )?esqueça|não te esqueças|certifique-se|garanta|garantam|assegure|cuide|cuidado com|evite|evitem|evitar|evita|prefira|prefiram|preferir|prefere|melhor|atenção (?:a|ao|à|com)|procure|tome cuidado|dê preferência|favor|é favor)\\s",
  "^(?:não|nada de|nem)\\s(?:(?:me|se|lhe|nos|o|a|os|as)\\s){0,2}(?!(?:é|era|foi|está|estava|sei|tem|tenho|há|pode|posso|consigo|consegue|entendi|funciona|sabe|existe|achei|vi|parece|aparece|roda|abre|passa|faz|deu|dá|vai|fui|temos|sabemos|encontrei|acho|quer|precisa|responde|chega|entra|sobe|muda|depende|importa|conecta|carrega|compila|acontece|ocorre|mostra|gosto|lembro|entendo|vejo)›)\\p{L}{2,}(?:e|a|em|am|ar|er|ir|es|as)›",
  "^(?:nunca|jamais|sempre)\\s(?!(?:tinha|vi|falha|ocorre|me|o mesmo|a mesma|é|está|era|há|igual|funciona|dá|deu|foi|houve|\\p{L}+(?:i|í|é|ó|ei|ou|eu|iu|ava|ia|ía))›)\\S",
  "‹(?:quero|queremos|gostaria|gostaríamos|espero|esperamos|exijo|exigimos|insisto|peço|pedimos) (?:de )?(?:que|um|uma|o|a|os|as|todos?|todas?|não|só|apenas)›(?! (?:isso funcione|funcione|ajude))|‹não (?:quero|queremos)›|‹(?:prefiro|preferimos|preferiria)›(?! (?:não dizer|esperar|ver|pensar))|‹(?:nunca|jamais) se (?!sabe|viu)\\p{L}+",
  "^(?:regra|norma|restrição|convenção|condição|requisito|política|princípio|diretriz|importante|acordo|acordado|combinado|proibido|obrigatório|lembrete|critério)s?(?: (?:n[.º°]\\s?)?\\d+| \\p{L}+){0,3}\\s?[:–—]\\s?\\S",
  "‹(?:combinamos|acordamos|ficou (?:combinado|acordado|decidido)|concordamos)›|‹como combinad[oa]›|‹conforme (?:combinado|acordado)›|‹(?:nossa|a) (?:regra|norma|política|convenção) é›",
  `^(?:${VERB})\\s(?:.*\\s)?(?:${LASTING})›`,
  "^(?:cada|tod[oa]s?|nenhuma?|ninguém|nada)\\s(?:\\S+\\s){0,7}?(?:deve|devem|tem|têm|precisa|precisam|passam? (?:por|pel[oa]|antes)|vai|vão|fica|ficam|leva|levam|exige|exigem|pode|podem|entra|sai|sobe|mexe|toca|altera|publica|reinicia|é (?:\\p{L}+[ai]d[oa]))›",
  "^(?:quando|se|assim que|antes de(?: que)?|depois de|sempre que|toda vez que|ao|enquanto|até que|para cada|em caso de)\\s[^,]{3,160},\\s(?:então\\s|sempre\\s|primeiro\\s|também\\s|não\\s)*(?:" +
    VERB +
    ")›",
  "^(?:no (?:máximo|mínimo)|pelo menos|não mais (?:que|de)|máximo|mínimo|um só|uma só|uma?|dois|duas|três|\\d{1,4})\\s(?:\\S+\\s){1,5}?(?:por|em cada|para cada)\\s(?!favor|exemplo|erro)\\S",
  "^(?:[^\\s,]+\\s){1,8}(?:em vez de|ao invés de|no lugar de)›",
  "^(?:aqui|n[oa] \\S+|em \\S+(?:\\s\\S+)?) (?:não se|nunca se|sempre se|só se)\\s\\p{L}+",
);

const soft: readonly RegExp[] = formsOf(
  "^(?:nenhuma?|nada de|sem)\\s(?!(?:problemas?|erros?|mudanças?|ideia|dúvida|resposta|pressa|novidade|mais)›)[\\p{L}-]+(?:\\s(?:na|no|nas|nos|em|sem|fora|durante|antes|depois|a|à|às|aos|por|com) .{2,60})?[.!]?$",
  "^(?:\\p{L}+\\s)\\p{L}+,? por favor[.!]?$|^(?:só|somente|apenas)\\s[^,]{2,60}, (?:sem|nada de|não)›",
  "^(?!(?:isso|isto|a requisição|as requisições)›)(?:[^\\s,]+\\s){1,5}?vão (?:para|pra|em|por|com|sem|sempre|dentro|fora)›|‹(?:precisam?|requerem?|exigem?) (?:da minha|de minha|do meu|da nossa|de (?:revisão|teste|duas|dois|aprovação|permissão))›",
  "‹(?:deveria|deveriam|conviria|convém|precisa|precisam)›(?! (?:de uma? (?:lista|ajuda)|ver|saber)›)",
  "^(?!isso›|isto›|o resto|o erro|o problema)(?:[^\\s,]+\\s){1,7}?(?:fica|ficam|permanece|permanecem|continua|continuam)\\s(?:em|no|na|fora|dentro|como|igual|congelad[oa]s?|fechad[oa]s?|desativad[oa]s?|desligad[oa]s?|ligad[oa]s?|ativad[oa]s?|intact[oa]s?|intern[oa]s?|privad[oa]s?|abaixo|acima|até)›",
  "^(?:só|somente|apenas)\\s(?:\\S+\\s){1,7}?(?:pode|podem|deve|devem|com|por|após|depois|mediante|mexe|publica|aprova)›",
  "^(?!isso›|isto›|me›)(?:[^\\s,]+\\s){1,7}?(?:só|somente|apenas|sempre|nunca) (?:com|por|após|depois|mediante|em|no|na|desde|entre|através|quando|se|via|pelo|pela|pode|podem|é|são)›",
  "‹não (?:se )?(?:pode|podem|deve|devem|é permitid[oa]|são permitid[oa]s)›(?! (?:conectar|abrir|encontrar|ler|acessar|reproduzir))",
  "^primeiro\\s.{3,80}(?:depois|então|em seguida)›",
  "^(?:[^\\s,]+\\s){1,5}(?:antes de|depois de|após) (?:cada|qualquer|todo)›",
);

const account: readonly RegExp[] = formsOf(
  "‹(?:clico|clicar|de cada|quebra|passa\\.?$|ninguém sabe|a mesma coisa|acontece)›",
  "‹(?:era|eram|tinha|tinham|estava|estavam|foi|foram|ontem|pelo visto|parece|talvez|provavelmente|acho que|suponho|ainda|continua falhando|falha|falham|falhava|não funciona|caiu|desde)›",
  "‹(?:isso|isto|assim) (?:deveria|deve|precisa)›|‹(?:tenho que|preciso)›",
  "^(?:eu|isso|isto|por que|como é|o que|quem|qual|quando é|onde)›",
);

export const portuguese: InstructionPatterns = {
  lead: /^(?:(?:e|também|mas|então|pois|ok(?:ay)?|bom|bem|sim|por favor|além disso|ah|olha|aliás|depois|em geral|obrigad[oa]|nota|certo|beleza|p\.?s\.?|a propósito)[\s,:–-]+){1,4}/iu,
  firm,
  soft,
  account,
  asked: [
    compilePattern(
      "^(?:e |ok,? )?(?:pode|poderia|podes|podem|poderiam|você pode) (?:por favor )?(?:.{1,40}\\s)?(?:sempre|nunca|não|evitar|deixar de|a partir de agora)›",
    ),
  ],
};
