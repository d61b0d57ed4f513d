import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { storageFailed, validationError } from "../../../src/core/errors.ts";
import { explain } from "../../../src/host/words/explain.ts";
import { explainExport, explainImport, type FileFault } from "../../../src/host/words/explainFiles.ts";
import { loadConversation, readForeign } from "../../support/documents.ts";

const buttons = (banner: ReturnType<typeof explainImport>): readonly string[] =>
  banner.actions.map(({ label }) => label);

describe("explainExport", () => {
  const check = (error: FileFault, words: string): void => {
    it(words, () => {
      const banner = explainExport({ of: "file", error }, "/talk.md");
      assert.equal(banner.text, `${words} The conversation is safe where it is.`);
      assert.deepEqual(buttons(banner), ["Export elsewhere", "Close this message"]);
    });
  };
  check({ code: "FOLDER" }, "/talk.md is a folder, so no file can be written there.");
  check(storageFailed("EACCES", ""), "Forge has no permission to write to /talk.md.");
  check(storageFailed("EROFS", ""), "/talk.md is on a disk that can only be read.");
  check(storageFailed("ENOSPC", ""), "There is no room for /talk.md: the disk is full.");
  check(storageFailed("ENOENT", ""), "The folder for /talk.md is not there.");
  check(storageFailed("EIO", "EIO: i/o error"), "/talk.md cannot be written. The system says: EIO: i/o error");
});

describe("explainImport", () => {
  const check = (error: FileFault, words: string): void => {
    it(words, () => {
      const banner = explainImport({ of: "file", error }, "talk.json");
      assert.equal(banner.text, `${words} Nothing was changed.`);
      assert.deepEqual(buttons(banner), ["Choose another file", "Close this message"]);
    });
  };
  const faultOf = (document: string): FileFault => {
    const read = readForeign(document) ?? loadConversation(document);
    return read.ok ? assert.fail("a document with a fault") : read.error;
  };
  check({ code: "FOLDER" }, "talk.json is a folder. An import takes one file.");
  check({ code: "NO_FILE" }, "talk.json is a pipe, a socket or a device. An import takes one file.");
  check({ code: "EMPTY" }, "talk.json is empty.");
  check(storageFailed("EACCES", ""), "Forge has no permission to read talk.json.");
  check(storageFailed("ENOENT", ""), "talk.json is not there.");
  check(storageFailed("EIO", "EIO: i/o error"), "talk.json cannot be read. The system says: EIO: i/o error");
  check(
    validationError("document.compression", "Zstandard", "a Node that has it"),
    "talk.json is compressed with Zstandard, which this version of the editor cannot unpack.",
  );
  check(faultOf('{"version":1,"messa'), "talk.json is not JSON, or a part of it is missing.");
  check(faultOf("{}"), "talk.json is not a conversation of Forge, or of another tool that Forge can read.");
  check(
    faultOf('{"version":7}'),
    "talk.json is not a complete conversation. At “document.version”, expected: 1; a newer version of Forge can read it; found: 7.",
  );
  check(
    faultOf('{"version":1,"messages":[],"summaries":[],"receipts":[],"pins":[],"hidden":[],"settings":[]}'),
    "Nothing was said in the conversation in talk.json.",
  );
  check(
    faultOf('{"type":"session","version":3,"id":"a","cwd":"/shop"}'),
    "talk.json is a pi session. Forge cannot read these yet.",
  );
  check(
    faultOf('{"type":"user","message":{"role":"user","content":[{"type":"text","text":7}]}}'),
    "talk.json holds no message that can be read. At “line 1.message.content[0].text”, expected: text; found: 7.",
  );
  check(
    faultOf('{"type":"user","message":{"role":"user","content":[]}}'),
    "Nothing was said in the conversation in talk.json.",
  );
  check(
    validationError("document.title", "4", "a text"),
    "talk.json is not a complete conversation. At “document.title”, expected: a text; found: 4.",
  );
});

it("explainImport and explainExport do not blame the file for a failure of Forge's own storage", () => {
  const failed = { of: "conversation", error: storageFailed("ENOSPC", "") } as const;
  assert.deepEqual(explainImport(failed, "talk.json"), explain(failed.error, ""));
  assert.deepEqual(explainExport(failed, "talk.json"), explain(failed.error, ""));
});
