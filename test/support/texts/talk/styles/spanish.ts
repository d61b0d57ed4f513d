/** Style: Spanish, among colleagues. Held out: see `plantedSession.ts`. */

import { noun, part } from "../names.ts";
import { styleOf } from "../style.ts";

export const spanish = styleOf(
  "spanish",
  {
    carriers: {
      path: [
        ["user", (t, v) => `Lo de ${t} está en ${v}, por si quieres mirarlo.`],
        ["assistant", (t, v) => `He movido ${t} a ${v} y he ajustado las importaciones.`],
      ],
      url: [
        ["user", (t, v) => `La documentación de ${t} la tienes aquí: ${v}`],
        ["assistant", (t, v) => `Según ${v}, ${t} funciona de otra manera.`],
      ],
      name: [
        ["user", (t, v) => `Creo que ${v} es quien llama a ${t}.`],
        ["assistant", (t, v) => `Ahora ${t} pasa por ${v}.`],
      ],
      id: [
        ["user", (t, v) => `El aviso de ${t} es ${v}.`],
        ["assistant", (t, v) => `He cerrado ${v}, era lo mismo que ${t}.`],
      ],
      number: [
        ["user", (t, v) => `Para ${t} tenemos ${v}, y me parece demasiado.`],
        ["assistant", (t, v) => `Medido de nuevo: ${v} en ${t}.`],
      ],
      version: [
        ["user", (t, v) => `¿Ya usamos ${v} en ${t}?`],
        ["assistant", (t, v) => `Sí, ${t} necesita ${v} o más reciente.`],
      ],
      commit: [
        ["user", (t, v) => `El fallo de ${t} entró con ${v}.`],
        ["assistant", (t, v) => `Lo he arreglado en ${v} (${t}).`],
      ],
      date: [
        ["user", (t, v) => `La entrega de ${t} es el ${v}.`],
        ["assistant", (t, v) => `Apunto ${v} como final de ${t}.`],
      ],
      command: [
        ["user", (t, v) => `Prueba con \`${v}\` en ${t}.`],
        ["assistant", (t, v) => `He lanzado \`${v}\` y ${t} ya responde.`],
      ],
      error: [
        ["user", (t, v) => `Esto sale en ${t}:\n\`\`\`\n${v}\n\`\`\``],
        ["tool", (t, v) => `comprobando ${t}\n${v}\nterminado con errores`],
      ],
    },
    rules: [
      ["user", (t) => `No cambies nunca el formato de ${t}.`],
      ["user", (t) => `Usa siempre la misma zona horaria para ${t}, por favor.`],
      ["user", (t) => `Está prohibido guardar datos personales en ${t}.`],
      ["user", (t) => `Recuerda que ${t} lo revisa otra persona antes de publicarlo.`],
    ],
    decisions: [
      ["user", (t, d) => `Al final dejamos ${t} sin ${noun(d)}, porque no compensa el trabajo.`],
      ["assistant", (t, d) => `He decidido separar ${t} de ${part(d)} para poder probarlo solo.`],
    ],
    quotes: [
      [(t) => `En la pantalla de ${t} pone «`, (t) => `vuelva a intentar ${t} más tarde`, `».`],
      [(t) => `El cliente escribió sobre ${t}: "`, (t) => `sin ${t} no podemos facturar`, `".`],
    ],
  },
  [
    "Vale, lo miro esta tarde.",
    "De acuerdo.",
    "A mí me parece bien así.",
    "No tengo prisa con esto.",
    "Gracias, era justo lo que buscaba.",
    "Seguimos mañana con lo demás.",
  ],
);
