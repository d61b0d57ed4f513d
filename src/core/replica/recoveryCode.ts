/**
 * The code that opens a replica when the passphrase is forgotten: 140 random bits in characters that are not mistaken for
 * each other (Crockford's base 32), in groups. Whoever types it may use small letters, leave out the dashes, and write O
 * for 0, and I or L for 1.
 */

const CHARACTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH = 28;
const CODE = /^[0-9A-HJKMNP-TV-Z]{28}$/;
const GROUP = /.{4}/g;

/** `random` has at least 28 bytes; 5 bits of each are used. */
export function recoveryCodeOf(random: Uint8Array): string {
  return grouped(Array.from(random.subarray(0, LENGTH), (byte) => CHARACTERS[byte & 31] ?? "").join(""));
}

/** The code as it was made; `undefined` for a text that is none. */
export function recoveryCodeIn(entered: string): string | undefined {
  const code = entered
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, "")
    .replaceAll("O", "0")
    .replace(/[IL]/g, "1");
  return CODE.test(code) ? grouped(code) : undefined;
}

function grouped(code: string): string {
  return (code.match(GROUP) ?? []).join("-");
}
