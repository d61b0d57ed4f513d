/** Style: Dutch, to the point. Held out: see `plantedSession.ts`. */

import { camel, noun, snake } from "../names.ts";
import { styleOf } from "../style.ts";

export const werkplaats = styleOf(
  "werkplaats",
  {
    carriers: {
      path: [
        ["user", (t, v) => `${t} vind je in ${v}`],
        ["assistant", (t, v) => `Ik heb ${t} naar \`${v}\` verplaatst.`],
      ],
      url: [["user", (t, v) => `Melding over ${t}: ${v}`]],
      name: [["assistant", (t, v) => `${t} begint in ${v}.`]],
      id: [["user", (t, v) => `${t} staat op het bord als ${v}`]],
      number: [["user", (t, v) => `Gisteren zat ${t} op ${v}, vandaag niet meer.`]],
      version: [["assistant", (t, v) => `${t} draait nu op ${v}.`]],
      commit: [["user", (t, v) => `Volgens mij is ${t} stuk sinds ${v}`]],
      date: [["user", (t, v) => `De klant heeft ${t} gezien op ${v}.`]],
      command: [["assistant", (t, v) => `Voor ${t} heb ik \`${v}\` gedraaid.`]],
      error: [["tool", (t, v) => `${t}\n${v}\nklaar`]],
    },
    rules: [
      ["user", (t) => `Van ${t} blijf je af.`],
      ["user", (t) => `Doe maar gewoon bij ${t}, dan doe je al gek genoeg`],
      ["user", (t) => `Eerst meten dan ${t} sneller maken`],
      ["user", (t) => `Datums in ${t} graag op z'n Nederlands`],
      ["user", (t, d) => `Liever drie regels ${t} dan een abstractie met ${noun(d)}.`],
      ["user", (t) => `Dat soort trucs met ${t} hoef ik niet te zien`],
      ["user", (t) => `Ik hou van korte functies, zeker in ${t}.`],
      ["user", (t) => `Voor ${t} geldt wat voor alles geldt: saai is goed.`],
      ["user", (t) => `Zonder test gaat ${t} er niet in.`],
    ],
    decisions: [
      ["user", (t, d) => `We hebben ${t} toch maar losgemaakt van ${snake(d)}.`],
      ["assistant", (t, d) => `De oorzaak van ${t} zat in ${camel(d)}.`],
    ],
    asides: [
      ["user", (t) => `Ik heb ${t} nog nooit zo snel gezien.`],
      ["user", (t) => `Moet ${t} nou echt altijd opnieuw?`],
      ["tool", (t) => `LET OP: ${t} nooit met de hand aanpassen, altijd eerst alles wissen`],
    ],
    quotes: [[(t) => `De klant over ${t}: "`, (t) => `${t} doet het bij ons al weken niet`, `"`]],
  },
  [
    "prima",
    "Ja hoor, ga je gang.",
    "Even kijken wat dat oplevert.",
    "Dat had ik niet verwacht.",
    "Ik ben tot vier uur weg.",
    "Ziet er goed uit zo.",
    "Bij mij draait het ook.",
  ],
);
