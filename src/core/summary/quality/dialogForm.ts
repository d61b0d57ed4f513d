/** Tells an answer to the conversation from notes about it: it addresses the user, offers help or asks something back. */

import { sentencesOf } from "../facts/lines.ts";
import { languagesOf } from "./languageWords.ts";

interface DialogForms {
  /** Beginnings of answers; notes begin with a heading, a list or a fact. */
  readonly opening: RegExp;
  /** Offers and questions at the end of answers. */
  readonly closing: RegExp;
  /** Words by which a person is addressed. */
  readonly address: RegExp;
}

/** Only letters before and after make a word longer; `\b` knows those of ASCII alone. */
function words(alternatives: string): RegExp {
  return new RegExp(String.raw`(?<!\p{L})(?:${alternatives})(?!\p{L})`, "iu");
}

function opening(alternatives: string): RegExp {
  return new RegExp(String.raw`^[\s¡¿*_"'“]*(?:${alternatives})(?!\p{L})`, "iu");
}

const FORMS: Readonly<Record<string, DialogForms>> = {
  en: {
    opening: opening(
      "sure|certainly|of course|absolutely|great|okay|ok|alright|thanks?|thank you|hello|hi|hey|you['’](?:re|ve)|you (?:have|are|can|could|should|need|asked|told)|i['’](?:d|ll|m|ve)|i (?:am|will|can|would|have|think|understand|apologize|hope|need|see)|let['’]?s|let me|here(?:['’]s| is| are)|to (?:fix|solve|answer) (?:this|that|your)|as (?:you|we|requested)|yes|no|well|once upon",
    ),
    closing: words(
      "let me know|would you|do you|did you|are you|have you|shall (?:i|we)|should i|feel free|happy to help|hope (?:this|that) helps|anything else|can i|may i|want me to|if you (?:need|have|want|like)|what (?:would|do) you|could you|can you|good luck|please (?:tell|share|provide|send|confirm|run|try)",
    ),
    address: words("you|your|yours|you['’](?:re|ve|ll|d)"),
  },
  de: {
    opening: opening(
      "natürlich|klar|gerne?|sicher|danke|vielen dank|hallo|hi|guten tag|hier (?:ist|sind)|ich (?:kann|werde|habe|bin|würde|helfe|verstehe)|du hast|sie haben|lass(?:en sie)? uns|ja|nein|okay|super|perfekt|alles klar|es war einmal",
    ),
    closing: words(
      "sagen? (?:mir|sie)|sag (?:mir|bescheid)|möchtest du|möchten sie|soll ich|sollen wir|melde dich|melden sie|brauchst du|brauchen sie|lass mich wissen|kann ich (?:dir|ihnen)|viel erfolg|willst du|wollen sie|kannst du|können sie|gib (?:mir|bescheid)|hast du|haben sie",
    ),
    address: words(
      "du|dir|dich|dein(?:e|er|em|en|es)?|ihnen|(?:können|müssen|sollten|haben|möchten|wollen|brauchen) sie|sie (?:können|müssen|sollten|möchten|wollen) (?:mir|bitte|nun|jetzt|einfach)",
    ),
  },
  es: {
    opening: opening(
      "claro|por supuesto|gracias|hola|aquí (?:tienes|tiene|está|están|te)|puedo|voy a|te (?:ayudo|recomiendo)|has|sí|vale|de acuerdo|perfecto|entiendo|érase|había una vez",
    ),
    closing: words(
      "avísame|avíseme|dime|dígame|quieres|quiere que|te gustaría|le gustaría|prefiere|prefieres|necesitas|necesita (?:algo|ayuda|más)|puedo ayudar\\p{L}*|espero que|puedes|podrías|tienes",
    ),
    address: words(
      "tú|te|tus?|ti|contigo|usted(?:es)?|le gustaría|puedes|debes|quieres|tienes|necesitas|prefieres|avísame|dime|hazlo|ejecuta|prueba|abre",
    ),
  },
  fr: {
    opening: opening("bien sûr|merci|bonjour|voici|je (?:peux|vais|suis|comprends)|vous avez|d['’]accord|oui|parfait"),
    closing: words("dites-moi|souhaitez-vous|voulez-vous|n['’]hésitez|avez-vous|dis-moi|veux-tu|pouvez-vous"),
    address: words("vous|votre|vos|tu|toi|ton|tes"),
  },
  pt: {
    opening: opening("claro|obrigad[oa]|olá|aqui está|eu (?:posso|vou)|você|sim|perfeito"),
    closing: words("me avise|avise-me|quer que|posso ajudar|gostaria|precisa de|diga-me|me diga"),
    address: words("você|vocês|seu|sua|teu|tua"),
  },
  it: {
    opening: opening("certo|certamente|grazie|ciao|ecco|posso|sì|perfetto"),
    closing: words("fammi sapere|vuoi che|mi faccia sapere|hai bisogno|posso aiutar\\p{L}*"),
    address: words("tu|ti|tuo|tua|tuoi|puoi|devi|vuoi|hai"),
  },
  tr: {
    opening: opening("tabii(?: ki)?|elbette|merhaba|teşekkür(?:ler)?|işte|harika|tamam|evet|peki|bir varmış"),
    closing:
      /(?<!\p{L})(?:bana (?:bildir|haber|söyle)|ister mi|isterse(?:n|niz)|yardımcı ol|haber ver|bildirin|söyler mi|eder mi|ne dersin)/iu,
    address:
      /(?<!\p{L})(?:sen|seni|sana|senin|siz|sizi|sizin|sizinle)(?!\p{L})|(?:abilir|ebilir|malı|meli|acak|ecek|ıyor|iyor|uyor|üyor|dı|di|du|dü)(?:sın|sin|sun|sün)(?:ız|iz|uz|üz)?(?!\p{L})|ister mi/iu,
  },
  cyrillic: {
    opening: opening("конечно|привет|здравствуйте|спасибо|вот|хорошо|да|нет"),
    closing: words("дайте знать|хотите|сообщите|нужно ли вам|могу ли я"),
    address: words("вы|вам|вас|ваш\\p{L}*|ты|тебе|твой|твоя"),
  },
  zh: {
    opening:
      /^[\s*]*(?:好的|当然|没问题|您好|你好|谢谢|感谢|以下是|这里是|我(?:可以|会|来|很)|你(?:已经|的)|您(?:已经|的)|从前)/u,
    closing:
      /请告诉我|告诉我|需要我|您想|你想|要不要|(?:可以|行|好)吗|需要的话|希望(?:这|以上)|有(?:什么|其他|任何).{0,8}(?:问题|需要)|随时|(?:你|您).*[？?]/u,
    address: /你|您/u,
  },
  ja: {
    opening: /^[\s*]*(?:もちろん|はい|承知|わかりました|了解|こんにちは|ありがとう|お手伝い|では|それでは|昔々)/u,
    closing:
      /教えてください|お知らせください|いかがです|ましょうか|でしょうか|お気軽|ご質問|必要でしたら|ますか[？?。]?$/u,
    address: /あなた|てください|なさい|ましょう/u,
  },
  ko: {
    opening: /^[\s*]*(?:물론|네|안녕하세요|감사합니다|좋습니다)/u,
    closing: /알려\s?주세요|말씀해\s?주세요|할까요|드릴까요|도와드/u,
    address: /당신|주세요|하세요/u,
  },
};

/** Share of the sentences that address somebody, from which a text is an answer. */
const LEAST_ADDRESSED_SHARE = 0.34;
const LEAST_ADDRESSED = 2;
const QUOTATION = /[“"„«「『][^“"”„«»「」『』\n]{1,240}[”"“»」』]|`[^`\n]{1,300}`/g;
const HEADING_OR_LIST = /^\s*(?:#{1,6}\s|[-*+•]\s|\d{1,3}[.)]\s|\*\*|[\p{L} ]{2,32}[:：])/u;

export function isAnswer(notes: string): boolean {
  const text = notes.replaceAll(QUOTATION, " … ");
  const [main] = languagesOf(text);
  const forms = [FORMS["en"], main === undefined ? undefined : FORMS[main.language]];
  return forms.some((form) => form !== undefined && hasForm(text, form));
}

function hasForm(text: string, { opening, closing, address }: DialogForms): boolean {
  if (!HEADING_OR_LIST.test(text) && opening.test(text)) return true;
  const sentences = sentencesOf(text).filter((sentence) => /\p{L}{2}/u.test(sentence));
  if (sentences.slice(-2).some((sentence) => closing.test(sentence))) return true;
  const addressed = sentences.filter((sentence) => address.test(sentence)).length;
  return addressed >= LEAST_ADDRESSED && addressed >= sentences.length * LEAST_ADDRESSED_SHARE;
}
