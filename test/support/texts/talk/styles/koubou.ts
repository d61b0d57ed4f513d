/** Style: Japanese, polite and indirect. Held out: see `plantedSession.ts`. */

import { camel, noun, part } from "../names.ts";
import { styleOf } from "../style.ts";

export const koubou = styleOf(
  "koubou",
  {
    carriers: {
      path: [
        ["user", (t, v) => `${t} の場所は ${v} です。`],
        ["assistant", (t, v) => `${t} は \`${v}\` に移しました。`],
      ],
      url: [["user", (t, v) => `${t} の議事録: ${v}`]],
      name: [["assistant", (t, v) => `${t} の入口は ${v} です。`]],
      id: [["user", (t, v) => `${t} の問い合わせ番号は ${v} でした。`]],
      number: [["user", (t, v) => `昨日 ${t} を測ったら ${v} でした。`]],
      version: [["assistant", (t, v) => `${t} は ${v} で確認しました。`]],
      commit: [["user", (t, v) => `${t} は ${v} から調子が悪いようです。`]],
      date: [["user", (t, v) => `${t} を客先で見せたのは ${v} です。`]],
      command: [["assistant", (t, v) => `${t} のために \`${v}\` を実行しました。`]],
      error: [["tool", (t, v) => `${t}\n${v}`]],
    },
    rules: [
      ["user", (t) => `${t} の変数名は英語でお願いします。`],
      ["user", (t) => `できれば ${t} は今のままにしておきたいです。`],
      ["user", (t, d) => `${t} に ${noun(d)} を混ぜるのはちょっと困ります。`],
      ["user", (t) => `${t} を触るときは一声かけてくれると助かります。`],
      ["user", (t) => `うちでは ${t} のコメントは日本語で書くことになっています。`],
      ["user", (t) => `${t} の例外は握りつぶさない方針で。`],
      ["user", (t, d) => `${part(d)} より ${t} を優先で`],
      ["user", (t) => `${t} の本番データは見ないでくださいね。`],
    ],
    decisions: [
      ["user", (t, d) => `結局 ${t} は ${noun(d)} から分けることにしました。`],
      ["assistant", (t, d) => `${t} の原因は ${camel(d)} でした。`],
    ],
    asides: [
      ["user", (t) => `${t} がこんなに速いのは初めて見ました。`],
      ["user", (t) => `${t} は本当に毎回必要ですか？`],
      ["tool", (t) => `警告: ${t} は絶対に手で編集しないでください。必ず全部消してから始めること`],
    ],
    quotes: [[(t) => `お客様から ${t} について「`, (t) => `${t} が先週から動きません`, `」`]],
  },
  [
    "了解です。",
    "ありがとうございます、助かりました。",
    "こちらでも確認してみます。",
    "午後は会議で席を外します。",
    "なるほど、そういうことでしたか。",
    "いい感じですね。",
  ],
);
