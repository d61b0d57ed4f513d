/** This machine or one beside it: loopback and private addresses, and names without a public domain. */
const LOCAL_HOST =
  /^(?:[^.:]+|(?:.+\.)?(?:localhost|local|lan|home|internal|home\.arpa)|(?:127|10)(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|169\.254(?:\.\d+){2}|\[(?:::1|f[cd][\da-f]{2}:[\da-f:]*|fe80:[\da-f:]*|::ffff:7f[\da-f]{2}:[\da-f]{1,4})\])\.?$/;

/** True for the address of a server that runs its models on a machine of the user's. */
export function isLocalAddress(address: string): boolean {
  return URL.canParse(address) && LOCAL_HOST.test(new URL(address).hostname);
}
