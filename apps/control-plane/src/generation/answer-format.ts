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
