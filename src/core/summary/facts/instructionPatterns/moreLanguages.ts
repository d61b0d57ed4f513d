/** Instruction patterns of further languages: words of obligation and prohibition, and the usual openings of a rule. */

import { formsBy } from "./otherLanguages.ts";

export const turkish = formsBy(
  "‹(?:asla|sakın|mutlaka|kesinlikle|zorunlu(?:dur)?|zorunda\\p{L}*|şart(?:tır)?|yasak(?:tır)?|bundan (?:sonra|böyle)|hiçbir (?:zaman|koşulda|şekilde)|emin ol(?:un)?|dikkat et(?:in)?|kaçın(?:ın)?|tercih (?:ederim|ediyorum|edin|et)|izin (?:yok|verilmez)|(?:onayım|onay|iznim) (?:olmadan|almadan)|(?:hatırla|aklında tut|unutma|unutmayın))›|‹\\p{L}+(?:malı|meli)(?:sın|sin|yız|yiz|dır|dir|lar|ler|sınız|siniz)?›|‹\\p{L}{2,}(?:mayın|meyin|mayınız|meyiniz|masın|mesin)›|‹\\p{L}{3,}(?:ma|me)[.!]?$|^(?:lütfen|her zaman|daima|hep|yalnızca|sadece)\\s(?:\\S+\\s){1,12}?\\p{L}+(?:[dt]?[ıiuü]n|le|la|t|er|ar|z|r|p|n)[.!]?$|^(?:kural|kısıt|önemli|not)\\s?:",
  "‹(?:gerek(?:ir|li|iyor)?|lazım|istiyorum|istemiyorum|yerine|önce)›",
  "‹\\p{L}+(?:dı|di|du|dü|tı|ti|tu|tü|mış|miş|muş|müş)[.!]?$|‹(?:dün|galiba|sanırım|belki|herhalde|çalışmıyor|neden)›",
);

export const swedish = formsBy(
  "(?<!‹(?:det|detta) )‹(?:måste|får (?:inte|aldrig|bara|endast)|förbjud(?:et|na)|obligatorisk[ta]?|från och med nu|hädanefter|under inga omständigheter|se (?:alltid )?till att|kom ihåg|undvik|jag (?:vill|föredrar) (?:att|inte)?|i ?stället för)›|^(?:aldrig|alltid|bara|endast|inga?|rör|ändra|använd|skriv|fråga|ta|kör|håll)\\s(?:.*\\s)?(?:inte|aldrig|alltid|bara|endast|först|innan|utan|alla|varje|på svenska|på engelska|i)›|^(?:regel|krav|viktigt|överenskommelse)\\s?:",
  "‹(?:ska|bör|skall|behöver|alltid|aldrig)›(?! (?:jag|vi)›)|^(?:varje|alla|ingen|inget)\\s.*‹(?:ska|får|måste|behöver|går)›",
  "‹(?:var|hade|igår|kanske|troligen|verkar|fortfarande|fungerar inte|misslyckas)›",
);

/** Danish and Norwegian. */
export const danish = formsBy(
  "(?<!‹(?:det|dette) )‹(?:må (?:ikke|ikkje|aldri|aldrig|kun|bare)|forbudt|påkrev[ed]t|obligatorisk|fra nå av|fra nu af|under ingen omstændigheder|under ingen omstendigheter|sørg for|husk(?: at| å)?|undgå|unngå|jeg (?:vil have|vil ha|foretrækker|foretrekker)|i stedet for)›|^(?:aldri|aldrig|alltid|altid|kun|bare|ingen|rør|ændr|endre|brug|bruk|skriv|spørg|spør)\\s(?:.*\\s)?(?:ikke|aldri|aldrig|alltid|altid|kun|bare|først|før|uden|uten|alle|hver|på norsk|på dansk|på engelsk|i)›|^(?:regel|krav|vigtigt|viktig)\\s?:",
  "‹(?:skal|bør|alltid|altid|aldri|aldrig)›(?! (?:jeg|vi)›)|^(?:hver|alle|ingen|intet)\\s.*‹(?:skal|må|får)›",
  "‹(?:var|havde|hadde|i ?går|måske|kanskje|virker ikke|fejler|feiler|stadig)›",
);

export const czech = formsBy(
  "‹(?:musí(?:š|me|te)?|nesmí(?:š|me|te)?|zakázán[oýae]|povinn[éýáě]|od teď|od nynějška|za žádných okolností|ujisti se|pamatuj|nezapomeň|vyhni se|vyhýbej se|raději|preferuj|je (?:nutné|třeba|potřeba)|místo toho|chci,? aby)›|^(?:nikdy|vždy|vždycky|pouze|jen|žádn[éýáě]|ne\\p{L}{3,}(?:ej|uj|i|te|ejte|ujte|ň|z|p))\\s\\S|^(?:pravidlo|požadavek|důležité|dohoda)\\s?:",
  "‹(?:měl[aoiy]? by|mají|má být|pouze|výhradně|jen (?:přes|po|s)|vždy|nikdy|bez (?:mého|předchozího))›|^\\S+ (?:\\S+ )?(?:anglicky|česky)›|^(?:\\S+\\s){1,4}piš (?:anglicky|česky)›|^(?:každ[ýáéou]+|všechny|nikdo|nic)\\s.*‹(?:musí|má|mají|potřebuje|ne\\p{L}+)›",
  "‹(?:byl[aoiy]?|včera|asi|možná|pravděpodobně|nefunguje|zase|pořád)›",
);

export const hungarian = formsBy(
  "‹(?:tilos|kötelező|kötelesek?|soha ne|sose|semmi esetre sem?|mostantól|ügyelj|figyelj|győződj meg|emlékezz|ne felejtsd|kerüld|inkább|szeretném,? ha|helyett|nem szabad|muszáj|csak akkor)›|^(?:soha|mindig|csak|ne|kizárólag)\\s\\S|^(?:szabály|követelmény|fontos|megállapodás)\\s?:",
  "‹(?:kell|kellene|legyen(?:ek)?|csak|kizárólag|mindig)›",
  "‹(?:volt|voltak|tegnap|talán|valószínűleg|nem működik|úgy tűnik|még mindig)›",
);

export const romanian = formsBy(
  "‹(?:trebuie(?: să)?|interzis[ăe]?|obligatoriu|de acum (?:înainte|încolo)|în niciun caz|asigură-te|asigurați-vă|amintește-ți|nu uita|evită|evitați|prefer(?:ă|ați)?|vreau să|în loc de|n-ai voie|nu ai voie|nu este permis)›(?! (?:văd|înțeleg)›)|^(?:niciodată|întotdeauna|mereu|doar|numai|nu)\\s(?!(?:merge|știu|funcționează|văd|am|e|este|înțeleg)›)\\S|^(?:regulă|regula|cerință|important)\\s?:",
  "‹(?:ar trebui|doar|numai|întotdeauna|mereu|fără (?:acordul|permisiunea))›|^(?:fiecare|toate|toți|nimeni|nimic)\\s.*‹(?:trebuie|are|au|nu)›",
  "‹(?:era|erau|avea|ieri|poate|probabil|se pare|tot nu|nu merge)›",
);

export const finnish = formsBy(
  "‹(?:täytyy|pitää aina|ei (?:saa|koskaan)|eivät saa|älä|älkää|kielletty|pakollinen|pakko|tästä lähtien|missään tapauksessa|muista|varmista|vältä|haluan,? että|sen sijaan|mieluummin)›|^(?:aina|vain|ainoastaan|ei)\\s(?!(?:toimi|ole|tiedä|ymmärrä)›)\\S|^(?:sääntö|vaatimus|tärkeää|sovittu)\\s?:",
  "‹(?:pitää|pitäisi|tulee|aina|koskaan|vain|ainoastaan|on (?:oltava|pyydettävä|tehtävä))›",
  "‹(?:oli|olivat|eilen|ehkä|luultavasti|näyttää|ei toimi|kaatuu)›",
);

export const vietnamese = formsBy(
  "‹(?:không được|đừng|tuyệt đối|không bao giờ|bắt buộc|nghiêm cấm|cấm|nhất định|từ (?:nay|giờ|bây giờ)|hãy|nhớ|đảm bảo|tránh|ưu tiên|thay vì|luôn(?: luôn)?)›|^(?:chỉ|phải|mọi|tất cả)\\s\\S|^(?:quy tắc|yêu cầu|quan trọng|lưu ý)\\s?:",
  "‹(?:phải|nên|cần|chỉ)›",
  "‹(?:đã|hôm qua|có lẽ|có thể|hình như|bị lỗi|không chạy|tại sao)›",
);

/** Indonesian and Malay. */
export const indonesian = formsBy(
  "‹(?:jangan(?: pernah)?|dilarang|tidak boleh|tak boleh|wajib|harus selalu|selalu|mulai sekarang|dalam keadaan apa ?pun|pastikan|ingat(?:lah)?|hindari|utamakan|saya (?:ingin|mau|lebih suka)|alih-alih|daripada|hanya boleh)›|^(?:harus|hanya|cukup|tolong|mohon|gunakan|pakai|tulis|tanya)\\s(?:.*\\s)?(?:hanya|selalu|dulu|sebelum|setiap|semua|tanpa|jangan|dalam bahasa|saja)›|^(?:aturan|syarat|penting|catatan)\\s?:",
  "‹(?:harus|sebaiknya|perlu)›|^(?:setiap|semua|tidak ada)\\s.*‹(?:harus|perlu|boleh)›",
  "‹(?:kemarin|mungkin|sepertinya|tadi|gagal|tidak jalan|kenapa|sudah)›",
);

export const ukrainian = formsBy(
  "(?<!‹це )‹(?:повинен|повинна|повинно|повинні|мусить|мусиш|мусимо|не можна|заборонено|забороняється|обов['’ʼ]язково|обов['’ʼ]язковий|відтепер|віднині|надалі|в жодному разі|ні в якому разі|не допускається|необхідно|потрібно|треба|переконайся|переконайтеся|пам['’ʼ]ятай(?:те)?|запам['’ʼ]ятай(?:те)?|уникай(?:те)?|віддаю перевагу|хочу,? щоб|замість)›|^(?:не|ніколи|завжди|тільки|лише|жодних)\\s(?!(?:працює|знаю|було|був|можу|розумію|бачу|виходить)›)\\S|^(?:правило|обмеження|вимога|важливо|домовились)\\s?[:–—]",
  "‹(?:слід|варто|лише|тільки|завжди|без (?:моєї|мого|дозволу))›|^(?:перед|після) (?:кож\\p{L}+|будь-як\\p{L}+)›|^(?:кожен|кожна|кожне|усі|всі|ніхто|ніщо|жоден)\\s.*‹(?:має|проходить|потребує|не|отримує)›",
  "‹(?:був|була|було|були|вчора|здається|мабуть|напевно|може бути|знову|падає|не працює)›",
);

export const greek = formsBy(
  "‹(?:πρέπει|απαγορεύεται|υποχρεωτικ\\p{L}+|ποτέ|πάντα|από (?:τώρα|εδώ) και (?:πέρα|στο εξής)|σε καμία περίπτωση|βεβαιώσου|φρόντισε|θυμήσου|μην ξεχ\\p{L}+|απόφυγε|προτιμώ|θέλω να|αντί)›|^(?:μην?|μόνο|κανένα?ς?)\\s\\S|^(?:κανόνας|απαίτηση|σημαντικό)\\s?:",
  "‹(?:οφείλει|οφείλουν|χρειάζεται|μόνο|αποκλειστικά)›",
  "‹(?:ήταν|χθες|ίσως|μάλλον|φαίνεται|δεν λειτουργεί|γιατί)›",
);

export const arabic = formsBy(
  "‹[وف]?(?:يجب|لا بد|لابد|ممنوع|يمنع|يُمنع|محظور|إلزامي|ضروري|من الآن فصاعد[اًا]+|تحت أي ظرف|بأي حال|تأكد|تأكدي|تذكر|تجنب|أفضّل|أفضل أن|أريد أن|أريدك|بدل[اًا]+ من|ينبغي|لا يجوز|غير مسموح)›|‹لا ت\\p{L}{2,}›|^(?:دائم[اًا]+|أبد[اًا]+|فقط|لا|ولا)\\s(?!(?:يعمل|أعرف|أعلم|أفهم|يوجد|شيء)›)\\S|‹(?:دائم[اًا]+|أبد[اًا]+)[.!]?$|^(?:قاعدة|القاعدة|شرط|مهم|اتفقنا)\\s?:",
  "‹(?:فقط|يلزم)›",
  "‹(?:كان|كانت|أمس|ربما|يبدو|لماذا|فشل|لا يعمل)›",
);

export const persian = formsBy(
  "‹(?:باید|نباید|هرگز|هیچ[ ‌]?وقت|همیشه|ممنوع|حتم[اًا]+|الزامی|اجباری|از این به بعد|از این پس|تحت هیچ شرایطی|مطمئن (?:شو|شوید)|یادت (?:باشد|باشه)|فراموش نکن|ترجیح می\\p{L}*|به جای|اجازه ندار\\p{L}+)›|‹ن(?:کن|کنید|ذار|ذارید|ویس|ویسید|زن|زنید|شود)›|‹فقط\\s|^(?:لطف[اًا]+)\\s.*‹(?:کن|کنید|بنویس|بنویسید|بده|بدهید)›|^(?:قانون|شرط|مهم)\\s?:",
  "‹(?:لازم است|بهتر است)›",
  "‹(?:بود|بودند|دیروز|شاید|احتمال[اًا]+|کار نمی\\p{L}+|چرا)›",
);

export const hebrew = formsBy(
  "‹ו?(?:חייב|חייבת|חייבים|חובה|אסור|לעולם לא|אף פעם|מעכשיו|מעתה|בשום (?:מקרה|אופן)|ודא|תוודא|זכור|תזכור|הימנע|תימנע|אני (?:רוצה ש|מעדיף)|במקום|יש ל\\p{L}+)›|‹אל ת\\p{L}+›|^(?:תמיד|רק|אל|לא)\\s(?!(?:עובד|יודע|מבין|רואה|היה)›)\\S|^(?:כלל|דרישה|חשוב)\\s?:",
  "‹(?:צריך|צריכה|צריכים|רק|חייבות|תמיד)›",
  "‹(?:היה|הייתה|אתמול|אולי|כנראה|נראה|לא עובד|למה)›",
);

/** Vowel signs are no letters: whole words cannot be told, and are matched without their edges. */
export const hindi = formsBy(
  "चाहिए|ज़रूरी|जरूरी|अनिवार्य|हमेशा|कभी (?:भी )?(?:नहीं|न|ना|मत)|(?:^|\\s)(?:मत|न|ना) (?:कर|बदल|छू|हटा|लिख|डाल|जोड़)|ध्यान (?:रखें|रखो|रखना)|याद (?:रखें|रखो|रखना)|सुनिश्चित कर|के बजाय|की (?:जगह|बजाय)|अब से|आगे से|मना है|वर्जित|किसी भी (?:हाल|सूरत)|(?:सिर्फ़|सिर्फ|केवल)[^।]{1,80}(?:करें|करो|करना|लिखें|रखें|दें)|^(?:नियम|शर्त|महत्वपूर्ण)\\s?:",
  "पड़ेगा|होगा।?$|(?:लिखें|लिखो|रखें|रखो|न (?:हटाएं|बदलें|छुएं))।?$",
  "(?:था|थे|थी)।?$|कल|शायद|लगता है|क्यों|नहीं चल",
);

export const thai = formsBy(
  "ต้อง|ห้าม|อย่า|เสมอ|เท่านั้น|ทุกครั้ง|ตั้งแต่นี้|จากนี้ไป|จำไว้|หลีกเลี่ยง|ไม่อนุญาต|ให้แน่ใจ|แทนที่จะ",
  "ควร|กรุณา",
  "เมื่อวาน|อาจจะ|ไม่ทำงาน|ทำไม",
);
