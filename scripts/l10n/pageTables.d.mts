/** The scripts by file name, `webview.<language>.js`: of each table in l10n/ the texts that the page has, and no others. */
export function pageTables(root: string): Promise<Readonly<Record<string, string>>>;
/** The script for a page: one constant, `forgeTranslations`, with the entries of `table` whose texts are `used`. */
export function pageTable(table: Readonly<Record<string, string>>, used: ReadonlySet<string>): string;
