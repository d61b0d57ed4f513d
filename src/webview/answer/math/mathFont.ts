/** Whether there is a math font: else browsers draw no root signs, which changes the formula, and no stretchy signs. */
export function hasMathFont(): boolean {
  const math = mathElement("math");
  const sign = math.appendChild(mathElement("mrow")).appendChild(mathElement("mo"));
  sign.textContent = "(";
  sign.setAttribute("stretchy", "true");
  const beside = sign.parentElement?.appendChild(mathElement("mspace"));
  beside?.setAttribute("height", "3em");
  beside?.setAttribute("depth", "3em");
  const place = document.body.appendChild(document.createElement("div"));
  place.className = "markdown";
  place.append(math);
  const { height } = sign.getBoundingClientRect();
  const isGrown = height > 4 * Number.parseFloat(getComputedStyle(sign).fontSize);
  place.remove();
  return isGrown;
}

function mathElement(name: string): Element {
  return document.createElementNS("http://www.w3.org/1998/Math/MathML", name);
}
