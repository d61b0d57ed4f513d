/** Facts as they occur in conversations about software, by type. Each must be found again character by character. */

import { camel, kebab, noun, part, pascal, snake, upper, type Dice } from "./names.ts";

/** Type of a planted fact. */
export type FactType =
  | "path"
  | "url"
  | "name"
  | "id"
  | "number"
  | "version"
  | "commit"
  | "date"
  | "command"
  | "error"
  | "rule"
  | "decision"
  | "quote";

export const FACT_TYPES: readonly FactType[] = [
  "path",
  "url",
  "name",
  "id",
  "number",
  "version",
  "commit",
  "date",
  "command",
  "error",
  "rule",
  "decision",
  "quote",
];

type Maker = (dice: Dice) => string;

const PATHS: readonly Maker[] = [
  (d) => `apps/${kebab(d)}/src/${camel(d)}.ts`,
  (d) => `${part(d)}/${snake(d)}_test.go`,
  (d) => `infra/modules/${kebab(d)}/main.tf`,
  (d) => `lib/${part(d)}/${snake(d)}.ex`,
  (d) => `/etc/${kebab(d)}/${noun(d)}.conf`,
  (d) => `~/.config/${kebab(d)}/settings.toml`,
  (d) => `C:\\work\\${pascal(d)}\\${pascal(d)}.cs`,
  (d) => `charts/${kebab(d)}/templates/${noun(d)}.yaml`,
  (d) => `Sources/${pascal(d)}/${pascal(d)}View.swift`,
  (d) => `.github/workflows/${kebab(d)}.yml`,
  (d) => `db/migrate/2026${String(d.between(10, 12))}${String(d.between(10, 28))}_${snake(d)}.sql`,
  (d) => `crates/${kebab(d)}/src/${snake(d)}.rs:${String(d.between(12, 900))}`,
  (d) => `src/main/java/org/${noun(d)}/${pascal(d)}.java`,
  (d) => `/var/log/${kebab(d)}/${noun(d)}.log`,
];
const URLS: readonly Maker[] = [
  (d) => `https://${noun(d)}.${part(d)}.example.com/${kebab(d)}?page=${String(d.between(2, 90))}`,
  (d) => `http://localhost:${String(d.between(3_001, 9_900))}/${part(d)}/${noun(d)}`,
  (d) => `https://github.com/${noun(d)}-labs/${kebab(d)}/pull/${String(d.between(11, 4_000))}`,
  (d) => `wss://${part(d)}.${noun(d)}.io/v${String(d.between(1, 4))}/stream`,
  (d) => `postgres://${noun(d)}@db-${String(d.between(1, 9))}.${noun(d)}.svc:5432/${snake(d)}`,
  (d) => `s3://${kebab(d)}-${part(d)}/${noun(d)}/${String(d.between(2019, 2026))}/`,
];
const NAMES: readonly Maker[] = [
  (d) => camel(d, 3),
  (d) => pascal(d, 3),
  (d) => snake(d, 3),
  (d) => upper(d, 2),
  (d) => `${pascal(d)}.${camel(d)}`,
  (d) => `${noun(d)}::${snake(d)}`,
  (d) => `inventory.${snake(d)}`,
  (d) => `X-${pascal(d, 1)}-${pascal(d, 1)}`,
  (d) => `@${noun(d)}/${kebab(d)}`,
  (d) => `--${kebab(d)}`,
];
const IDS: readonly Maker[] = [
  (d) => `${noun(d).slice(0, 4).toUpperCase()}-${String(d.between(101, 99_999))}`,
  (d) => `${d.hex(8)}-${d.hex(4)}-4${d.hex(3)}-a${d.hex(3)}-${d.hex(12)}`,
  (d) => `${kebab(d)}-${d.hex(9)}-${d.hex(5)}`,
  (d) => `${noun(d).slice(0, 3)}_${d.hex(10)}`,
  (d) => `i-0${d.hex(16)}`,
  (d) => `#${String(d.between(100, 9_999))}`,
  (d) =>
    `10.${String(d.below(250))}.${String(d.below(250))}.${String(d.between(1, 250))}:${String(d.between(1_025, 9_999))}`,
];
const NUMBERS: readonly Maker[] = [
  (d) => `${String(d.between(11, 990))} ms`,
  (d) => `${String(d.between(2, 80))}.${String(d.between(1, 9))} GB`,
  (d) => `${String(d.between(1, 40))},${String(d.between(100, 999))} requests per second`,
  (d) => `${String(d.between(3, 98))} %`,
  (d) => `port ${String(d.between(2_001, 9_999))}`,
  (d) => `${String(d.between(11, 90))} minutes`,
  (d) => `${String(d.between(6, 64))} workers`,
  (d) => `$${String(d.between(2, 99))}.${String(d.between(10, 99))}`,
  (d) => `0.${String(d.between(101, 999))}`,
  (d) => `${String(d.between(101, 999))} KiB`,
  (d) => `${String(d.between(101, 980))},${String(d.between(100, 999))} rows`,
  (d) => `${String(d.between(3, 40))}s`,
];
const VERSIONS: readonly Maker[] = [
  (d) => `v${String(d.between(1, 9))}.${String(d.between(0, 30))}.${String(d.between(0, 20))}`,
  (d) =>
    `${String(d.between(1, 20))}.${String(d.between(0, 30))}.${String(d.between(0, 20))}-rc.${String(d.between(1, 9))}`,
  (d) => `${kebab(d)}@${String(d.between(1, 19))}.${String(d.between(0, 30))}.${String(d.between(0, 9))}`,
  (d) =>
    `${d.of(["Python", "Node", "Postgres", "Go", "Kotlin", "Elixir"])} ${String(d.between(3, 26))}.${String(d.between(1, 19))}`,
];
const DATES: readonly Maker[] = [
  (d) => `202${String(d.between(4, 7))}-0${String(d.between(1, 9))}-${String(d.between(10, 28))}`,
  (d) => `${String(d.between(1, 28))} ${d.of(["January", "March", "May", "October", "December"])}`,
  (d) => `${d.of(["February", "April", "July", "August"])} ${String(d.between(1, 28))}, 202${String(d.between(4, 7))}`,
  (d) =>
    `202${String(d.between(4, 7))}-1${String(d.between(0, 2))}-${String(d.between(10, 28))}T0${String(d.between(1, 9))}:30:00Z`,
  (d) => `${String(d.between(10, 28))}.0${String(d.between(1, 9))}.2026`,
];
const COMMANDS: readonly Maker[] = [
  (d) => `pnpm --filter @${noun(d)}/${part(d)} build`,
  (d) => `kubectl -n ${part(d)} rollout restart deploy/${kebab(d)}`,
  (d) => `cargo test -p ${kebab(d)} -- --nocapture`,
  (d) => `terraform apply -target=module.${snake(d)}`,
  (d) => `bazel test //${part(d)}/${snake(d)}:all`,
  (d) => `mix ecto.migrate --step ${String(d.between(2, 9))}`,
  (d) => `docker compose up -d ${noun(d)} ${part(d)}`,
  (d) => `psql -d ${snake(d)} -c "select count(*) from ${snake(d)}"`,
  (d) => `just ${kebab(d)}`,
  (d) => `openssl x509 -in ${noun(d)}.pem -noout -dates`,
  (d) => `git bisect start ${d.hex(8)} HEAD~${String(d.between(20, 90))}`,
  (d) => `ffmpeg -i ${noun(d)}.wav -ac 1 -ar ${String(d.between(8, 48))}000 ${noun(d)}.flac`,
  (d) => `make -C ${noun(d)} flash PORT=/dev/ttyUSB${String(d.below(9))}`,
];
const ERRORS: readonly Maker[] = [
  (d) =>
    `panic: runtime error: index out of range [${String(d.between(4, 90))}] with length ${String(d.between(1, 4))}`,
  (d) => `psycopg2.errors.UniqueViolation: duplicate key value violates unique constraint "${snake(d)}_pkey"`,
  (d) => `error[E0502]: cannot borrow \`${snake(d)}\` as mutable because it is also borrowed as immutable`,
  (d) => `java.lang.NullPointerException: Cannot invoke "${pascal(d)}.${camel(d)}()" because "${noun(d)}" is null`,
  (d) => `Error: listen EADDRINUSE: address already in use :::${String(d.between(3_000, 9_000))}`,
  (d) => `ORA-0${String(d.between(1_000, 4_000))}: snapshot too old: rollback segment ${noun(d)} too small`,
  (d) => `upstream connect error or disconnect/reset before headers. reset reason: ${noun(d)} timeout`,
  (d) => `ld: symbol(s) not found for architecture arm64: _${snake(d)}`,
  (d) => `OOMKilled (exit code 137) in pod ${kebab(d)}-${d.hex(5)}`,
  (d) => `x509: certificate for ${noun(d)}.${part(d)}.internal signed by unknown authority`,
  (d) => `TypeError: ${camel(d)}.${camel(d)} is not iterable`,
  (d) => `AssertionError: expected ${String(d.between(11, 90))} to equal ${String(d.between(91, 190))} in ${snake(d)}`,
];

const MAKERS = {
  path: PATHS,
  url: URLS,
  name: NAMES,
  id: IDS,
  number: NUMBERS,
  version: VERSIONS,
  commit: [(d) => d.hex(d.of([7, 8, 10, 40]))] satisfies readonly Maker[],
  date: DATES,
  command: COMMANDS,
  error: ERRORS,
};

/** A generated value of a type; rules, decisions and quotes are sentences of a style instead. */
export function factValue(type: Exclude<FactType, "rule" | "decision" | "quote">, dice: Dice): string {
  return dice.of<Maker>(MAKERS[type])(dice);
}
