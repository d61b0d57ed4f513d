/** The tests' own server refuses what a real one does: else a test that passes there would say nothing. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { KEYS, S3Server, signatureOf } from "../../support/replica/s3Server.ts";

const EMPTY = createHash("sha256").update("").digest("hex");

describe("S3 server of the tests", () => {
  it("computes the signatures of AWS's documentation", () => {
    const signed = {
      region: "us-east-1",
      date: "20130524T000000Z",
      secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
      names: ["host", "x-amz-content-sha256", "x-amz-date"],
      hash: EMPTY,
      method: "GET",
      headers: {
        host: "examplebucket.s3.amazonaws.com",
        "x-amz-content-sha256": EMPTY,
        "x-amz-date": "20130524T000000Z",
      },
      path: "/",
    };
    const signatures = ["max-keys=2&prefix=J", "lifecycle"].map((search) =>
      signatureOf({ ...signed, search }).signature.toString("hex"),
    );
    assert.deepEqual(signatures, [
      "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
      "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
    ]);
  });

  describe("refuses", () => {
    const nowMs = Date.UTC(2026, 10, 28, 12);
    let server: S3Server;
    before(async () => {
      server = await S3Server.start({ nowMs: () => nowMs });
    });
    after(() => server.stop());

    interface Sent {
      readonly date?: string;
      readonly service?: string;
      readonly hash?: string;
      readonly names?: readonly string[];
      readonly authorization?: string;
      readonly search?: string;
      readonly sentSearch?: string;
    }
    const check = (title: string, sent: Sent, expected: readonly [status: number, code: string]): void => {
      it(title, async () => {
        const { date = "20261128T120000Z", hash = EMPTY, search = "list-type=2", service = "s3" } = sent;
        const names = sent.names ?? ["host", "x-amz-content-sha256", "x-amz-date"];
        const headers = { "x-amz-content-sha256": hash, "x-amz-date": date };
        const { signature } = signatureOf({
          ...{ method: "GET", path: "/forge", search, names, hash, date, region: "eu-house-1" },
          headers: { ...headers, host: new URL(server.url).host },
          secret: KEYS.secretAccessKey,
        });
        const credential = `${KEYS.accessKeyId}/${date.slice(0, 8)}/eu-house-1/${service}/aws4_request`;
        const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names.join(";")}, Signature=${signature.toString("hex")}`;
        const response = await fetch(`${server.url}/forge?${sent.sentSearch ?? search}`, {
          headers: { ...headers, authorization: sent.authorization ?? authorization },
        });
        const code = /<Code>(\w+)/.exec(await response.text())?.[1] ?? "";
        assert.deepEqual([response.status, code], expected);
      });
    };
    check("not what is right", {}, [200, ""]);
    check("what is not signed", { authorization: "" }, [403, "AccessDenied"]);
    check("another query than what was signed", { sentSearch: "list-type=2&prefix=a" }, [403, "SignatureDoesNotMatch"]);
    check("a request of 16 minutes ago", { date: "20261128T114359Z" }, [403, "RequestTimeTooSkewed"]);
    check("a request that comes too early", { date: "20261128T121600Z" }, [403, "RequestTimeTooSkewed"]);
    check("a signature of another service", { service: "ec2" }, [400, "AuthorizationHeaderMalformed"]);
    check("headers that are not signed", { names: ["host", "x-amz-date"] }, [403, "AccessDenied"]);
    check("a signature without the host", { names: ["x-amz-content-sha256", "x-amz-date"] }, [403, "AccessDenied"]);
    check("a body that is not what was signed", { hash: EMPTY.replace("e", "f") }, [400, "XAmzContentSHA256Mismatch"]);
    check("a body that was not signed", { hash: "UNSIGNED-PAYLOAD" }, [400, "XAmzContentSHA256Mismatch"]);
    check("a token that it did not give", { search: "continuation-token=1&list-type=2" }, [400, "InvalidArgument"]);
  });
});
