/**
 * The README as it goes into the package. The editor shows it on the extension's page, where it takes pictures from https
 * addresses only: those that lie beside it would be seen as broken, so they are left out. Files beside it are not there to be
 * opened either, so links to them are plain text.
 */

/** `readme` without its pictures of relative addresses and the lines that they stood on, and links of such addresses as text. */
export function packagedReadme(readme: string): string {
  return readme
    .replaceAll(/^(?:!\[[^\]]*\]\((?!https:)[^)]*\)|<img [^>]*src="(?!https:)[^>]*>)\n\n?/gm, "")
    .replaceAll(/\[([^\]]+)\]\((?!https:)[^)]+\)/g, "$1");
}
