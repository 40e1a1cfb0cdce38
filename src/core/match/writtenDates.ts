import type { MaskPattern } from '../model/case';
import { composePattern } from '../text/pattern';

/** Longer words first, since a shorter one may begin them. An abbreviation may end with a point. */
function anyOf(...lists: readonly string[]): string {
  const words = new Set(lists.flatMap((list) => list.split(' ')));
  return `(?:${[...words].sort((left, right) => right.length - left.length).join('|')})\\.?`;
}

// English, German, French, Spanish, Portuguese, Italian.
const MONTH = anyOf(
  'January February March April May June July August September October November December',
  'Jan Feb Mar Apr Jun Jul Aug Sept Sep Oct Nov Dec',
  'Januar Februar März Mai Juni Juli Oktober Dezember Mär Okt Dez',
  'janvier février mars avril mai juin juillet août septembre octobre novembre décembre janv févr avr juil déc',
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  'janeiro fevereiro março maio junho julho setembro outubro novembro dezembro',
  'gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre',
);
/** Dutch, Russian, Polish, Turkish, those of Scandinavia, and others: these follow a day. Each place of a list costs time to compile. */
const MONTH_AFTER_DAY = anyOf(
  'januari februari maart mei juni juli augustus augusti oktober marts maj desember',
  'января февраля марта апреля мая июня июля августа сентября октября ноября декабря',
  'stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia',
  'ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık',
  'ledna února března dubna května června července srpna září října listopadu prosince',
  'tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta',
  'marraskuuta joulukuuta ianuarie februarie martie aprilie iunie iulie septembrie octombrie noiembrie decembrie',
  'Maret Mei Juni Juli Agustus Oktober Desember',
);
const WEEKDAY = anyOf(
  'Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mon Tues Tue Wed Thurs Thur Thu Fri Sat Sun',
  'Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonnabend Sonntag',
  'lundi mardi mercredi jeudi vendredi samedi dimanche',
  'lunes martes miércoles jueves viernes sábado domingo',
  'segunda-feira terça-feira quarta-feira quinta-feira sexta-feira',
  'lunedì martedì mercoledì giovedì venerdì sabato domenica',
  'maandag dinsdag woensdag donderdag vrijdag zaterdag zondag',
  'måndag tisdag onsdag torsdag fredag lördag söndag mandag tirsdag lørdag søndag',
  'понедельник вторник среда четверг пятница суббота воскресенье',
  'poniedziałek wtorek środa czwartek piątek sobota niedziela',
  'pazartesi salı çarşamba perşembe cuma cumartesi pazar',
);

const NOT_IN_WORD = '(?<![A-Za-zÀ-ÿ])';
const ON = `(?:${NOT_IN_WORD}${WEEKDAY},? {1,2}(?:den |the |le )?)`;
const NAMED_MONTH = `${NOT_IN_WORD}${MONTH}`;
/** `1`, `1st`, `1er`, `1.`, `1 de`. */
const DAY = '\\d{1,2}(?:st|nd|rd|th|er|º|\\.)?(?: of| de)?';
const CJK_WEEKDAY = '(?: ?[(（]?(?:星期|周|週)?[一二三四五六日天月火水木金土](?:曜日)?[)）]?(?![月日]))?';
const CJK_DAY = `\\d{1,2} ?[月월] ?\\d{1,2} ?[日号號일]${CJK_WEEKDAY}`;
/** `20260501`. */
const COMPACT = '(?<![A-Za-z0-9])(?:19|20)\\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])';

/** Also those of Arabic, Persian, Hindi, and Thai. */
const NATIVE_DIGIT = '[\\d٠-٩۰-۹०-९๐-๙]';

const FULL_DATE = [
  '\\d{4}-\\d{2}-\\d{2}',
  '(?:19|20)\\d{2}/\\d{1,2}/\\d{1,2}',
  '(?<!\\.)(?:19|20)\\d{2}\\.\\d{2}\\.\\d{2}',
  '\\d{1,2}/\\d{1,2}/\\d{4}',
  '(?<!\\.)\\d{1,2}\\.\\d{1,2}\\.\\d{4}',
  '\\d{1,2}-\\d{1,2}-\\d{4}',
  '(?<![\\d/.])(?:0?[1-9]|[12]\\d|3[01])/(?:0?[1-9]|[12]\\d|3[01])/\\d{2}(?![\\d/])',
  '(?:19|20)\\d{2}-W\\d{2}(?:-[1-7])?',
  `${ON}?\\d{1,2}[/-]${MONTH}[/-](?:\\d{4}|\\d{2})`,
  `${ON}?${NAMED_MONTH} {1,2}${DAY},? \\d{4}`,
  `${ON}?${DAY} ${MONTH}(?: de)?,? \\d{4}`,
  `${ON}?\\d{1,2}\\.? ${MONTH_AFTER_DAY} \\d{4}(?: (?:г\\.|года|r\\.))?`,
  // Greek, Ukrainian, Hebrew, Arabic, Hindi, Thai: a word between a day and a year.
  `(?:[\\u0370-\\u1fff]{3,12},? )?${NATIVE_DIGIT}{1,2} [\\u0370-\\u1fff.]{2,16},? ${NATIVE_DIGIT}{4}(?: р\\.)?`,
  'ngày \\d{1,2} tháng \\d{1,2} năm \\d{4}',
  // As Python writes one: `datetime.date(2026, 11, 30)`.
  'datetime\\.date\\(\\d{4}, \\d{1,2}, \\d{1,2}\\)',
  '(?<![\\d.-])(?:0[1-9]|[12]\\d|3[01])(?:\\.(?:0[1-9]|1[0-2])\\.|-(?:0[1-9]|1[0-2])-)2\\d(?![\\d.-])',
  `(?:令和|平成)?\\d{1,4} ?[年년] ?${CJK_DAY}`,
].join('|');
const SHORT_DATE = [`${NAMED_MONTH} {1,2}\\d{1,2}(?:st|nd|rd|th)?(?!\\d)`, `${DAY} ${MONTH}(?![A-Za-zÀ-ÿ])`].join('|');

const CJK_HALF = '(?:(?:上午|下午|凌晨|清晨|早上|中午|晚上|午前|午後|오전|오후) ?)';
const HALF = '(?: ?[ap]\\.?m\\b\\.?)';
const SECONDS = '(?::\\d{2}(?:[.,]\\d{1,9})?)';
const CJK_TIME = '\\d{1,2} ?[时時点點시] ?\\d{1,2} ?[分분](?: ?\\d{1,2} ?[秒초])?';
const TIME = `${CJK_HALF}?(?:\\d{1,2}:\\d{2}${SECONDS}?${HALF}?|${CJK_TIME})`;
const ZONE_NAME = '(?: ?(?:Z|(?:UTC|GMT)(?:[+-]\\d{1,2}(?!\\d|:))?|[ECMP][SD]T|CES?T|WES?T|BST|JST|IST|KST)\\b)';
const ZONE_PLACE =
  '(?: ?[(\\[](?:[a-z_]+/[a-z_/]+|[a-z ]{1,40} time|utc|gmt)(?:, (?:utc|gmt)[+-]\\d{1,2}:?\\d{2})?[)\\]])';
const ZONE = `${ZONE_NAME}?(?: ?[+-]\\d{2}:?\\d{2}\\b)?${ZONE_PLACE}?`;
/** What stands between a date and a time; in Chinese, nothing has to. */
const BETWEEN = '(?:[T_:]|,? {1,2}(?:at |um |à |às |alle |a las )?|(?<=[日号號일)）一二三四五六天]))';

/** A year, a day of the week, two numbers with a stroke, a day with its month, or a month in Chinese, Japanese, or Korean: one of them is in every date without a time. */
const DATE_HINT = composePattern(
  `${NATIVE_DIGIT}{4}|\\d/\\d|\\d-[a-zà-ÿ]|\\d\\.\\d{2}\\.2|\\d-\\d{2}-2|[年년月월]|${NOT_IN_WORD}${WEEKDAY}`,
  'i',
);
const TIME_HINT = /\d:\d|[时時点點시]/;
const DIGIT = /\d/;

/** Dates as programs and people write them. */
export const DATES: readonly MaskPattern[] = [
  [
    composePattern(
      `(?<!\\d)(?:${FULL_DATE}|${ON}(?:${SHORT_DATE})|${CJK_DAY}|(?:19|20)\\d{2} ?[年년] ?\\d{1,2} ?[月월]|${NAMED_MONTH}(?: de)? \\d{4})(?!\\d)`,
      'gi',
    ),
    '<date>',
    DATE_HINT,
  ],
  [composePattern(`${COMPACT}(?![A-SU-Za-z0-9])`, 'g'), '<date>', DIGIT],
];

/** Dates with a time, times, seconds (and their thousandths, millionths, billionths) since 1970, and how long ago something was. */
export const TIMESTAMPS: readonly MaskPattern[] = [
  // C's `ctime` and `date`: the year is last.
  [
    composePattern(
      `${ON}?${NAMED_MONTH} {1,2}\\d{1,2} \\d{1,2}:\\d{2}${SECONDS}?(?: [A-Z]{3,5}| [+-]\\d{4})? \\d{4}(?!\\d)`,
      'gi',
    ),
    '<timestamp>',
    TIME_HINT,
  ],
  [
    composePattern(`(?<!\\d)(?:${FULL_DATE}|${ON}?(?:${SHORT_DATE})|${CJK_DAY})${BETWEEN}${TIME}${ZONE}`, 'gi'),
    '<timestamp>',
    TIME_HINT,
  ],
  [/\bdatetime\.datetime\(\d{4}(?:, \d{1,6}){2,6}/g, '<timestamp>', /datetime/],
  // As in names of files.
  [
    composePattern(
      `(?<!\\d)(?:\\d{4}-\\d{2}-\\d{2}|${COMPACT})(?:[T_-]| at )\\d{2}[-_.]?\\d{2}[-_.]?\\d{2}(?:[-_.]?\\d{1,9})?Z?(?!\\d)`,
      'g',
    ),
    '<timestamp>',
    DIGIT,
  ],
  [/(?<![\w.-])1[5-9]\d{8}(?:\d{3}){0,3}(?:\.\d+)?(?![\w-])/g, '<timestamp>', /1[5-9]/],
  [
    composePattern(
      `(?<![\\d:.])(?:${CJK_HALF}?(?:\\d{1,2}:\\d{2}(?:${SECONDS}${HALF}?|${HALF})|${CJK_TIME})|${CJK_HALF}\\d{1,2}:\\d{2})(?![\\d:])${ZONE}`,
      'gi',
    ),
    '<timestamp>',
    TIME_HINT,
  ],
  [
    composePattern(
      [
        '\\b(?:an?|one|\\d+) (?:second|minute|hour|day|week|month|year)s? ago\\b',
        '\\b\\d+ (?:hour|day|minute)s?,? (?:and )?\\d+ (?:minute|hour|second)s? ago\\b',
        '\\b\\d+ ?(?:[smhdwy]|secs?|mins?|hrs?)(?: \\d+ ?(?:[smhdwy]|secs?|mins?|hrs?)){0,3} ago\\b',
        '(?<=\\bin )\\d+[dhms](?: \\d+[dhms]){0,3}\\b',
        '\\d+ ?(?:秒|分钟|分鐘|分|小时|小時|時間|天|日|周|週|个月|個月|年)前',
        '\\b(?:vor|hace|il y a|há|fa) \\d+ [a-zà-ÿ]+\\b',
      ].join('|'),
      'gi',
    ),
    '<timestamp>',
    /\d|ago/i,
  ],
];
