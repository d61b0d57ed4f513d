/** The address of a folder as the editor writes it, by which a project without a repository is known. */

/** `undefined` for a path that is not absolute. */
export function folderAddress(folder: string): string | undefined {
  const names = folder.replaceAll("\\", "/").replace(/(?<=.)\/+$/, "");
  const isDrive = /^[A-Za-z]:(?:\/|$)/.test(names);
  if (!isDrive && (!names.startsWith("/") || names.startsWith("//"))) return undefined;
  const path = isDrive ? `/${names.charAt(0).toLowerCase()}${names.slice(1)}` : names;
  return `file://${path.split("/").map(encoded).join("/")}`;
}

function encoded(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
