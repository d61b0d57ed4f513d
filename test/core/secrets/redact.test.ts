import assert from "node:assert/strict";
import { redact } from "../../src/core/redact.ts";

describe("redact", () => {
  const check = (text: string, expected: string): void => {
    it(text.slice(0, 60), () => {
      const count = expected.split("[redacted: ").length - 1;
      assert.deepEqual(redact(text), { text: expected, count });
      assert.deepEqual(redact(expected), { text: expected, count: 0 });
    });
  };
  const letters = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0fG";
  check(`key sk-ant-api03-${letters}_x- end`, "key [redacted: API key] end");
  check(`sk-proj-${letters}`, "[redacted: API key]");
  check(`export T=ghp_${letters}AAAA;`, "export T=[redacted: GitHub token];");
  check("AKIAIOSFODNN7EXAMPLE and more", "[redacted: AWS key] and more");
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
  check(
    "password: string; apiKey = process.env.API_KEY; secret: ${{ secrets.TOKEN }}",
    "password: string; apiKey = process.env.API_KEY; secret: ${{ secrets.TOKEN }}",
  );
  check(
    "sk-learn is a library; ask-me-anything-about-sk-something",
    "sk-learn is a library; ask-me-anything-about-sk-something",
  );
  check(
    "the commit 3f2a9c1e4b5d6f7a8b9c0d1e2f3a4b5c6d7e8f90 stays",
    "the commit 3f2a9c1e4b5d6f7a8b9c0d1e2f3a4b5c6d7e8f90 stays",
  );

  it("takes time in proportion to the text, whatever the text", () => {
    const hostile = ["-----BEGIN PRIVATE KEY-----", "eyJ", "password=", "a://", "bearer ", "sk-a-", "xoxb-", "."];
    for (const piece of hostile) {
      const text = piece.repeat(Math.ceil(200_000 / piece.length));
      const before = process.cpuUsage();
      redact(text);
      const { user, system } = process.cpuUsage(before);
      assert.ok((user + system) / 1000 < 1500, `${piece}: ${(user + system) / 1000} ms`);
    }
  });
});
