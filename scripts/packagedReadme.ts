/**
 * The README in the package. The extension's page in the editor shows images from https addresses only, and cannot open
 * files of the project: relative images are removed, and relative links become plain text.
 */

/** `readme` without relative images and their lines, and with relative links as text. */
export function packagedReadme(readme: string): string {
  return readme
    .replaceAll(/^(?:!\[[^\]]*\]\((?!https:)[^)]*\)|<img [^>]*src="(?!https:)[^>]*>)\n\n?/gm, "")
    .replaceAll(/\[([^\]]+)\]\((?!https:)[^)]+\)/g, "$1");
}
