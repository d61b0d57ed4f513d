import assert from "node:assert/strict";
import fc from "fast-check";
import { normalizedRemote } from "../../../src/core/history/gitRemote.ts";

const NAMES: readonly (readonly [address: string, remote: string | undefined])[] = [
  ["https://github.com/owner/name.git", "github.com/owner/name"],
  ["https://github.com/owner/name/", "github.com/owner/name"],
  ["https://GitHub.com/Owner/Name", "github.com/owner/name"],
  ["https://user:token@github.com/owner/name.git", "github.com/owner/name"],
  ["https://x-access-token:ghs_a@b@github.com/owner/name", "github.com/owner/name"],
  ["git@github.com:owner/name.git", "github.com/owner/name"],
  ["github.com:owner/name", "github.com/owner/name"],
  ["ssh://git@github.com/owner/name.git", "github.com/owner/name"],
  ["ssh://git@ssh.github.com:443/owner/name.git", "github.com/owner/name"],
  ["git+ssh://git@github.com/owner/name", "github.com/owner/name"],
  ["git://github.com/owner/name.git", "github.com/owner/name"],
  ["https://git.example.org:8443/Team/Name.git?x=1#y", "git.example.org/Team/Name"],
  ["ssh://git@git.example.org:7999/Team/Name.git", "git.example.org/Team/Name"],
  ["git@git.example.org.:/srv/Team/Name.git", "git.example.org/srv/Team/Name"],
  ["git@work:team/name.git", "work/team/name"],
  ["https://example.org/a%20b/c", undefined],
  ["https://example.org/%C3%BCber/c.git", "example.org/über/c"],
  ["https://example.org/a%2Fb", "example.org/a/b"],
  ["https://person@dev.azure.com/Org/Project/_git/Repo", "dev.azure.com/org/project/repo"],
  ["git@ssh.dev.azure.com:v3/Org/Project/Repo", "dev.azure.com/org/project/repo"],
  ["ssh://git@[2001:db8::1]:22/a/b.git", "[2001:db8::1]/a/b"],
  ["  https://example.org/a\n", "example.org/a"],
  ["https://example.org/", undefined],
  ["https://example.org", undefined],
  ["https://example.org/../a", undefined],
  ["file:///srv/name.git", undefined],
  ["/srv/name.git", undefined],
  ["../name", undefined],
  ["..:name", undefined],
  ["https://example.org../name", "example.org/name"],
  ["C:\\src\\name", undefined],
  ["C:/src/name", undefined],
  ["\\\\server\\share\\name", undefined],
  ["ext::sh -c evil", undefined],
  ["https://localhost:3000/a/b", undefined],
  ["http://127.0.0.1/a/b", undefined],
  ["ssh://git@[::1]/a/b", undefined],
  ["", undefined],
];

describe("normalizedRemote", () => {
  for (const [address, remote] of NAMES)
    it(`${JSON.stringify(address)} is ${remote ?? "none"}`, () => {
      assert.equal(normalizedRemote(address), remote);
    });

  const name = fc.stringMatching(/^[A-Za-z0-9_.-]{1,12}$/).filter((part) => !/^\.+$|\.git$|^_git$/i.test(part));
  const host = fc.stringMatching(/^[A-Za-z0-9]{2,8}\.(?:org|example)$/);

  it("is the same however a clone was made, and never holds a password", () => {
    fc.assert(
      fc.property(host, fc.array(name, { minLength: 1, maxLength: 4 }), (of, names) => {
        const path = names.join("/");
        const forms = [
          `https://${of}/${path}`,
          `https://user:sec.ret@${of.toUpperCase()}:8443/${path}.git`,
          `ssh://git@${of}:2222/${path}/`,
          `git@${of}:${path}.git`,
          `${of}:/${path}`,
        ].map(normalizedRemote);
        assert.deepEqual([...new Set(forms)], [`${of.toLowerCase()}/${path}`]);
      }),
    );
  });

  it("stays as it is when it is read again", () => {
    const address = fc.oneof(fc.string(), fc.webUrl({ withFragments: true, withQueryParameters: true }));
    fc.assert(
      fc.property(address, (given) => {
        const remote = normalizedRemote(given);
        if (remote !== undefined) assert.equal(normalizedRemote(`https://${remote}`), remote);
      }),
      { numRuns: 5_000 },
    );
  });
});
