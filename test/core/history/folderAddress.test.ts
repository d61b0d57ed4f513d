import assert from "node:assert/strict";
import { folderAddress } from "../../../src/core/history/folderAddress.ts";

describe("the address of a folder", () => {
  const check = (folder: string, address: string | undefined): void => {
    it(folder || "nothing", () => {
      assert.equal(folderAddress(folder), address);
    });
  };
  check("/home/a/tides", "file:///home/a/tides");
  check("/home/a/tides/", "file:///home/a/tides");
  check("/home/a b/Ünder (old)", "file:///home/a%20b/%C3%9Cnder%20%28old%29");
  check("C:\\Users\\a\\tides", "file:///c%3A/Users/a/tides");
  check("/", "file:///");
  check("", undefined);
  check("tides", undefined);
  check("\\\\server\\share", undefined);
});
