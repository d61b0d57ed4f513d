/** Writes `webview.<language>.js` into `outdir` for each table in l10n/, with the texts that the page has and no others. */
export function writePageTables(root: string, outdir: string): Promise<void>;
/** The script for a page: one constant, `forgeTranslations`, with the entries of `table` whose texts are `used`. */
export function pageTable(table: Readonly<Record<string, string>>, used: ReadonlySet<string>): string;
