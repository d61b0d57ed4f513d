import assert from "node:assert/strict";
import { unavailable, type ForgeError } from "../../../src/core/errors.ts";
import { modelId } from "../../../src/core/ids.ts";
import { isForeignContentType } from "../../../src/adapters/http/boundedResponse.ts";
import { saysContextOverflow } from "../../../src/adapters/http/lengthErrors.ts";
import { foreignFailure, httpFailure, withResponseHeaders } from "../../../src/adapters/http/httpFailure.ts";
import { networkFailure, type RequestPhase } from "../../../src/adapters/http/networkFailure.ts";

describe("L6 a model that is being loaded", () => {
  for (const [status, message, reason] of [
    [503, "Loading model", "loading"],
    [503, "llm server loading model", "loading"],
    [503, "Model bigcode/starcoder is currently loading", "loading"],
    [503, "The model is still being loaded, try again shortly.", "loading"],
    [503, "Model is not ready", "loading"],
    [undefined, "Loading model", "loading"],
    [503, "error loading model: missing tensor", "overloaded"],
    [503, "Loading model failed", "overloaded"],
    [503, "Model is overloaded", "overloaded"],
    [503, "", "overloaded"],
    [500, "Loading model", "serverError"],
  ] as const) {
    it(`is ${reason} for ${String(status)} ${JSON.stringify(message)}`, () => {
      const error = httpFailure({ provider: "p", status, type: "", message, model: modelId("m"), secrets: [] });
      assert.deepEqual(error, unavailable("p", reason, message));
    });
  }
});

describe("httpFailure", () => {
  const check = (status: number | undefined, type: string, message: string, expected: string): void => {
    const error = httpFailure({ provider: "p", status, type, message, model: modelId("m"), secrets: [] });
    assert.equal(name(error), expected);
  };
  it("classifies by type and message when the status is missing or ambiguous", () => {
    check(undefined, "overloaded_error", "Overloaded", "overloaded");
    check(undefined, "rate_limit_error", "Slow down", "RATE_LIMITED");
    check(undefined, "authentication_error", "Who?", "AUTH_FAILED");
    check(undefined, "api_error", "Oops", "serverError");
    check(400, "content_policy_violation", "No", "REFUSED");
    check(403, "", "Your chosen model requires moderation and your input was flagged for violence", "REFUSED");
    check(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", "AUTH_FAILED");
    check(400, "", "Incorrect API key provided: xa***ab.", "AUTH_FAILED");
    check(400, "", "Unknown parameter: api_key", "badRequest");
    check(403, "model_not_found", "Project has no access to model m", "MODEL_UNKNOWN");
  });
  it("recognizes a context overflow in the messages of many servers", () => {
    const words = [
      "prompt is too long: 210000 tokens > 200000 maximum",
      "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
      "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens",
      "request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it",
      "Trying to keep the first 9000 tokens when context the overflows. … greater than the context length",
      "The input exceeds the limit of 32000 input tokens",
      "prompt token count of 169362 exceeds the limit of 128000",
      "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
      "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
      "Invalid request: Your request exceeded model token limit: 262144",
      "Input is too long for requested model.",
      "litellm.ContextWindowExceededError: Too much was asked",
      "Prompt exceeds max length",
      "Prompt 超长",
      "prompt too long; exceeded max context length by 4 tokens",
      "Input is longer than the model's context length",
      "Input Tokens Exceeded: Number of input tokens exceeds maximum length.",
      "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.",
    ];
    for (const message of words) assert.ok(saysContextOverflow(message), message);
    for (const message of words) check(400, "invalid_request_error", message, "contextOverflow");
    check(400, "model_max_prompt_tokens_exceeded", "Too much", "contextOverflow");
    check(400, "model_context_window_exceeded", "Too much", "contextOverflow");
    const others = [
      "max_tokens: 9 > 8",
      "context.md not found",
      "Unknown parameter: context",
      "This request exceeds the limit of 30000 tokens per minute",
      "The request would exceed the limit of 30000 input tokens/min",
      "Quota exceeded for metric: generate_content_free_tier_input_token_count, limit: 250000",
      "The maximum length of a tool's name is 64",
      "The encoder prompt (length 5951) is longer than the maximum model length of 4096.",
      "too many tokens: max tokens must be less than or equal to 4096",
      "Range of max_tokens should be [1, 8192]",
    ];
    for (const message of others) {
      assert.equal(saysContextOverflow(message), false, message);
    }
  });
  it("classifies too many tokens per minute as a rate limit, not as a context overflow", () => {
    check(429, "rate_limit_error", "would exceed the limit of 40000 input tokens per minute", "RATE_LIMITED");
  });
  it("distinguishes a wrong address from an unknown model", () => {
    check(404, "not_found_error", "model: m", "MODEL_UNKNOWN");
    check(404, "", 'model "m" not found, try pulling it first', "MODEL_UNKNOWN");
    check(404, "", "models/gemini-1.5-pro is not found for API version v1main", "MODEL_UNKNOWN");
    check(404, "", "No endpoints found for any/thing.", "MODEL_UNKNOWN");
    check(404, "DeploymentNotFound", "The API deployment for this resource does not exist.", "MODEL_UNKNOWN");
    check(404, "", '{"detail":"Not Found"}', "notAStream");
    check(405, "", "Method Not Allowed", "notAStream");
  });
  it("names the target of a redirect", () => {
    const messageOf = (status: number): string => {
      const headers = new Headers({ location: "https://b.example/v1" });
      return withResponseHeaders({ status, type: "", message: "Moved" }, headers, 0).message;
    };
    assert.match(messageOf(308), /https:\/\/b\.example\/v1/);
    assert.equal(messageOf(200), "Moved");
  });
});

describe("foreignFailure", () => {
  const check = (contentType: string | null, body: string, expected: string): void => {
    const headers = new Headers(contentType === null ? {} : { "content-type": contentType });
    assert.equal(name(foreignFailure({ provider: "p", secrets: [] }, headers, body)), expected);
  };
  it("reads an error in any of its shapes", () => {
    check("application/json", '{"error":{"type":"overloaded_error","message":"busy"}}', "overloaded");
    check("application/json", '{"error":{"code":"insufficient_quota","message":"no credit"}}', "NO_CREDIT");
    check("application/json", '{"error":"maximum context length is 4096 tokens"}', "contextOverflow");
  });
  it("reports any other answer as not a stream", () => {
    check("text/html", "<p>hi</p>", "notAStream");
    check("application/json", '{"choices":[]}', "notAStream");
    check(null, "", "notAStream");
  });
  it("applies only to content types that a stream never has", () => {
    const foreign = ["text/html", "TEXT/HTML; charset=x", "application/json", "application/xml", "image/png"];
    const possible = [
      null,
      "text/event-stream",
      "text/event-stream; charset=utf-8",
      "text/plain",
      "application/octet-stream",
    ];
    assert.deepEqual(
      foreign.map(isForeignContentType),
      foreign.map(() => true),
    );
    assert.deepEqual(
      possible.map(isForeignContentType),
      possible.map(() => false),
    );
  });
});

describe("networkFailure", () => {
  const coded = (message: string, code: string, cause?: unknown): Error =>
    Object.assign(new Error(message, { cause }), { code });
  const check = (thrown: unknown, phase: RequestPhase, expected: string): void => {
    assert.equal(name(networkFailure("p", thrown, phase, [])), expected);
  };
  it("distinguishes an unreachable host from an interrupted answer", () => {
    const refused = new Error("Connection error.", {
      cause: new TypeError("fetch failed", { cause: coded("connect", "ECONNREFUSED") }),
    });
    check(refused, "connecting", "unreachable");
    check(new TypeError("terminated", { cause: coded("other side closed", "UND_ERR_SOCKET") }), "streaming", "cutOff");
  });
  it("recognizes the timeouts of Node's fetch", () => {
    check(
      new TypeError("terminated", { cause: coded("Body Timeout Error", "UND_ERR_BODY_TIMEOUT") }),
      "streaming",
      "stalled",
    );
    check(
      new TypeError("fetch failed", { cause: coded("Headers Timeout", "UND_ERR_HEADERS_TIMEOUT") }),
      "connecting",
      "stalled",
    );
  });
  it("recognizes invalid JSON", () => {
    check(new SyntaxError("Unexpected end of JSON input"), "streaming", "badAnswer");
  });
  it("describes the failure, even when the thrown value is not an Error", () => {
    const error = networkFailure("p", coded("x", "CERT_HAS_EXPIRED"), "connecting", []);
    assert.equal(error.detail, "The server's certificate has expired. (CERT_HAS_EXPIRED)");
    check("thrown by hand", "streaming", "cutOff");
    check(undefined, "connecting", "unreachable");
  });
});

function name(error: ForgeError): string {
  return error.code === "SERVICE_UNAVAILABLE" ? error.reason : error.code;
}

describe("httpFailure for refused content", () => {
  const codeOf = (status: number | undefined, type: string, message: string): string =>
    httpFailure({ provider: "p", status, type, message, model: modelId("m"), secrets: [] }).code;

  it("recognizes a refusal in the messages of many services, not as a wrong key", () => {
    for (const message of [
      "Invalid prompt: your prompt was flagged as potentially violating our usage policy.",
      "Content Exists Risk",
      "Input data may contain inappropriate content.",
      "Output blocked by content filtering policy",
      "Content violates usage guidelines. Team: t, API key ID: k, Failed check: SAFETY_CHECK_TYPE_BIO",
    ])
      for (const status of [400, 403, undefined]) assert.equal(codeOf(status, "", message), "REFUSED", message);
  });

  it("recognizes a refusal by its type, whatever the message", () => {
    for (const type of ["content_filter", "ResponsibleAIPolicyViolation", "data_inspection_failed", "1301"])
      assert.equal(codeOf(400, type, "No"), "REFUSED", type);
  });

  it("reports other failures as no refusal", () => {
    assert.deepEqual(
      [codeOf(500, "", "Content exists risk"), codeOf(403, "", "Not yours"), codeOf(400, "", "No")],
      ["SERVICE_UNAVAILABLE", "AUTH_FAILED", "SERVICE_UNAVAILABLE"],
    );
  });
});
