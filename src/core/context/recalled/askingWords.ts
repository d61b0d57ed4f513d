/** Words with which people ask for what was said, greet and thank: they name nothing. */

const ENGLISH = `
  again agree agreed ago answer answered ask asked bye decide decided discuss discussed earlier hello hey hi know mention
  mentioned ok okay please previously question recall remember remind said say saying says sorry talk talked talking tell
  thank thanks told yeah yes yet`;

const GERMAN = `
  antwort bereits besprochen bitte danke entschieden erinnere erinnern erinnerst erwähnt frage früher gefragt gesagt
  gesprochen hallo nein nochmal sag sage sagen sagst sagte sagtest vereinbart vorher vorhin weißt`;

const ASKING = new RegExp(
  `(?<![\\p{L}\\p{N}_])(?:${`${ENGLISH} ${GERMAN}`.trim().split(/\s+/u).join("|")})(?![\\p{L}\\p{N}_])`,
  "giu",
);

export function withoutAskingWords(text: string): string {
  return text.replace(ASKING, " ");
}
