import assert from "node:assert/strict";
import { answeredFailure, connectionFailure } from "../../../src/adapters/s3/failures.ts";

const NOW_MS = Date.UTC(2026, 10, 28, 12);

describe("errors of object stores", () => {
  const check = (
    title: string,
    answer: { readonly status: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> },
    expected: { readonly reason: string; readonly detail: string; readonly retryAfterMs?: number },
  ): void => {
    it(title, () => {
      const { status, body = "", headers = {} } = answer;
      const received = { status, body: new TextEncoder().encode(body), headers: new Headers(headers) };
      assert.deepEqual(answeredFailure(received, [], NOW_MS).failure, { code: "REPLICA_FAILED", ...expected });
    });
  };
  const error = (code: string, message: string, more = ""): string =>
    `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message>${more}</Error>`;

  check(
    "AWS: too many requests",
    { status: 503, body: error("SlowDown", "Please reduce your request rate."), headers: { "retry-after": "2" } },
    { reason: "busy", detail: "Please reduce your request rate. (SlowDown, HTTP 503)", retryAfterMs: 2_000 },
  );
  check(
    "MinIO: too many requests",
    { status: 503, body: error("SlowDownWrite", "Resource requested is unwritable, please reduce your request rate") },
    {
      reason: "busy",
      detail: "Resource requested is unwritable, please reduce your request rate (SlowDownWrite, HTTP 503)",
    },
  );
  check(
    "AWS: a put of the same name at the same time",
    { status: 409, body: error("ConditionalRequestConflict", "The conditional request cannot succeed.") },
    {
      reason: "busy",
      detail: "The conditional request cannot succeed. (ConditionalRequestConflict, HTTP 409)",
    },
  );
  check(
    "AWS: a body that came too slowly",
    { status: 400, body: error("RequestTimeout", "Your socket connection was not read from in time.") },
    { reason: "unreachable", detail: "Your socket connection was not read from in time. (RequestTimeout, HTTP 400)" },
  );
  check(
    "AWS: the region of the bucket, in the signature",
    {
      status: 400,
      body: error("AuthorizationHeaderMalformed", "The region 'us-east-1' is wrong.", "<Region>eu-west-1</Region>"),
    },
    {
      reason: "missing",
      detail:
        "The region 'us-east-1' is wrong. The place names another region or address: eu-west-1 (AuthorizationHeaderMalformed, HTTP 400)",
    },
  );
  check(
    "AWS: the address of the bucket",
    {
      status: 301,
      body: error(
        "PermanentRedirect",
        "Use the specified endpoint.",
        "<Endpoint>s3-eu-west-1.amazonaws.com</Endpoint>",
      ),
    },
    {
      reason: "missing",
      detail:
        "Use the specified endpoint. The place names another region or address: s3-eu-west-1.amazonaws.com (PermanentRedirect, HTTP 301)",
    },
  );
  check(
    "AWS: the region of the bucket, in a header alone",
    { status: 301, headers: { "x-amz-bucket-region": "eu-west-1" } },
    { reason: "missing", detail: "The place names another region or address: eu-west-1 (HTTP 301)" },
  );
  check(
    "a signature that cannot be read, for another reason",
    { status: 400, body: error("AuthorizationHeaderMalformed", "The credential is mal-formed.") },
    { reason: "unexpected", detail: "The credential is mal-formed. (AuthorizationHeaderMalformed, HTTP 400)" },
  );
  check(
    "a clock that is wrong, where the server's is not told",
    { status: 403, body: error("RequestTimeTooSkewed", "The difference is too large.") },
    { reason: "wrongClock", detail: "The difference is too large. (RequestTimeTooSkewed, HTTP 403)" },
  );
  check(
    "AWS: a session that is over",
    { status: 400, body: error("ExpiredToken", "The provided token has expired.") },
    { reason: "expired", detail: "The provided token has expired. (ExpiredToken, HTTP 400)" },
  );
  check(
    "R2: no rights",
    { status: 401, body: error("Unauthorized", "Unauthorized") },
    { reason: "denied", detail: "Unauthorized (Unauthorized, HTTP 401)" },
  );
  check("no rights, without a body", { status: 403 }, { reason: "denied", detail: "(HTTP 403)" });
  check(
    "B2: the limit of the account",
    { status: 403, body: error("AccessDenied", "Cannot upload files, storage cap exceeded.") },
    { reason: "full", detail: "Cannot upload files, storage cap exceeded. (AccessDenied, HTTP 403)" },
  );
  check(
    "Ceph: the limit of the account",
    { status: 403, body: error("QuotaExceeded", "") },
    { reason: "full", detail: "(QuotaExceeded, HTTP 403)" },
  );
  check(
    "MinIO: a full disk",
    { status: 507, body: error("XMinioStorageFull", "Storage backend has reached its minimum free drive threshold.") },
    {
      reason: "full",
      detail: "Storage backend has reached its minimum free drive threshold. (XMinioStorageFull, HTTP 507)",
    },
  );
  check("a place for reading", { status: 405 }, { reason: "readOnly", detail: "(HTTP 405)" });
  check(
    "a gateway's page",
    { status: 502, body: "<html><head><title>502</title></head><body><h1>Bad Gateway</h1></body></html>" },
    { reason: "unreachable", detail: "Bad Gateway (HTTP 502)" },
  );

  it("connections without encryption", () => {
    const failures = ["CERT_HAS_EXPIRED", "ERR_TLS_CERT_ALTNAME_INVALID", "EPROTO", "ECONNREFUSED"].map((code) =>
      connectionFailure(Object.assign(new Error("fetch failed"), { cause: { code, message: "no" } }), []),
    );
    assert.deepEqual(
      failures.map(({ failure }) => failure.reason),
      ["insecure", "insecure", "insecure", "unreachable"],
    );
  });
});
