import assert from "node:assert/strict";
import http from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { S3Replica } from "../../../src/adapters/s3/s3Replica.ts";
import type { S3Place } from "../../../src/adapters/s3/place.ts";
import type { LogReplica, ReplicaResult } from "../../../src/core/replica/logReplica.ts";
import { ManualClock, type ImpatientClock } from "../../support/clocks.ts";
import { selfSignedCertificate } from "../../support/models/selfSignedCertificate.ts";
import { NEVER_CANCELLED } from "../../support/replica/replicaFaults.ts";
import { s3Access, s3Clock, s3Place } from "../../support/replica/s3Access.ts";
import { failure, KEYS, type S3Answer, S3Server } from "../../support/replica/s3Server.ts";
import { whenTrue } from "../../support/whenTrue.ts";

const BYTES = new TextEncoder().encode("sealed, and hashed".repeat(100));
const SECRET = KEYS.secretAccessKey;

describe("replica in S3", () => {
  let server: S3Server;
  let clock: ImpatientClock;
  let replica: LogReplica;
  beforeEach(async () => {
    clock = s3Clock();
    server = await S3Server.start({ nowMs: () => clock.nowMs() });
    replica = s3Access(server, clock);
  });
  afterEach(() => server.stop());
  const put = (name: string): Promise<ReplicaResult<"created" | "exists">> => replica.put(name, BYTES, NEVER_CANCELLED);
  const key = (name: string): string => `ann's/house + 1/${name}`;
  /** Answers the first requests with these, and the others itself. */
  const answerFirst = (...answers: readonly S3Answer[]): void => {
    const rest = [...answers];
    server.answers = () => rest.shift();
  };

  it("names what is below its prefix and of others", async () => {
    for (const name of ["Photos/1.JPG", "c/thing", "", "a b"]) server.objects.set(key(name), Buffer.from("x"));
    server.objects.set("elsewhere/Photo.JPG", Buffer.from("x"));
    const names = await s3Access(server, clock).foreignNames(NEVER_CANCELLED);
    assert.deepEqual(names, { ok: true, value: ["Photos/1.JPG", "a b"] });
  });

  describe("sends nothing to an address", () => {
    const check = (title: string, place: Partial<S3Place>, expected: string): void => {
      it(title, async () => {
        const fetch = (): never => assert.fail("sent");
        const refusing = s3Access(server, clock, { place, fetch });
        const results = [
          await refusing.put("a", BYTES, NEVER_CANCELLED),
          await refusing.get("a", NEVER_CANCELLED),
          await refusing.list("", () => undefined, NEVER_CANCELLED),
          await refusing.delete("a", NEVER_CANCELLED),
        ];
        assert.deepEqual(results.map(reasonIn), [expected, expected, expected, expected]);
      });
    };
    for (const host of ["s3.example.com", "localhost.example.com", "127.0.0.1.example.com", "10.0.0.1", "127.evil"]) {
      check(`without encryption to ${host}`, { endpoint: `http://${host}` }, "insecure");
    }
    check("of another protocol", { endpoint: "ftp://127.0.0.1" }, "insecure");
    check("that is none", { endpoint: "s3.example.com" }, "unexpected");
    check("with a password in it", { endpoint: "https://ann:secret@s3.example.com" }, "unexpected");
    check("with a query in it", { endpoint: "https://s3.example.com?x=1" }, "unexpected");
    check("of a bucket with a path in it", { bucket: "a/../b" }, "unexpected");
    check("of a prefix that leads out of the bucket", { prefix: "a/../../b" }, "unexpected");
  });

  it("puts the bucket's name into the host's where that is asked for", async () => {
    const port = new URL(server.url).port;
    const place = { endpoint: `http://localhost:${port}`, bucketIn: "hostName" } as const;
    const hosts: string[] = [];
    const inHost = s3Access(server, clock, {
      place,
      fetch: (input, init) => {
        assert.ok(input instanceof URL);
        hosts.push(input.hostname);
        return fetchAs(input, init ?? {});
      },
    });
    assert.deepEqual(await inHost.put("a/b", BYTES, NEVER_CANCELLED), { ok: true, value: "created" });
    assert.deepEqual([...server.objects.keys()], [key("a/b")]);
    assert.deepEqual(hosts, ["forge.localhost"]);
  });

  it("has the bucket's name in the path of an address without a name", async () => {
    const inHost = s3Access(server, clock, { place: { bucketIn: "hostName" } });
    assert.deepEqual(await inHost.put("a", BYTES, NEVER_CANCELLED), { ok: true, value: "created" });
  });

  it("goes to no other host with its signature", async () => {
    const other = await S3Server.start({ nowMs: () => clock.nowMs() });
    try {
      server.answers = ({ method }) => ({ status: 307, headers: { location: `${other.url}/forge/${method}` } });
      const results = [
        await put("a"),
        await replica.get("a", NEVER_CANCELLED),
        await replica.list("", () => undefined, NEVER_CANCELLED),
        await replica.delete("a", NEVER_CANCELLED),
      ];
      assert.deepEqual(results.map(reasonIn), ["missing", "missing", "missing", "missing"]);
      assert.deepEqual(other.requests, []);
      const error = { error: undefined, ...results[0] }.error;
      assert.ok(error !== undefined && "detail" in error && error.detail.includes(`${other.url}/forge/PUT`));
    } finally {
      await other.stop();
    }
  });

  it("trusts no certificate that this machine does not", async () => {
    let requests = 0;
    const secure = https.createServer({ ...selfSignedCertificate() }, (_request, response) => {
      requests++;
      response.end();
    });
    await new Promise<void>((resolve) => secure.listen(0, "127.0.0.1", resolve));
    try {
      const place = { endpoint: `https://localhost:${(secure.address() as AddressInfo).port}` };
      const result = await s3Access(server, clock, { place }).put("a", BYTES, NEVER_CANCELLED);
      assert.deepEqual([reasonIn(result), requests, clock.pauses], ["insecure", 0, []]);
    } finally {
      await new Promise((resolve) => secure.close(resolve));
    }
  });

  describe("tells from the store's answer", () => {
    const check = (
      title: string,
      access: Parameters<typeof s3Access>[2],
      expected: readonly [string, RegExp],
    ): void => {
      it(title, async () => {
        const result = await s3Access(server, clock, access).put("a", BYTES, NEVER_CANCELLED);
        const [reason, detail] = expected;
        assert.ok(!result.ok && "detail" in result.error, JSON.stringify(result));
        assert.equal(result.error.reason, reason, result.error.detail);
        assert.match(result.error.detail, detail);
        assert.deepEqual(server.objects.size, 0);
      });
    };
    const secretAccessKey = "another/secret+of=the&tests";
    check("a wrong secret", { keys: { ...KEYS, secretAccessKey } }, ["wrongSecret", /^(?!.*another)/]);
    check("a key that it does not know", { keys: { ...KEYS, accessKeyId: "AKIANOBODY0000000000" } }, [
      "denied",
      /^(?!.*AKIA)/,
    ]);
    check("the region of the bucket", { place: { region: "us-east-1" } }, ["missing", /eu-house-1/]);
    check("a bucket that is not there", { place: { bucket: "nobodys" } }, ["missing", /NoSuchBucket/]);
  });

  it("says by how much the clock is wrong", async () => {
    server.clockIsAheadMs = 40 * 60_000;
    const result = await put("a");
    assert.match(JSON.stringify(result), /"wrongClock".*This machine's clock is 40 minutes late\./);
  });

  it("has no secret in its words, whatever a server echoes", async () => {
    server.answers = ({ headers }) => {
      const echoed = [headers.authorization, SECRET, encodeURIComponent(SECRET), "token-of-an-hour"].join(" ");
      return { status: 403, headers: { "content-type": "text/html" }, body: `<h1>Forbidden</h1><p>${echoed}</p>` };
    };
    const keys = { ...KEYS, sessionToken: "token-of-an-hour" };
    const result = await s3Access(server, clock, { keys }).put("a", BYTES, NEVER_CANCELLED);
    assert.ok(!result.ok && "detail" in result.error);
    const { detail } = result.error;
    assert.match(detail, /Forbidden/);
    assert.doesNotMatch(detail, /[\da-f]{64}/);
    for (const secret of [SECRET, encodeURIComponent(SECRET), keys.sessionToken, KEYS.accessKeyId]) {
      assert.ok(!detail.includes(secret), detail);
    }
  });

  it("signs with a token that is valid for a time", async () => {
    const tokens: unknown[] = [];
    server.answers = ({ headers }) => {
      tokens.push(headers["x-amz-security-token"]);
      return undefined;
    };
    const keys = { ...KEYS, sessionToken: "token/of+an=hour" };
    assert.equal(reasonIn(await s3Access(server, clock, { keys }).put("a", BYTES, NEVER_CANCELLED)), "ok");
    assert.deepEqual(tokens, ["token/of+an=hour"]);
  });

  describe("tries again", () => {
    const slowDown = failure(503, "SlowDown");
    const check = (
      title: string,
      answers: readonly S3Answer[],
      expected: { readonly reason: string; readonly pauses: readonly number[] },
    ): void => {
      it(title, async () => {
        answerFirst(...answers);
        const reason = reasonIn(await put("a"));
        assert.deepEqual({ reason, pauses: clock.pauses }, expected);
      });
    };
    const repeated = (answer: S3Answer): readonly S3Answer[] => Array<S3Answer>(5).fill(answer);
    check("with growing pauses, until it is not refused any more", [slowDown, slowDown, slowDown, slowDown], {
      reason: "ok",
      pauses: [150, 300, 600, 1_200],
    });
    check("five times", repeated(slowDown), { reason: "busy", pauses: [150, 300, 600, 1_200] });
    check("after an error of the store", [failure(500, "InternalError")], { reason: "ok", pauses: [150] });
    check("after a gateway's error", [{ status: 502, body: "<html>Bad Gateway" }], { reason: "ok", pauses: [150] });
    check("after a put of the same name at the same time", [failure(409, "ConditionalRequestConflict")], {
      reason: "ok",
      pauses: [150],
    });
    check("after the delay that it names", [{ ...slowDown, headers: { "retry-after": "7" } }, slowDown], {
      reason: "ok",
      pauses: [7_000, 300],
    });
    check("not within an hour where that is the delay", [{ ...slowDown, headers: { "retry-after": "3600" } }], {
      reason: "busy",
      pauses: [],
    });
    check("not what will not pass", [failure(403, "AccessDenied")], { reason: "denied", pauses: [] });
    check("not to read another's page", [{ status: 200, body: "<html>Please log in" }], {
      reason: "unexpected",
      pauses: [],
    });

    it("tells the delay that it does not wait for", async () => {
      answerFirst({ ...slowDown, headers: { "retry-after": "3600" } });
      const result = await put("a");
      assert.ok(!result.ok && "retryAfterMs" in result.error && result.error.retryAfterMs === 3_600_000);
    });

    it("after a lost connection, which may have had its effect", async () => {
      server.putFaults.push("dropped", "answerLost");
      assert.deepEqual(await put("a"), { ok: true, value: "exists" });
      assert.deepEqual(server.requests, [`PUT ${key("a")}`, `PUT ${key("a")}`, `PUT ${key("a")}`]);
    });

    for (const fault of ["cut", "cutWithoutLength", "closed"] as const) {
      it(`to read what ended in the middle (${fault})`, async () => {
        await put("a");
        server.getFaults.push(fault, fault);
        const result = await replica.get("a", NEVER_CANCELLED);
        assert.deepEqual(result, { ok: true, value: BYTES });
        server.getFaults.push(...Array<typeof fault>(5).fill(fault));
        assert.equal(reasonIn(await replica.get("a", NEVER_CANCELLED)), "unreachable");
      });
    }

    it("when nothing comes for half a minute", async () => {
      await put("a");
      server.getFaults.push("silent", "silent");
      const result = replica.get("a", NEVER_CANCELLED);
      for (const attempt of [2, 3]) {
        await whenTrue(() => server.requests.length === attempt && clock.pendingLimits === 1);
        clock.endLimits();
      }
      assert.equal(reasonIn(await result), "ok");
      assert.equal(clock.pendingLimits, 0);
    });

    it("no more once it is cancelled", async () => {
      const manual = new ManualClock();
      const patient = new S3Replica(s3Place(server.url), KEYS, { clock: manual });
      const skewed = await S3Server.start({ nowMs: () => manual.nowMs() });
      try {
        skewed.answers = () => failure(503, "SlowDown");
        const cancel = new AbortController();
        const waiting = new S3Replica(s3Place(skewed.url), KEYS, { clock: manual });
        const result = waiting.put("a", BYTES, cancel.signal);
        await whenTrue(() => skewed.requests.length === 1 && manual.pending === 1);
        cancel.abort();
        assert.deepEqual(await result, { ok: false, error: { code: "CANCELLED" } });
        assert.equal(manual.pending, 0);
        assert.equal(reasonIn(await patient.put("a", BYTES, cancel.signal)), "cancelled");
      } finally {
        await skewed.stop();
      }
    });
  });

  it("ends a request on its way when it is cancelled", async () => {
    await put("a");
    server.getFaults.push("silent");
    const cancel = new AbortController();
    const result = replica.get("a", cancel.signal);
    await whenTrue(() => server.requests.length === 2);
    cancel.abort();
    assert.deepEqual(await result, { ok: false, error: { code: "CANCELLED" } });
    await whenTrue(() => clock.pendingLimits === 0);
  });

  it("puts without the condition where the store does not know it", async () => {
    const conditions: unknown[] = [];
    server.answers = ({ headers }) => {
      conditions.push(headers["if-none-match"]);
      return headers["if-none-match"] === undefined ? undefined : failure(501, "NotImplemented");
    };
    assert.deepEqual(
      [await put("a"), await put("a")],
      [
        { ok: true, value: "created" },
        { ok: true, value: "created" },
      ],
    );
    assert.deepEqual(conditions, ["*", undefined, undefined]);
  });

  describe("takes for no listing", () => {
    const contents = "<Contents><Key>a</Key><Size>1</Size></Contents>";
    const check = (title: string, body: string): void => {
      it(title, async () => {
        server.answers = () => ({ status: 200, body });
        assert.equal(reasonIn(await replica.list("", () => undefined, NEVER_CANCELLED)), "unexpected");
      });
    };
    check("a page", "<html><body>Welcome</body></html>");
    check("nothing", "");
    check("what is cut", `<ListBucketResult>${contents}`);
    check("declared entities", `<!DOCTYPE l [<!ENTITY a "b">]><ListBucketResult><Key>&a;</Key></ListBucketResult>`);
    check(
      "one that says that it goes on, and not where",
      "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
    );
    check(
      "one that goes on where it began",
      "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>1</NextContinuationToken></ListBucketResult>",
    );
    check("more than 16 MB", `<ListBucketResult>${" ".repeat(17_000_000)}</ListBucketResult>`);
  });

  it("lists what is below its prefix, and its own only", async () => {
    const keys = [
      ...["log/1", "log/ü", "log/Capital", "log/a b", "log/.hidden", "log/", "other"].map(key),
      ...["ann's/house + 10/log/1", "ann's/house  1/log/1", "log/1"],
    ];
    for (const other of keys) server.objects.set(other, Buffer.from("x"));
    const names: string[] = [];
    const listing = await replica.list("log/", (page) => names.push(...page.map(({ name }) => name)), NEVER_CANCELLED);
    assert.deepEqual([listing.ok, names], [true, ["log/1"]]);
  });

  it("reads a listing whose keys are not encoded", async () => {
    const members = `<Contents><Key>${key("a").replace("'", "&#39;")}</Key><Size>7</Size></Contents>`;
    server.answers = () => ({ status: 200, body: `<x:ListBucketResult xmlns:x="y">${members}</x:ListBucketResult>` });
    const found: unknown[] = [];
    await replica.list("", (page) => found.push(...page), NEVER_CANCELLED);
    assert.deepEqual(found, [{ name: "a", length: 7 }]);
  });

  it("has no body that is shorter than its length, whatever reads the wire", async () => {
    const encodings: unknown[] = [];
    const fetch = (_input: unknown, init?: RequestInit): Promise<Response> => {
      encodings.push(new Headers(init?.headers).get("accept-encoding"));
      return Promise.resolve(new Response(BYTES.slice(1), { headers: { "content-length": String(BYTES.length) } }));
    };
    assert.equal(reasonIn(await s3Access(server, clock, { fetch }).get("a", NEVER_CANCELLED)), "unreachable");
    assert.deepEqual(encodings, Array<string>(5).fill("identity"));
  });

  it("says of nothing that it is absent where no store answers", async () => {
    server.answers = () => ({ status: 404, body: "<html>Not found" });
    assert.equal(reasonIn(await replica.get("a", NEVER_CANCELLED)), "missing");
    assert.equal(reasonIn(await replica.delete("a", NEVER_CANCELLED)), "missing");
  });
});

function reasonIn(result: ReplicaResult<unknown>): string {
  if (result.ok) return "ok";
  return result.error.code === "CANCELLED" ? "cancelled" : result.error.reason;
}

/** Sends a request to this machine under the name of another host. */
function fetchAs(url: URL, { method, headers, body }: RequestInit): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sent = Object.fromEntries(new Headers(headers));
    const options = { host: "127.0.0.1", port: url.port, path: url.pathname + url.search, method };
    const request = http.request({ ...options, headers: { ...sent, host: url.host } }, (response) => {
      response.resume();
      const received = new Headers({ etag: response.headers.etag ?? "" });
      resolve(new Response(null, { status: response.statusCode ?? 0, headers: received }));
    });
    request.once("error", reject);
    request.end(body as Uint8Array | undefined);
  });
}
