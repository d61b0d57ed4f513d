import type { Frame } from "playwright-core";

/** Least contrast ratio of WCAG 2 for small text. */
const LEAST_RATIO = 4.5;

/** Texts of the chat with too little contrast, each with its ratio. Skips disabled and placeholder texts. */
export async function lowContrast(chat: Frame): Promise<readonly string[]> {
  const texts = await chat.evaluate(coloursOfTexts);
  if (texts.length < 5) throw new Error(`only ${texts.length} texts were found`);
  return texts
    .map(({ text, colour, layers }) => ({ text, ratio: contrast(colour, layers) }))
    .filter(({ ratio }) => ratio < LEAST_RATIO)
    .map(({ text, ratio }) => `${ratio.toFixed(2)} ${text}`);
}

interface ColouredText {
  readonly text: string;
  readonly colour: string;
  /** Backgrounds from the nearest to that of the side bar. */
  readonly layers: readonly string[];
}

/** Runs in the page. */
function coloursOfTexts(): readonly ColouredText[] {
  const sideBar = getComputedStyle(document.documentElement).getPropertyValue("--vscode-sideBar-background");
  const found: ColouredText[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = (node.textContent ?? "").trim();
    const element = node.parentElement;
    if (text === "" || element === null || element.getClientRects().length === 0) continue;
    if (element.closest("script, style, .spoken-only, [aria-disabled=true], :disabled") !== null) continue;
    const layers: string[] = [];
    for (let box: Element | null = element; box !== null; box = box.parentElement) {
      layers.push(getComputedStyle(box).backgroundColor);
    }
    found.push({ text: text.slice(0, 40), colour: getComputedStyle(element).color, layers: [...layers, sideBar] });
  }
  return found;
}

type Rgb = readonly [number, number, number];

function contrast(colour: string, layers: readonly string[]): number {
  const black: Rgb = [0, 0, 0];
  const ground = layers.reduceRight<Rgb>((below, layer) => laidOver(layer, below), black);
  const one = luminance(laidOver(colour, ground));
  const other = luminance(ground);
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** Composites `colour` ("rgb(…)", "rgba(…)", "color(srgb …)" or "#rrggbb") over `below`. */
function laidOver(colour: string, below: Rgb): Rgb {
  const hex = /^\s*#(..)(..)(..)/.exec(colour)?.slice(1);
  const scale = colour.startsWith("color(") ? 255 : 1;
  const [red = 0, green = 0, blue = 0, alpha = 1] =
    hex === undefined
      ? (colour.match(/[\d.]+/g) ?? []).map((part, index) => Number(part) * (index < 3 ? scale : 1))
      : hex.map((part) => Number.parseInt(part, 16));
  const mixed = (above: number, under: number): number => above * alpha + under * (1 - alpha);
  return [mixed(red, below[0]), mixed(green, below[1]), mixed(blue, below[2])];
}

function luminance(rgb: Rgb): number {
  const linear = (value: number): number => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2]);
}
