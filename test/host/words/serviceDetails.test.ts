import assert from "node:assert/strict";
import german from "../../../l10n/bundle.l10n.de.json" with { type: "json" };
import { BodyTooLarge } from "../../../src/adapters/http/boundedResponse.ts";
import { toForgeError } from "../../../src/adapters/http/httpFailure.ts";
import { networkFailure } from "../../../src/adapters/http/networkFailure.ts";
import { explain } from "../../../src/host/words/explain.ts";
import { detailText } from "../../../src/host/words/serviceDetails.ts";
import { setTranslations } from "../../../src/protocol/localize.ts";

describe("details of failures, in German", () => {
  before(() => {
    setTranslations(german);
  });
  after(() => {
    setTranslations({});
  });

  const codes = [
    ...[
      "ECONNREFUSED",
      "ENOTFOUND",
      "EAI_AGAIN",
      "ECONNRESET",
      "UND_ERR_SOCKET",
      "ETIMEDOUT",
      "UND_ERR_CONNECT_TIMEOUT",
    ],
    ...["UND_ERR_BODY_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "DEPTH_ZERO_SELF_SIGNED_CERT", "SELF_SIGNED_CERT_IN_CHAIN"],
    ...["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "CERT_HAS_EXPIRED"],
  ];
  for (const code of codes) {
    it(`translates ${code} and appends the code`, () => {
      const error = networkFailure("anthropic", Object.assign(new Error("no"), { code }), "connecting", []);
      const text = detailText(error.detail);
      assert.ok(text.endsWith(` (${code})`), text);
      assert.notEqual(text, error.detail);
      assert.ok(explain(error, "Anthropic").text.includes("Es ging nichts verloren."));
    });
  }

  const check = (detail: string, expected: string): void => {
    it(`explains "${detail}"`, () => {
      assert.equal(detailText(detail), expected);
    });
  };
  check("Nothing arrived for 300 seconds.", "300 Sekunden lang kam nichts an.");
  check("No answer for 1 seconds.", "1 Sekunde lang keine Antwort.");
  for (const limit of ["event", "answer", "whole", "list"] as const) {
    it(`S8 says that reading ended at the limit: ${limit}`, () => {
      const error = toForgeError(new BodyTooLarge(limit), undefined, {
        provider: "x",
        secrets: [],
        phase: "streaming",
      });
      assert.ok(error.code === "SERVICE_UNAVAILABLE");
      assert.notEqual(detailText(error.detail), error.detail);
      assert.equal(
        explain(error, "OpenAI").text,
        `OpenAI hat mehr gesendet, als Forge liest. Es ging nichts verloren. ${detailText(error.detail)}`,
      );
    });
  }
  check("The model ended without an answer.", "Das Modell endete ohne Antwort.");
  check("overloaded_error: Overloaded (529)", "overloaded_error: Overloaded (529)");
  check("constructor", "constructor");
  check("", "");
});
