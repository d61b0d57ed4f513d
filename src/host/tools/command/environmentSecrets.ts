/** Redacts secret values of the environment in a command's output. */

/** Names of secret variables; those that locate sockets and files of agents are none. */
const SECRET_NAME =
  /api_?key|(?:^|_)keys?(?:$|_)|token|secret|passw(?:or)?d|passphrase|_pwd$|credential|(?:^|_)auth(?:$|_)|cookie|(?:^|_)dsn$|connection_?string/i;
const NO_SECRET_NAME = /_(?:sock(?:et)?|file|path|dir|home|program|id|pid|agent|method|type|url)$/i;
/** Shorter values are words such as "true", which occur everywhere. */
const LEAST_LENGTH = 8;

export interface WithoutValues {
  readonly text: string;
  readonly count: number;
}

/** Replaces each secret value of `environment` by `[redacted: NAME]`; longest first, as one may contain another. */
export function redactEnvironmentSecrets(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): WithoutValues {
  const secrets = Object.entries(environment)
    .flatMap(([name, value]) => (isSecret(name, value) ? [{ name, value }] : []))
    .toSorted((one, other) => other.value.length - one.value.length);
  let count = 0;
  let rest = text;
  for (const { name, value } of secrets) {
    const pieces = rest.split(value);
    count += pieces.length - 1;
    rest = pieces.join(`[redacted: ${name}]`);
  }
  return { text: rest, count };
}

/** Output is shown at once, instead of page by page with a wait for a key after each. */
const WITHOUT_PAGER: Readonly<Record<string, string>> = {
  PAGER: "cat",
  AWS_PAGER: "",
  BAT_PAGING: "never",
  DELTA_PAGER: "cat",
  GH_PAGER: "cat",
  GIT_PAGER: "cat",
  LESS: "-FRX", // one screen of text needs no key
  MANPAGER: "cat",
  PERLDOC_PAGER: "cat",
  PSQL_PAGER: "cat",
  SYSTEMD_PAGER: "cat",
};

/**
 * Environment of a command: the editor's, without the variables that the editor set for itself and without pagers.
 * `isTty`: it runs in a terminal of xterm's kind.
 */
export function commandEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  isTty: boolean,
): Record<string, string | undefined> {
  const others = /^(?:VSCODE_|ELECTRON_|NODE_OPTIONS$|CHROME_DESKTOP$|COLUMNS$|LINES$)/;
  const own = Object.entries(environment).filter(([name]) => !others.test(name));
  return { ...Object.fromEntries(own), ...WITHOUT_PAGER, ...(isTty ? { TERM: "xterm-256color" } : {}) };
}

function isSecret(name: string, value: string | undefined): value is string {
  return value !== undefined && value.length >= LEAST_LENGTH && SECRET_NAME.test(name) && !NO_SECRET_NAME.test(name);
}
