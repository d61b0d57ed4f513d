import assert from "node:assert/strict";
import { modelId } from "../../../src/core/ids.ts";
import { httpFailure } from "../../../src/core/stream/httpFailure.ts";

describe("what a service does not allow to be asked or answered", () => {
  const codeOf = (status: number | undefined, type: string, message: string): string =>
    httpFailure({ provider: "p", status, type, message, model: modelId("m"), secrets: [] }).code;

  it("is a refusal in the words of many services, and no wrong key", () => {
    for (const message of [
      "Invalid prompt: your prompt was flagged as potentially violating our usage policy.",
      "Content Exists Risk",
      "Input data may contain inappropriate content.",
      "Output blocked by content filtering policy",
      "Content violates usage guidelines. Team: t, API key ID: k, Failed check: SAFETY_CHECK_TYPE_BIO",
    ])
      for (const status of [400, 403, undefined]) assert.equal(codeOf(status, "", message), "REFUSED", message);
  });

  it("is one by its type, whatever its words", () => {
    for (const type of ["content_filter", "ResponsibleAIPolicyViolation", "data_inspection_failed", "1301"])
      assert.equal(codeOf(400, type, "No"), "REFUSED", type);
  });

  it("is another failure where the service itself fails", () => {
    assert.deepEqual(
      [codeOf(500, "", "Content exists risk"), codeOf(403, "", "Not yours"), codeOf(400, "", "No")],
      ["SERVICE_UNAVAILABLE", "AUTH_FAILED", "SERVICE_UNAVAILABLE"],
    );
  });
});
