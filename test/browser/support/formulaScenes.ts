import type { Scene } from "./scenes.ts";
import { answer, user, view } from "./viewBuilders.ts";

const derivation = `The loss is $\\mathcal{L}(\\theta) = -\\frac{1}{n}\\sum_{i=1}^n \\log p_\\theta(y_i \\mid x_i)$, with
\\(p_\\theta\\) the softmax:

$$
\\operatorname{softmax}(z)_i = \\frac{e^{z_i}}{\\sum_{j=1}^{K} e^{z_j}}, \\qquad \\hat{y} = \\operatorname*{arg\\,max}_i z_i
$$

1. Its gradient:
   \\[
   \\begin{aligned}
   \\nabla_z \\mathcal{L} &= p - y \\\\
   &= \\left( \\frac{e^{z_1}}{Z} - y_1, \\ldots, \\frac{e^{z_K}}{Z} - y_K \\right)^{\\!\\top}
   \\end{aligned}
   \\]
2. A rotation, and a choice:

$$
R = \\begin{pmatrix} \\cos\\varphi & -\\sin\\varphi \\\\ \\sin\\varphi & \\cos\\varphi \\end{pmatrix},
\\quad
|x| = \\begin{cases} x & \\text{if } x \\ge 0 \\\\ -x & \\text{otherwise} \\end{cases}
$$

$$
\\sqrt[3]{\\overline{ab} + \\boxed{c}} \\xrightarrow[n \\to \\infty]{f} \\int_0^\\infty e^{-x^2}\\,dx = \\frac{\\sqrt{\\pi}}{2}
$$

It costs $5 to $10. This one cannot be read: $\\frac{1}{$, and this is none of it: $$\\begin{nothing}$$`;

export const formulaScenes: Readonly<Record<string, Scene>> = {
  formulas: { view: view([user(1, "Why cross entropy?"), answer(2, derivation)]) },
};
