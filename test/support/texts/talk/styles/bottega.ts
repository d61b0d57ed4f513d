/** Style: Italian, as spoken to an apprentice. Held out: see `plantedSession.ts`. */

import { camel, noun, pascal } from "../names.ts";
import { styleOf } from "../style.ts";

export const bottega = styleOf(
  "bottega",
  {
    carriers: {
      path: [
        ["user", (t, v) => `La parte di ${t} l'ho messa in ${v}`],
        ["assistant", (t, v) => `Ho spostato ${t} in \`${v}\`.`],
      ],
      url: [["user", (t, v) => `Il preventivo per ${t} sta qui: ${v}`]],
      name: [["assistant", (t, v) => `Il punto d'ingresso di ${t} è ${v}.`]],
      id: [["user", (t, v) => `Il cliente chiama per ${t}, pratica ${v}.`]],
      number: [
        ["user", (t, v) => `Ieri ${t} ci ha messo ${v}, un'eternità.`],
        ["assistant", (t, v) => `Adesso ${t} sta a ${v}.`],
      ],
      version: [["assistant", (t, v) => `${t} è stato provato con ${v}.`]],
      commit: [["user", (t, v) => `Secondo me ${t} si è rotto con ${v}.`]],
      date: [
        ["user", (t, v) => `La fiera con ${t} è stata il ${v}.`],
        ["user", (t, v) => `${t} va consegnato entro il ${v}`, "directs"],
      ],
      command: [["assistant", (t, v) => `Per ${t} ho lanciato \`${v}\`.`]],
      error: [["user", (t, v) => `Con ${t} mi esce questo\n${v}`]],
    },
    rules: [
      ["user", (t) => `Il codice di ${t} lo voglio in inglese, i commenti pure.`],
      ["user", (t) => `Su ${t} ci metto le mani solo io.`],
      ["user", (t) => `Con ${t} andiamoci piano, un passo alla volta.`],
      ["user", (t) => `${t} si fa come dico io o non si fa.`],
      ["user", (t, d) => `Meglio ${t} lento che ${noun(d)} sbagliato.`],
      ["user", (t) => `Mi raccomando i backup prima di ${t}`],
      ["user", (t) => `Niente librerie nuove per ${t}, ne abbiamo già troppe.`],
      ["user", (t) => `I prezzi di ${t} con due decimali e la virgola.`],
      ["user", (t) => `Se tocchi ${t} poi me lo dici.`],
    ],
    decisions: [
      ["user", (t, d) => `Alla fine abbiamo tolto ${t} da ${pascal(d)}, costava troppo.`],
      ["assistant", (t, d) => `Il blocco di ${t} veniva da ${camel(d)}.`],
    ],
    asides: [
      ["user", (t) => `Non ho mai capito come funziona ${t}.`],
      ["user", (t) => `Ma ${t} deve per forza essere così lento?`],
      ["tool", (t) => `ATTENZIONE: non modificare mai ${t}, cancellare sempre la cache prima`],
    ],
    quotes: [[(t) => `Il commercialista su ${t}: «`, (t) => `${t} non mi torna da tre mesi`, `».`]],
  },
  [
    "Va bene così.",
    "Perfetto, grazie mille.",
    "Aspetta che guardo anch'io.",
    "Mio fratello dice che sul suo telefono non si vede.",
    "Sono in magazzino, rispondo tra poco.",
    "Questa non me l'aspettavo proprio.",
    "Bello, mi piace molto.",
  ],
);
