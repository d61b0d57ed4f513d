/** Style: French. */

import { camel, noun, part } from "../names.ts";
import { styleOf } from "../style.ts";

export const french = styleOf(
  "french",
  {
    carriers: {
      path: [
        ["user", (t, v) => `La logique de ${t} se trouve dans ${v}, je crois.`],
        ["assistant", (t, v) => `J'ai déplacé ${t} vers \`${v}\`.`],
      ],
      url: [["user", (t, v) => `La description de ${t} est sur ${v} si besoin.`]],
      name: [["assistant", (t, v) => `Pour ${t}, c'est ${v} qui est appelé deux fois.`]],
      id: [["user", (t, v) => `Le dossier de ${t} est ${v}.`]],
      number: [
        ["assistant", (t, v) => `Avec ça ${t} prend ${v}.`],
        ["user", (t, v) => `Avant, ${t} était à ${v}.`],
      ],
      version: [["assistant", (t, v) => `${t} ne marche qu'avec ${v}.`]],
      commit: [["user", (t, v) => `Depuis ${v}, ${t} est cassé.`]],
      date: [["user", (t, v) => `${t} doit être prêt pour le ${v}.`, "directs"]],
      command: [["assistant", (t, v) => `Pour ${t}, lancez \`${v}\`.`]],
      error: [
        ["user", (t, v) => `${t} affiche :\n${v}\nC'est quoi ?`],
        ["assistant", (t, v) => `Le journal de ${t} dit « ${v} ».`],
      ],
    },
    rules: [
      ["user", (t) => `Ne touche jamais à la configuration de ${t}.`],
      ["user", (t) => `Les textes de ${t} doivent toujours être en français.`],
      ["user", (t) => `Il faut garder ${t} sans dépendance.`],
    ],
    decisions: [
      ["assistant", (t, d) => `On a décidé de garder ${t} dans ${part(d)}, parce que ${noun(d)} en a besoin aussi.`],
      ["user", (t, d) => `Bon, on abandonne ${camel(d)} pour ${t}.`],
    ],
    asides: [
      ["user", (t) => `Je n'ai jamais compris pourquoi ${t} est toujours aussi lent.`],
      ["user", (t) => `Est-ce que ${t} doit toujours démarrer en premier ?`],
      ["user", (t) => `Hier ${t} ne marchait toujours pas.`],
      ["tool", (t) => `# Il faut toujours supprimer ${t} avant de continuer.`],
    ],
    quotes: [[(t) => `Le client a écrit sur ${t} : « `, (t) => `plus rien ne marche avec ${t} depuis hier`, ` ».`]],
  },
  [
    "Un instant, je regarde.",
    "C'est bon, merci.",
    "Le reste n'a pas changé.",
    "Peux-tu expliquer pourquoi ?",
    "On continue.",
  ],
);
