import assert from "node:assert/strict";
import fc from "fast-check";
import { redact } from "../../../src/core/secrets/redact.ts";
import { assertLinearTime } from "../../support/linearTime.ts";
import { FORMS, isReadable, KINDS, seededRandom } from "../../support/texts/plantedSecrets.ts";

const letters = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0fG";

describe("redact", () => {
  const check = (text: string, expected: string): void => {
    it(`replaces only the secrets of ${JSON.stringify(text.slice(0, 60))}`, () => {
      const count = expected.split("[redacted: ").length - 1;
      assert.deepEqual(redact(text), { text: expected, count });
      assert.deepEqual(redact(expected), { text: expected, count: 0 });
    });
  };
  check(`key sk-ant-api03-${letters}_x- end`, "key [redacted: API key] end");
  check(`sk-proj-${letters}`, "[redacted: API key]");
  check(`export T=ghp_${letters}AAAA;`, "export T=[redacted: GitHub token];");
  check("AKIAIOSFODNN7QXBMPLE and more", "[redacted: AWS key] and more");
  check(`xoxb-123456789012-${letters}`, "[redacted: Slack token]");
  check(`//registry/:_authToken=npm_${letters}abcd`, "//registry/:_authToken=[redacted: npm token]");
  check(`Authorization: Bearer ${letters}.x`, "Authorization: Bearer [redacted: credential]");
  check(`eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${letters}`, "[redacted: web token]");
  check("postgres://app:s3cr3t-pw@db.internal:5432/main", "postgres://app:[redacted: password]@db.internal:5432/main");
  check('password = "hunter2!horse"', 'password = "[redacted: secret]"');
  check('{"api_key": "Zx81-kk-2901-AA"}', '{"api_key": "[redacted: secret]"}');
  check(
    "-----BEGIN RSA PRIVATE KEY-----\nMIIE+abc/\nxyz=\n-----END RSA PRIVATE KEY-----\nrest",
    "[redacted: private key]\nrest",
  );
  check("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk", "[redacted: private key]");
  check("DB_PASSWORD='correct horse battery staple'", "DB_PASSWORD='[redacted: secret]'");
  check(`two sk-ant-${letters} and hf_${letters}`, "two [redacted: API key] and [redacted: Hugging Face token]");
  check(`sk-ant-${letters}\nghp_${letters}`, "[redacted: API key]\n[redacted: GitHub token]");

  check(`Set-Cookie: session=${letters}; HttpOnly`, "Set-Cookie: session=[redacted: cookie]; HttpOnly");
  check(`SESSION_KEY="${letters}"`, 'SESSION_KEY="[redacted: secret]"');
  check(`https://b.example/f?sv=1&sig=${letters}%3D`, "https://b.example/f?sv=1&sig=[redacted: signature]");
  check(`https://hc-ping.com/${letters}`, "[redacted: webhook]");

  for (const text of [
    "sessionId: 550e8400-e29b-41d4-a716-446655440000",
    "const session = createSessionForUser42(request);",
    "github.com/acme/api-key v1.4.0 h1:Zx81kk2901AAbb3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0=",
    `{file = "requests_token-2.0.tar.gz", hash = "sha256:${"3f2a9c1e4b5d6f7a".repeat(4)}"}`,
    "CONSTRAINT pk_customer_addresses PRIMARY KEY (id)",
    "hashed_password = get_password_hash(password)",
    '<nav class="pk-navigation-menu__item">',
    "sk_buff_alloc_with_headroom(skb, 128);",
    "password: string; apiKey = process.env.API_KEY; secret: ${{ secrets.TOKEN }}",
    "sk-learn is a library; ask-me-anything-about-sk-something",
    "the commit 3f2a9c1e4b5d6f7a8b9c0d1e2f3a4b5c6d7e8f90 stays",
    "const token = this.tokens[index + 1];",
    'token: "identifierNameExpected"',
    "accessToken = await getAccessTokenForUser(userId, 3600)",
    'passwordLabel: "Enter your password, please"',
    "import { secretStorage, tokenCounter42 } from './secrets.ts';",
    'api_key = os.environ["API_KEY"]',
    "id: 550e8400-e29b-41d4-a716-446655440000",
    "requestedPasswordAttribute: SignUpAttributeV2;",
    "password=<your password>",
    "token=xxxxxxxxxxxxxxxxxxxxxxxx",
    "https://user:password@example.com",
    "max_tokens: 4096, token_type: bearer_token_with_refresh",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  ]) {
    it(`§3 keeps what is no secret: ${text.slice(0, 60)}`, () => {
      assert.deepEqual(redact(text), { text, count: 0 });
    });
  }

  for (const [form, shaped] of Object.entries(FORMS)) {
    it(`S12 finds secrets of all kinds: ${form}`, () => {
      const random = seededRandom(12);
      const missed = Object.entries(KINDS).flatMap(([kind, made]) =>
        [1, 2].flatMap(() => {
          const planted = shaped(made(random), random);
          return isReadable(redact(`before ${planted.text} after\n`).text, planted) ? [kind] : [];
        }),
      );
      assert.deepEqual(missed, []);
    });
  }

  it("leaves the text around secrets as it is, and finds nothing in its own result", () => {
    const kinds = Object.values(KINDS);
    const word = fc.constantFrom("see", "a.ts", "§", "😀", "x = 1;", "— and");
    fc.assert(
      fc.property(word, word, fc.nat(), (before, after, seed) => {
        const made = kinds[seed % kinds.length] ?? assert.fail();
        const { text } = redact(`${before} ${made(seededRandom(seed)).text} ${after}`);
        assert.ok(text.startsWith(before) && text.endsWith(after));
        assert.deepEqual(redact(text), { text, count: 0 });
      }),
    );
  });

  for (const unit of [
    "-----BEGIN PRIVATE KEY-----",
    "eyJ",
    "eyJ-",
    "eyJhbGciOiJ9.",
    "password=",
    "a://",
    "://a:",
    "bearer ",
    "sk-a-",
    "sk-",
    "xoxb-",
    ".",
    "%41",
    "\\u0041",
    "\\",
    "\n",
    "A",
    "curl -u ",
    "login a ",
    "AKIAIOSFODNN7QXBMPLE ",
    "PuTTY-User-Key-File-3: ",
    "Private-Lines: 1",
    "token: ",
    "M",
  ]) {
    it(`S16 takes time in proportion to the text: ${JSON.stringify(unit)}`, () => {
      assertLinearTime(redact, { unit, longestUnits: 200_000 });
    });
  }
});
