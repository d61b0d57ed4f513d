/** Longest automatic title, in characters: what a narrow list shows in one line. */
const MAX_TITLE = 60;

/** A title for a conversation from its first message: the first line that says something, cut at a word. */
export function titleFrom(text: string): string {
  const line =
    text
      .split("\n")
      .map(plain)
      .find((candidate) => candidate !== "") ?? "";
  if (line === "") return "New conversation";
  const characters = Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment);
  if (characters.length <= MAX_TITLE) return line;
  const cut = characters.slice(0, MAX_TITLE - 1).join("");
  const lastBlank = cut.lastIndexOf(" ");
  return `${lastBlank > MAX_TITLE / 2 ? cut.slice(0, lastBlank) : cut}…`;
}

function plain(line: string): string {
  return line
    .replace(/^[\s#>*\-`]+/, "")
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .replace(/\s+/g, " ")
    .trim();
}
