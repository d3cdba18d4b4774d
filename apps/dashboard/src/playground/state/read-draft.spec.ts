import { SETTINGS } from '../texts.js';
import type { Draft } from './draft.js';
import { MAX_COUNT, readDraft } from './read-draft.js';

const DRAFT: Draft = { schema: '{}', seed: '42', count: '20', now: '', format: 'csv' };
const TODAY = new Date('2026-05-06T07:08:09Z');

describe('readDraft', () => {
  it('refers to the start of the UTC day unless the user enters a time', () => {
    const request = { kind: 'records', schema: '{}', seed: 42, count: 20, format: 'csv' };
    expect(readDraft(DRAFT, TODAY)).toEqual({ request: { ...request, nowMs: Date.UTC(2026, 4, 6) } });
    expect(readDraft({ ...DRAFT, now: '2026-01-02T03:04:05+01:00' }, TODAY)).toEqual({
      request: { ...request, nowMs: Date.UTC(2026, 0, 2, 2, 4, 5) },
    });
  });

  it.each(['-9007199254740991', '0', '9007199254740991'])('accepts the seed %s', (seed) => {
    expect(readDraft({ ...DRAFT, seed }, TODAY)).toMatchObject({ request: { seed: Number(seed) } });
  });

  it.each(['1', String(MAX_COUNT)])('accepts the count %s', (count) => {
    expect(readDraft({ ...DRAFT, count }, TODAY)).toMatchObject({ request: { count: Number(count) } });
  });

  it.each(['', ' ', '1.5', '1e3', '9007199254740992', 'x'])('refuses the seed %j', (seed) => {
    expect(readDraft({ ...DRAFT, seed }, TODAY)).toEqual({ errors: { seed: SETTINGS.seedError } });
  });

  it.each(['', '0', '-1', String(MAX_COUNT + 1), '2.5'])('refuses the count %j', (count) => {
    expect(readDraft({ ...DRAFT, count }, TODAY)).toEqual({ errors: { count: SETTINGS.countError } });
  });

  it.each(['yesterday', '2026-02-30', '2026-13-01T00:00:00Z'])('refuses the time %s', (now) => {
    expect(readDraft({ ...DRAFT, now }, TODAY)).toEqual({ errors: { now: SETTINGS.nowError } });
  });
});
