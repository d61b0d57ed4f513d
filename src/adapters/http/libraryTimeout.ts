/** Time limit of the libraries, which otherwise wait for headers for ten minutes; `guardedProvider` ends silence. */
export const LONGEST_WAIT_MS = 86_400_000;
