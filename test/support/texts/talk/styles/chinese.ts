/** Style: Chinese with the names in Latin letters. */

import { noun, part } from "../names.ts";
import { styleOf } from "../style.ts";

export const chinese = styleOf(
  "chinese",
  {
    carriers: {
      path: [
        ["user", (t, v) => `${t} 的代码在 ${v} 里面。`],
        ["assistant", (t, v) => `我把 ${t} 移到了 \`${v}\`。`],
      ],
      url: [["user", (t, v) => `${t} 的文档在 ${v} 。`]],
      name: [["assistant", (t, v) => `${t} 的问题出在 ${v} 被调用了两次。`]],
      id: [["user", (t, v) => `${t} 出错的订单是 ${v} 。`]],
      number: [
        ["assistant", (t, v) => `现在 ${t} 需要 ${v} 。`],
        ["user", (t, v) => `之前 ${t} 是 ${v} ，太慢了。`],
      ],
      version: [["user", (t, v) => `${t} 只能用 ${v} 。`, "directs"]],
      commit: [["assistant", (t, v) => `${t} 的回归来自 ${v} 。`]],
      date: [["user", (t, v) => `${t} 的截止日期是 ${v} 。`]],
      command: [["assistant", (t, v) => `检查 ${t} 请运行 \`${v}\`。`]],
      error: [["user", (t, v) => `${t} 报错：\n${v}\n怎么回事？`]],
    },
    rules: [
      ["user", (t) => `${t} 的代码必须写注释。`],
      ["user", (t) => `不要修改 ${t} 的配置文件。`],
      ["user", (t) => `${t} 的测试一定要先写。`],
    ],
    decisions: [
      ["assistant", (t, d) => `我们决定把 ${t} 放在 ${part(d)} ，因为 ${noun(d)} 也要用。`],
      ["user", (t, d) => `那就改用 ${noun(d)} 来做 ${t} 吧。`],
    ],
    asides: [
      ["user", (t) => `${t} 总是报错，我也不知道为什么。`],
      ["user", (t) => `${t} 必须先启动吗？`],
      ["user", (t) => `${t} 应该没问题了。`],
      ["tool", (t) => `# 必须先删除 ${t} 才能继续。`],
    ],
    quotes: [[(t) => `客户对 ${t} 的原话是“`, (t) => `${t} 从昨天开始就完全不能用了`, `”。`]],
  },
  ["好的，我先看一下。", "明白了，谢谢。", "其他部分没有改动。", "这样看起来好多了。", "你能简单解释一下原因吗？"],
);
