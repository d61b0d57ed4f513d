import assert from "node:assert/strict";
import { safeLink } from "../../../src/webview/answer/safeLink.ts";

describe("safeLink", () => {
  const cases: readonly (readonly [address: string, href: string | null])[] = [
    ["https://example.com/a?b=1#c", "https://example.com/a?b=1#c"],
    ["HTTP://EXAMPLE.com", "http://example.com/"],
    ["https://bücher.example/", "https://xn--bcher-kva.example/"],
    ["javascript:alert(1)", null],
    ["  javascript:alert(1)", null],
    ["java\nscript:alert(1)", null],
    ["JaVaScRiPt://example.com/%0aalert(1)", null],
    ["data:text/html,<script>alert(1)</script>", null],
    ["vbscript:x", null],
    ["command:workbench.action.quit", null],
    ["vscode://file/etc/passwd", null],
    ["file:///etc/passwd", null],
    ["ftp://example.com/", null],
    ["mailto:a@example.com", null],
    ["blob:https://example.com/1", null],
    ["//example.com/", null],
    ["/relative", null],
    ["relative", null],
    ["#anchor", null],
    ["", null],
    ["https://", null],
    ["https://user@example.com/", null],
    ["https://google.com:secret@evil.example/", null],
    [`https://example.com/${"a".repeat(3000)}`, null],
  ];
  for (const [address, href] of cases) {
    it(`${href === null ? "rejects" : "accepts"} ${address.slice(0, 60) || "an empty address"}`, () => {
      assert.equal(safeLink(address), href);
    });
  }
});
