/** Writes `cl100k_base.bin` and `o200k_base.bin` into a folder, which is created if necessary. */
export function buildRanks(outputDirectory: string): Promise<void>;
/** The bytes of one rank file. */
export function rankBytes(encoding: "cl100k_base" | "o200k_base"): Buffer;
