/** A text of each content class. Counted by a server, they teach how its model counts before it has billed anything. */

import type { ContentClass } from "../message.ts";

export const COUNTING_SAMPLES: Readonly<Record<ContentClass, string>> = {
  prose:
    "The harbour opens onto a shallow bay, so ships have to wait for the tide before they can enter. Most captains know " +
    "this and plan their arrival for the late morning, when the water is high and the wind has usually calmed down. Could " +
    "you explain why the upload fails when two people edit the same document? I restarted the server yesterday, checked " +
    "the logs, and found nothing unusual apart from a few warnings about slow queries. Please keep the old behaviour for " +
    "existing customers, write a test for the new one, and tell me which files you changed. Der Hafen ist klein, aber die " +
    "Fähre legt dort zweimal täglich an; im Winter fährt sie nur, wenn das Eis es zulässt.",
  code:
    'import { readFile } from "node:fs/promises";\n\nexport interface Tide {\n  readonly place: string;\n  readonly heightCm: number;\n}\n\n' +
    "/** Reads the tides of a day; an empty list when the file is missing. */\nexport async function readTides(file: string): Promise<readonly Tide[]> {\n" +
    '  const text = await readFile(file, "utf8").catch(() => "");\n  return text\n    .split("\\n")\n    .filter((line) => line.trim() !== "")\n' +
    '    .map((line) => {\n      const [place = "", height = "0"] = line.split(";");\n      return { place, heightCm: Number(height) };\n    });\n}\n\n' +
    "def highest(tides):\n    best = None\n    for tide in tides:\n        if best is None or tide['height'] > best['height']:\n            best = tide\n    return best\n\n" +
    '$ npm run build && git commit -m "Read tides" src/tides.ts\n',
  data:
    '[{"id":10482,"at":"2026-03-14T09:26:53Z","height":412.75,"ok":true},{"id":10483,"at":"2026-03-14T15:41:07Z","height":38.5,' +
    '"ok":false}]\n2026-03-14 09:26:53.118 INFO 4711 GET /tides/10482 200 17ms\n2026-03-14 09:26:54.902 WARN 4711 GET /tides/10483 ' +
    "404 3ms\n10482;412,75;53.5511;9.9937\n10483;38,50;53.8654;8.7012\n3f2504e0-4f89-41d3-9a0c-0305e82c3301 192.168.17.204:8443\n",
  cjk:
    "港口通向一个浅湾，因此船只必须等待涨潮才能进入。大多数船长都知道这一点，并计划在上午晚些时候到达，那时水位高，风也通常已经平静下来。" +
    "请解释为什么两个人同时编辑同一份文档时上传会失败。我昨天重新启动了服务器，检查了日志，除了几条关于慢查询的警告之外没有发现异常。" +
    "既存のお客様については以前の動作を維持し、変更したファイルを教えてください。",
  other:
    "Гавань выходит в неглубокий залив, поэтому суда вынуждены ждать прилива, прежде чем войти. Большинство капитанов знают " +
    "об этом и планируют прибытие на позднее утро, когда вода высокая. Το λιμάνι ανοίγει σε έναν ρηχό κόλπο και τα πλοία " +
    "περιμένουν την παλίρροια. يفتح الميناء على خليج ضحل، لذلك تنتظر السفن المد قبل أن تدخل. הנמל נפתח אל מפרץ רדוד ולכן האוניות ממתינות לגאות.",
};
