/** The licences of all packages that `files` belong to. Throws for a package without the text of its licence. */
export function thirdPartyNotices(root: string, files: readonly string[]): Promise<string>;
