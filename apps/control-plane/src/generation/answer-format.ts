import { ApiError } from '../http/errors/api-error.js';

export const ANSWER_FORMATS = ['json', 'csv', 'ndjson'] as const;
export type AnswerFormat = (typeof ANSWER_FORMATS)[number];

/** Without parameters, as an Accept header names them. */
export const MEDIA_TYPE_OF: Readonly<Record<AnswerFormat, string>> = {
  json: 'application/json',
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
};

/** The `header` parameter of CSV is RFC 4180's. */
export const CONTENT_TYPE_OF: Readonly<Record<AnswerFormat, string>> = {
  json: `${MEDIA_TYPE_OF.json}; charset=utf-8`,
  csv: `${MEDIA_TYPE_OF.csv}; charset=utf-8; header=present`,
  ndjson: MEDIA_TYPE_OF.ndjson,
};

/** One element of an Accept header (RFC 9110, 12.5.1). */
interface MediaRange {
  readonly range: string;
  readonly quality: number;
}

/**
 * The format of an answer: what the body asks for, else what the Accept header likes best. Among equals the header's
 * order decides, then json.
 * @throws ApiError `not_acceptable`
 */
export function negotiateFormat(format: AnswerFormat | undefined, accept: string | undefined): AnswerFormat {
  if (format !== undefined) return format;
  const ranges = readRanges(accept ?? '');
  if (ranges.length === 0) return 'json';
  const [best] = ANSWER_FORMATS.map((candidate) => ({ candidate, ...preference(candidate, ranges) }))
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality || a.position - b.position);
  if (best) return best.candidate;
  const types = Object.values(MEDIA_TYPE_OF).join(', ');
  throw new ApiError('not_acceptable', `This is answered as one of ${types}; the Accept header takes none.`);
}

function readRanges(accept: string): MediaRange[] {
  return accept
    .toLowerCase()
    .split(',')
    .map((element) => element.split(';').map((part) => part.trim()))
    .filter(([range]) => range !== '')
    .map(([range = '', ...parameters]) => ({ range, quality: qualityOf(parameters) }));
}

/** 1 when none is given; what is no number takes nothing. */
function qualityOf(parameters: readonly string[]): number {
  const text = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '') ?? '1';
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}

/** The most specific range that a format falls under decides. */
function preference(
  format: AnswerFormat,
  ranges: readonly MediaRange[],
): { quality: number; position: number } {
  const type = MEDIA_TYPE_OF[format];
  for (const wanted of [type, type.replace(/\/.*/, '/*'), '*/*']) {
    const position = ranges.findIndex(({ range }) => range === wanted);
    if (position >= 0) return { quality: ranges[position]?.quality ?? 0, position };
  }
  return { quality: 0, position: 0 };
}
