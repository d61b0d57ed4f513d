/** Detects shell commands in listings, in backticks and within prose. */

import type { Line } from "./lines.ts";

const HEADS = new Set(
  (
    "npm npx pnpm yarn bun bunx deno node tsc tsx git gh glab svn hg docker docker-compose podman nerdctl kubectl helm kustomize minikube kind " +
    "terraform tofu pulumi packer vault consul nomad aws gcloud gsutil az doctl flyctl heroku vercel netlify wrangler firebase cargo rustc rustup " +
    "python python3 pip pip3 pipx uv poetry conda pytest tox ruff mypy black flask django-admin cmake ctest ninja meson bazel buck2 gradle ./gradlew mvn " +
    "sbt lein dotnet nuget msbuild ruby bundle gem rails rake rspec php composer artisan phpunit mix iex elixir rebar3 ghc cabal stack dune opam swift " +
    "xcodebuild xcrun pod flutter dart adb fastlane psql pg_dump pg_restore mysql mysqldump sqlite3 redis-cli mongosh mongo clickhouse-client duckdb " +
    "curl wget httpie http ssh scp sftp rsync ls cd cp mv rm mkdir rmdir touch ln chmod chown cat grep egrep rg ag fd sed awk jq yq xargs tar unzip zip gzip " +
    "brew apt apt-get dnf yum pacman apk snap nix nix-shell nix-build guix systemctl journalctl service crontab code vsce jest vitest mocha playwright cypress " +
    "eslint prettier biome stylelint tsup esbuild vite webpack rollup turbo nx lerna alembic flyway liquibase prisma drizzle-kit knex sequelize ansible " +
    "ansible-playbook vagrant openssl gpg ssh-keygen ssh-add ss netstat lsof nc dig nslookup ping traceroute tcpdump iptables ufw ip ifconfig ps kill killall " +
    "pkill htop top df du mount umount dd fsck ffmpeg ffprobe convert magick pandoc latexmk pdflatex protoc buf grpcurl wasm-pack emcc gcc g++ clang clang++ " +
    "gdb lldb valgrind perf strace ltrace objdump nm readelf k6 wrk ab locust jmeter kafka-topics rabbitmqctl nats istioctl argocd flux skaffold tilt"
  ).split(" "),
);
/** Programs whose names are also English words: these need an argument that looks like one. */
const AMBIGUOUS_PROGRAMS = new Set(
  "make go find just test time watch sort cut head tail less more open start stop run at which who kill stack pod code node service cat ls touch".split(
    " ",
  ),
);
const PREFIX = /^(?:sudo |env |time |nohup |[A-Z_][A-Z0-9_]{1,30}=\S{1,60} ){1,3}/;
const SHELLS = /^(?:sh|bash|shell|zsh|fish|console|powershell|ps1|terminal|cmd|shellsession)\b/;
const PROMPT = /^(?:\$|>|PS>|#|❯|%)\s+(?=\S)/;
/** An option, a path, an assignment or a quoted argument. */
const ARGUMENT = /\s(?:--?[A-Za-z]|\S*[/=:@]\S|["'][^"']+["'])/;
const LONGEST_COMMAND_UNITS = 240;
/** Found in code and prose, seldom in commands. */
const NOT_A_COMMAND =
  /[;{}]\s*$|=>|\s[=!]==?\s|^(?:const|let|var|return|if|for|while|await|new|import|export|type|class|def|fn|func|select|insert|update|the|a|an|to|is|not)\s/i;

/** A line of a stack trace, of JavaScript, Java, Python, Ruby, Go and C: `at` is a program, too. */
function isStackFrame(text: string): boolean {
  return text.length <= LONGEST_FRAME_UNITS && STACK_FRAME.test(text);
}

/** The pattern takes the square of it. */
const LONGEST_FRAME_UNITS = 500;
const STACK_FRAME =
  /^\s*(?:at\s+(?:async\s+|new\s+)?\S.*(?:\(.*\)|:\d+(?::\d+)?)$|File ".*", line \d|from \S+:\d+(?::in\b|$)|#\d+\s+(?:0x|in\b|\S+\()|goroutine \d+ \[|\S+\.go:\d+(?:\s\+0x|$))/;

/** Programs that only show what is there. */
const INSPECTORS = new Set(
  (
    "ls cat head tail less more find grep egrep rg ag fd wc tree stat file which type pwd echo printf sleep du df ps env diff cut sort uniq tr cd true " +
    "Get-ChildItem Get-Content Select-String Select-Object Test-Path dir findstr where"
  ).split(" "),
);
const GIT_INSPECTORS = new Set("status log diff show branch blame grep ls-files rev-parse remote describe".split(" "));
/** Output that goes nowhere or to the same place. Any other redirection writes a file. */
const HARMLESS_REDIRECTION = /\d?>&\d|[\d&]?>\s?\/dev\/null/g;
/** Arguments by which programs that show something change it. */
const CHANGING_ARGUMENT = /\s-(?:delete|exec|execdir|ok)\b|\bgit (?:-C \S+ )?(?:branch|remote) .*\w/;
const COMMAND_SEPARATORS = /\s*(?:&&|\|\|?|;|\n)\s*/;

/** True for a command that only looks at what a tool can show again. */
export function isInspection(command: string): boolean {
  if (command.replaceAll(HARMLESS_REDIRECTION, " ").includes(">") || CHANGING_ARGUMENT.test(command)) return false;
  return command.split(COMMAND_SEPARATORS).every((part) => {
    const [head = "", ...rest] = part
      .replace(PREFIX, "")
      .replace(/ -C \S+/, "")
      .trim()
      .split(/\s+/);
    if (head === "") return true;
    if (head === "sed") return rest.includes("-n");
    if (head !== "git") return INSPECTORS.has(head);
    return GIT_INSPECTORS.has(rest.find((word) => !word.startsWith("-")) ?? "");
  });
}

/** A command line as typed: a known program and at least one argument. */
export function isCommand(text: string): boolean {
  if (text.length > LONGEST_COMMAND_UNITS || isStackFrame(text)) return false;
  const [head = "", ...rest] = text.replace(PREFIX, "").split(" ");
  if (rest.length === 0) return false;
  if (AMBIGUOUS_PROGRAMS.has(head)) return ARGUMENT.test(text);
  return HEADS.has(head) || /^\.{0,2}\/[\w./-]{1,60}$/.test(head);
}

/** Whether text in backticks is a command; here the program may be unknown. */
export function isQuotedCommand(span: string): boolean {
  if (isCommand(span)) return true;
  if (span.length > LONGEST_COMMAND_UNITS || NOT_A_COMMAND.test(span) || isStackFrame(span)) return false;
  const [head = "", next] = span.split(" ");
  return (
    next !== undefined &&
    /^[a-z][\w.+-]{1,30}$/.test(head) &&
    (AMBIGUOUS_PROGRAMS.has(head) || ARGUMENT.test(span) || /\s[a-z]+[-:.]\w/.test(span))
  );
}

/** The command in a line of a shell listing, or of prose that is nothing but a command or ends with one. */
export function commandOf({ text, isCode, language }: Line): string | undefined {
  const command = text.replace(PROMPT, "");
  if (command.length > LONGEST_COMMAND_UNITS) return undefined;
  const isPrompted = command !== text && text.startsWith("$");
  if (isPrompted && command !== "") return command;
  const isShell = isCode && SHELLS.test(language);
  if (isShell && !command.startsWith("#") && isQuotedCommand(command)) return command;
  if (isCode) return language === "" && isCommand(command) ? command : undefined;
  return [command, afterColon(command)].find((candidate) => candidate !== undefined && isTyped(candidate));
}

/** Commands within a sentence: from a known program up to the last word that looks like an argument. */
export function commandsInProse(text: string): readonly string[] {
  if (isStackFrame(text)) return [];
  const words = text.split(" ");
  const commands: string[] = [];
  for (let start = 0; start < words.length; start++) {
    const head = words[start] ?? "";
    if (!HEADS.has(head) || AMBIGUOUS_PROGRAMS.has(head)) continue;
    const end = endOfArguments(words, start);
    if (end <= start + 1) continue;
    const command = words
      .slice(start, end)
      .join(" ")
      .replace(/[.,;:!?]+$/, "");
    if (command.length <= LONGEST_COMMAND_UNITS) commands.push(command);
    start = end - 1;
  }
  return commands;
}

/** Index after the last word that looks like an argument of the command at `start`; `start` without any. */
function endOfArguments(words: readonly string[], start: number): number {
  let end = start;
  for (let index = start + 1; index < Math.min(words.length, start + MOST_ARGUMENTS); index++) {
    const word = words[index] ?? "";
    if (/^-{1,2}[A-Za-z]|[\w\])][/=:@~_.-][\w({]|\d|^["'@]/.test(word)) end = index + 1;
    if (/[.,;:!?]$/.test(word)) break;
  }
  const rest = words.length - end;
  return end > start && rest <= WORDS_TO_THE_END ? words.length : end;
}

const MOST_ARGUMENTS = 14;
/** Up to this many words left after the last argument are taken as arguments too. */
const WORDS_TO_THE_END = 1;

/** In prose a known program alone is not enough: "git is slow today". */
function isTyped(text: string): boolean {
  return (
    isCommand(text) && !/[.!?,]$/.test(text) && (ARGUMENT.test(text) || /^\S+(?: [a-z][\w.:-]*[.:-]\w\S*)/.test(text))
  );
}

function afterColon(text: string): string | undefined {
  const at = text.search(/(?:^|\s)\S*:\s(?=\S+\s)/);
  return at < 0 ? undefined : text.slice(text.indexOf(": ", at) + 2).trim();
}
