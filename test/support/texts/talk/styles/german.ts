/** Style: German. */

import { noun, part } from "../names.ts";
import { styleOf } from "../style.ts";

export const german = styleOf(
  "german",
  {
    carriers: {
      path: [
        ["user", (t, v) => `Die Logik für ${t} steckt in ${v}, glaube ich.`],
        ["assistant", (t, v) => `Ich habe ${t} nach \`${v}\` verschoben.`],
      ],
      url: [["user", (t, v) => `Die Beschreibung zu ${t} liegt unter ${v}.`]],
      name: [
        ["assistant", (t, v) => `Bei ${t} wird ${v} zweimal aufgerufen.`],
        ["user", (t, v) => `Nimm für ${t} doch ${v}.`],
      ],
      id: [["user", (t, v) => `Der Vorgang zu ${t} ist ${v}.`]],
      number: [
        ["assistant", (t, v) => `Damit braucht ${t} noch ${v}.`],
        ["user", (t, v) => `Vorher lag ${t} bei ${v}.`],
      ],
      version: [["assistant", (t, v) => `${t} läuft nur mit ${v}.`]],
      commit: [["user", (t, v) => `Seit ${v} ist ${t} kaputt.`]],
      date: [
        ["user", (t, v) => `${t} muss bis ${v} fertig sein.`, "directs"],
        ["assistant", (t, v) => `Das Zertifikat für ${t} endet am ${v}.`],
      ],
      command: [
        ["assistant", (t, v) => `Für ${t} bitte \`${v}\` ausführen.`],
        ["user", (t, v) => `Bei ${t} hilft:\n\`\`\`sh\n${v}\n\`\`\``],
      ],
      error: [
        ["user", (t, v) => `${t} meldet:\n${v}\nWas ist das?`],
        ["assistant", (t, v) => `Im Protokoll von ${t} steht „${v}“.`],
      ],
    },
    rules: [
      ["user", (t) => `Bei ${t} niemals direkt in die Datenbank schreiben.`],
      ["user", (t) => `Die Texte von ${t} müssen immer auf Deutsch sein.`],
      ["user", (t) => `Bitte für ${t} keine neuen Abhängigkeiten einführen.`],
      ["user", (t) => `Merk dir, dass ${t} ohne Netz laufen soll.`],
    ],
    decisions: [
      ["assistant", (t, d) => `Wir haben entschieden, ${t} in ${part(d)} zu lassen, weil ${noun(d)} es auch braucht.`],
      ["user", (t, d) => `Gut, dann nehmen wir für ${t} eine Warteschlange statt ${noun(d)}.`],
    ],
    asides: [
      ["user", (t) => `Ich habe nie verstanden, warum ${t} immer so langsam ist.`],
      ["user", (t) => `Muss ${t} wirklich immer zuerst starten?`],
      ["user", (t) => `Das mit ${t} sollte jetzt eigentlich passen.`],
      ["tool", (t) => `# Achtung: ${t} muss immer vorher gelöscht werden.`],
    ],
    quotes: [[(t) => `Der Kunde schrieb zu ${t}: „`, (t) => `bei ${t} geht seit gestern gar nichts mehr`, `“.`]],
  },
  [
    "Einen Moment, ich schaue mir das zuerst an.",
    "Das passt so, danke dir.",
    "Kannst du kurz erklären, woran das liegt?",
    "Ich habe den Rest unverändert gelassen.",
    "Der nächste Schritt ist damit einfacher.",
  ],
);
