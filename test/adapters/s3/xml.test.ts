import assert from "node:assert/strict";
import { readXml, type XmlElement } from "../../../src/adapters/s3/xml.ts";

describe("XML of object stores", () => {
  const element = (name: string, text = "", ...children: readonly XmlElement[]): XmlElement => ({
    name,
    text,
    children,
  });
  const check = (title: string, document: string, expected: XmlElement | undefined): void => {
    it(title, () => {
      assert.deepEqual(readXml(document), expected);
    });
  };
  check(
    "is read as elements and text",
    "<a><b>1</b><b>2</b></a>",
    element("a", "", element("b", "1"), element("b", "2")),
  );
  check(
    "may have a declaration, comments and space",
    '<?xml version="1.0"?>\n<!-- <b> --><a>\n</a>\n',
    element("a", "\n"),
  );
  check("has no `>` in attributes: no store sends it", '<s:a xmlns:s="http://x/>">1</s:a>', undefined);
  check("may have attributes", "<s:a xmlns:s=\"http://x/\" type='y'>1</s:a>", element("a", "1"));
  check("may have empty elements", "<a><b/><c /></a>", element("a", "", element("b"), element("c")));
  check("may have text as it is", "<a>1<![CDATA[<b>&amp;]]>2</a>", element("a", "1<b>&amp;2"));
  check(
    "may have characters by number and by name",
    "<a>&lt;&gt;&amp;&quot;&apos;&#65;&#x1F600;&amp;lt;</a>",
    element("a", "<>&\"'A😀&lt;"),
  );
  check("has no characters that there are not", "<a>&#0;&#x110000;&#xFFFFFF;</a>", element("a", "\ufffd\ufffd\ufffd"));
  check("has no entities of its own", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', undefined);
  check("leaves unknown entities as they are", "<a>&b;</a>", element("a", "&b;"));
  check("is not text", "nothing", undefined);
  check("is not nothing", "", undefined);
  check("ends every element", "<a><b></b>", undefined);
  check("ends elements in their order", "<a><b></a></b>", undefined);
  check("ends no element that did not begin", "</a>", undefined);
  check("has one root", "<a/><b/>", undefined);
  check("ends what it skips", "<a><!-- </a>", undefined);
  check("is nested 20 deep at most", "<a>".repeat(25) + "</a>".repeat(25), undefined);

  it("is read in linear time", () => {
    const hostile = ["<a ".repeat(200_000), `<a${" ".repeat(200_000)}`, "<a>".repeat(200_000), "&#".repeat(200_000)];
    assert.deepEqual(hostile.map(readXml), [undefined, undefined, undefined, undefined]);
  });
});
