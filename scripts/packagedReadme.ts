/**
 * The README as it goes into the package. The editor shows it on the extension's page, where it takes pictures from https
 * addresses only: those that lie beside it would be seen as broken, so they are left out.
 */

/** `readme` without its pictures of relative addresses, and without the lines that they stood on. */
export function packagedReadme(readme: string): string {
  return readme.replaceAll(/^(?:!\[[^\]]*\]\((?!https:)[^)]*\)|<img [^>]*src="(?!https:)[^>]*>)\n\n?/gm, "");
}
