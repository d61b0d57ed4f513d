/**
 * Removes secrets from text: on the way to a summarizer, and again on the way back. A redacted text is still
 * summarized.
 *
 * Every pattern is bounded, so that the time grows with the length of the text and with nothing else.
 */

/** `count`: number of secrets removed. */
export interface Redacted {
  readonly text: string;
  readonly count: number;
}

/** Replaces each secret by `[redacted: kind]`. Idempotent. */
export function redact(text: string): Redacted {
  let count = 0;
  let redacted = text;
  for (const { name, pattern, mayBeCode } of SECRETS) {
    redacted = redacted.replace(pattern, (match: string, ...rest: unknown[]) => {
      const groups = namedGroups(rest.at(-1));
      if (mayBeCode === true && PLACEHOLDER.test(groups.secret ?? match)) return match;
      count++;
      return `${groups.before ?? ""}[redacted: ${name}]`;
    });
  }
  return { text: redacted, count };
}

interface SecretPattern {
  readonly name: string;
  /** Group `before` is retained, `secret` is tested for placeholders; without groups the whole match is the secret. */
  readonly pattern: RegExp;
  /** Code that handles secrets matches too; a match that is a mere name or expression is retained. */
  readonly mayBeCode?: boolean;
}

const SECRETS: readonly SecretPattern[] = [
  {
    name: "private key",
    pattern: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[^-]|-(?!----)){0,20000}(?:-----END [A-Z ]{0,40}-----)?/g,
  },
  { name: "API key", pattern: /\b(?:sk|pk|rk)[-_](?:[A-Za-z]{2,10}[-_]){0,3}[A-Za-z0-9_-]{16,300}/g },
  { name: "GitHub token", pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255})/g },
  { name: "GitLab token", pattern: /\bglpat-[A-Za-z0-9_-]{16,100}/g },
  { name: "AWS key", pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  {
    name: "Google key",
    pattern: /\b(?:AIza[A-Za-z0-9_-]{35}|ya29\.[A-Za-z0-9_-]{20,300}|GOCSPX-[A-Za-z0-9_-]{20,60})/g,
  },
  { name: "Slack token", pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,250}/g },
  { name: "npm token", pattern: /\bnpm_[A-Za-z0-9]{30,80}/g },
  { name: "Hugging Face token", pattern: /\bhf_[A-Za-z0-9]{30,80}/g },
  { name: "web token", pattern: /\beyJ[A-Za-z0-9_-]{10,2000}\.[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{0,2000}/g },
  { name: "credential", pattern: /(?<before>\b(?:bearer|basic)\s{1,4})(?<secret>[A-Za-z0-9._~+/=-]{16,2000})/gi },
  {
    name: "password",
    pattern: /(?<before>\b[a-z][a-z0-9+]{1,20}:\/\/[^\s:/@]{0,100}:)(?<secret>[^\s@/]{3,200})(?=@)/gi,
  },
  {
    name: "secret",
    mayBeCode: true,
    pattern:
      /(?<before>(?:passw(?:or)?d|passphrase|secret|api[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token|private[_-]?key)["'`]{0,2}\s{0,4}(?:=|:)\s{0,4}["'`]{0,2})(?<secret>[^\s"'`,;()[\]{}<>]{8,300})/gi,
  },
];

/** `password: string`, `apiKey = process.env.KEY`, `token: ${{ secrets.X }}`, and a text that was redacted before. */
const PLACEHOLDER = /^(?:[a-z]+|[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+|[x*.•]+|\$.*|%.*|your[-_].*|example.*)$/i;

function namedGroups(last: unknown): Readonly<Record<"before" | "secret", string | undefined>> {
  const groups: Readonly<Record<string, unknown>> = isRecord(last) ? last : {};
  const text = (name: string): string | undefined => {
    const value = groups[name];
    return typeof value === "string" ? value : undefined;
  };
  return { before: text("before"), secret: text("secret") };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
