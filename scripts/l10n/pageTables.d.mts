/** Scripts by file name, `webview.<language>.js`: the texts of each table in l10n/ that the page uses. */
export function pageTables(root: string): Promise<Readonly<Record<string, string>>>;
/** A script with one constant, `forgeTranslations`: the entries of `table` whose texts are `used`. */
export function pageTable(table: Readonly<Record<string, string>>, used: ReadonlySet<string>): string;
