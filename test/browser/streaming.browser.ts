import assert from "node:assert/strict";
import { picture } from "./support/picture.ts";
import { answer, status, streaming, user, view } from "./support/viewBuilders.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

const mixed = `# Why the third retry never happens

The budget is spent *before* the loop starts: \`attempts\` counts **the first try as well**, as [the notes](https://example.com/notes/118) say.

Setext heading
---

1. First, \`src/a/very/long/path/that/goes/on/and/on/to/a/file/named/retryPolicyOfUploads.test.ts\` is read.
2. Second, with a list in it
   - nested, with \`code\`
   - [ ] to be done
   - [x] done

   A paragraph of the second item.

> A quotation that goes on for more than one line, so that it is wrapped where the view is narrow.
>
> - with a list

| Setting | Default | What it does, in more words than fit in a narrow view |
|:--------|:-------:|------:|
| \`forge.context.preserveRecent\` | 4 | Keeps so many of the newest messages as they are |
| \`attempts\` | 3 | 1,204 |

\`\`\`ts src/net/policy.ts
${Array.from({ length: 30 }, (_, at) => `const value${String(at)} = read("${String(at)}"); // ${"long ".repeat(at % 9)}`).join("\n")}
\`\`\`

The delay is $d = b \\cdot 2^{n}$, and for all of them

$$
\\sum_{n=0}^{N} b \\cdot 2^{n} = b \\left(2^{N+1} - 1\\right)
$$

---

\`\`\`diff
- const retries = policy.attempts;
+ const retries = policy.attempts - 1;
\`\`\`

### In the end

An address: https://example.com/a/very/long/address?that=goes&on=and&on=for&more=than&one=line&in=a&narrow=view and <b>raw HTML</b>.

<details>
raw
</details>

Done.
`;

/** A finished block: the next one has begun. */
interface Seen {
  readonly place: number;
  readonly words: string;
  readonly top: number;
  readonly height: number;
}

describe("webview: streaming answers", function () {
  this.timeout(120_000);
  let opened: WebviewPage;
  const webview = useWebview((page) => (opened = page));

  /** The finished blocks, measured from the top of their message, in tenths of a pixel. */
  const finished = (): Promise<readonly Seen[]> =>
    opened.page.evaluate(() => {
      const row = document.querySelector<HTMLElement>('[data-message-id="step_1"]');
      const blocks = [...(row?.querySelectorAll<HTMLElement>(".chunk > *") ?? [])];
      const start = row?.getBoundingClientRect().top ?? 0;
      return blocks.slice(0, -1).map((block, place) => {
        const { top, height } = block.getBoundingClientRect();
        const words = block.textContent.slice(0, 30);
        return { place, words, top: Math.round((top - start) * 10), height: Math.round(height * 10) };
      });
    });

  async function write(text: string): Promise<void> {
    await opened.say({ kind: "delta", rowId: "step_1", part: "text", text });
    await opened.settle();
  }

  async function begin(width: number, height: number): Promise<void> {
    opened = await webview.open({ width, height });
    await opened.show(
      view([user(0, "Why?"), answer(1, "Let me see."), user(2, "And the third retry?"), streaming("step_1")], {
        status: status({ activity: "streaming" }),
      }),
    );
  }

  for (const width of [260, 400, 900]) {
    it(`does not move or resize finished blocks at ${String(width)} px`, async () => {
      await begin(width, 700);
      const known = new Map<number, Seen>();
      let moved: readonly string[] = [];
      for (let at = 0; at < mixed.length; at += 23) {
        await write(mixed.slice(at, at + 23));
        for (const block of await finished()) {
          const before = known.get(block.place);
          if (before !== undefined && JSON.stringify(before) !== JSON.stringify(block)) {
            moved = [
              ...moved,
              `${JSON.stringify(before)} is ${JSON.stringify(block)} at ${JSON.stringify(mixed.slice(at - 20, at + 23))}`,
            ];
          }
          known.set(block.place, block);
        }
        if (at % 460 === 0) {
          const name = `streaming-${String(width)}-${String(at / 460).padStart(2, "0")}`;
          await picture(opened.page, name);
        }
      }
      assert.deepEqual(moved, []);
      assert.ok(known.size >= 14, `${String(known.size)} blocks`);
    });
  }

  it("keeps the text style and inline Markdown throughout a very long paragraph", async () => {
    await begin(400, 700);
    const sentence = "Some words of a sentence, with **bold ones** and a [link](https://a.example/x). ";
    const fonts = new Set<string>();
    for (let count = 0; count < 40; count++) {
      await write(sentence.repeat(10));
      const found = await opened.page
        .locator("[data-message-id=step_1] .chunk > *")
        .evaluateAll((blocks) =>
          blocks.map((block) => `${getComputedStyle(block).fontFamily} ${getComputedStyle(block).color}`),
        );
      for (const font of found) fonts.add(font);
    }
    const own = await opened.page.evaluate(
      () => `${getComputedStyle(document.body).fontFamily} ${getComputedStyle(document.body).color}`,
    );
    assert.deepEqual([...fonts], [own]);
    const shown = opened.page.locator("[data-message-id=step_1]");
    assert.equal(await shown.locator("strong").count(), 400);
    assert.equal(await shown.locator("a").count(), 400);
    assert.doesNotMatch(await shown.innerText(), /\*\*/);
  });
});
