import { ApiError } from '../../platform/http/errors/api-error.js';

export const RESPONSE_FORMATS = ['json', 'csv', 'ndjson'] as const;
export type ResponseFormat = (typeof RESPONSE_FORMATS)[number];

/** Media types without parameters, as in an Accept header. */
export const MEDIA_TYPE_OF: Readonly<Record<ResponseFormat, string>> = {
  json: 'application/json',
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
};

/** Values of the `content-type` header. RFC 4180 defines the `header` parameter of CSV. */
export const CONTENT_TYPE_OF: Readonly<Record<ResponseFormat, string>> = {
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
 * Chooses the format of a response: the `format` in the request body, or else the best match of the Accept
 * header. If several formats have the same quality, the first one in the header is chosen. JSON is the
 * default.
 * @throws ApiError `not_acceptable` if the Accept header matches no format
 */
export function negotiateFormat(
  format: ResponseFormat | undefined,
  accept: string | undefined,
): ResponseFormat {
  if (format !== undefined) return format;
  const ranges = readRanges(accept ?? '');
  if (ranges.length === 0) return 'json';
  const [best] = RESPONSE_FORMATS.map((candidate) => ({ candidate, ...preference(candidate, ranges) }))
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality || a.position - b.position);
  if (best) return best.candidate;
  const types = Object.values(MEDIA_TYPE_OF).join(', ');
  throw new ApiError('not_acceptable', `Expected an Accept header that matches one of ${types}.`);
}

function readRanges(accept: string): MediaRange[] {
  return accept
    .toLowerCase()
    .split(',')
    .map((element) => element.split(';').map((part) => part.trim()))
    .filter(([range]) => range !== '')
    .map(([range = '', ...parameters]) => ({ range, quality: qualityOf(parameters) }));
}

/** Returns the quality of a media range: 1 by default, and 0 if `q` is not a valid number. */
function qualityOf(parameters: readonly string[]): number {
  const text = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '') ?? '1';
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}

/** Returns the quality and the position of the most specific range that matches a format. */
function preference(
  format: ResponseFormat,
  ranges: readonly MediaRange[],
): { quality: number; position: number } {
  const type = MEDIA_TYPE_OF[format];
  for (const wanted of [type, type.replace(/\/.*/, '/*'), '*/*']) {
    const position = ranges.findIndex(({ range }) => range === wanted);
    if (position >= 0) return { quality: ranges[position]?.quality ?? 0, position };
  }
  return { quality: 0, position: 0 };
}
