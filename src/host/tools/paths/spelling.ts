/** Names that differ only in how their letters are composed. */

/** The one of `entries` that is the same name in another composition, else `name`. */
export function spellingIn(entries: readonly { readonly name: string }[], name: string): string {
  const wanted = composed(name);
  const alike = entries.filter((entry) => composed(entry.name) === wanted);
  return alike.find((entry) => entry.name === name)?.name ?? (alike.length === 1 ? alike[0]?.name : undefined) ?? name;
}

/** A form that is the same for all spellings, for comparing. */
export function composed(text: string): string {
  return text.normalize("NFC");
}
