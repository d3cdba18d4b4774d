import { describeWith } from '@understudy/testing';
import fc from 'fast-check';

import { FaultServer } from './support/fault-server.js';
import { VARIANTS } from './support/languages.js';
import { Player, type PlayerResponse } from './support/player.js';
import type { ScriptedResponse } from './support/scripted-response.js';

const MARK = '\u001e';
const MARKED = { 'x-generation-errors': 'marked' };
type Json = Readonly<Record<string, unknown>>;

/** Texts that occur in errors, in CSV or in the mark itself. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(MARK, '{"error":{', '"', '\r\n', '\u2028'),
);
/** PHP turns the key "0" into an integer, and a double into another text. Other tests have these values. */
const key = fc.oneof(
  fc.constantFrom('error', 'code', 'message', 'details'),
  fc.stringMatching(/^[a-zäß_"\\]{1,6}$/),
);
const value = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null));
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    value,
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(key, tie('json')),
  ),
}));
const likeError = fc.record(
  { error: fc.record({ code: text, message: text, details: json }, { requiredKeys: ['code', 'message'] }) },
  { requiredKeys: ['error'] },
);
const record = fc.oneof(fc.dictionary(key, json), likeError, fc.record({ error: json }));
const records = fc.array(record as fc.Arbitrary<Json>, { minLength: 1, maxLength: 4 });

/** Returns whether a client of a server that does not mark errors takes the record for an error. */
function isLikeError(record: Json | undefined): boolean {
  const error = record?.['error'] as Json | null | undefined;
  return (
    Object.keys(record ?? {}).join() === 'error' &&
    typeof error?.['code'] === 'string' &&
    typeof error['message'] === 'string'
  );
}

describe.each(VARIANTS)('the records of any schema', (variant) => {
  describeWith(`with the client for ${variant.name}`, variant.toolchain, () => {
    let server: FaultServer;
    let player: Player;
    beforeAll(async () => {
      server = await FaultServer.start();
      player = Player.start(variant);
    });
    afterAll(async () => {
      await player.stop();
      await server.stop();
    });

    async function play(call: string, response: ScriptedResponse): Promise<PlayerResponse> {
      server.play([response]);
      const request = {
        keep_client: true,
        client: { token: 'token', base_url: server.origin },
        schema: {},
        count: 1,
      };
      const outcome = await player.play({ call, ...request });
      expect(server.requests).toMatchObject([{ headers: MARKED }]);
      return outcome;
    }
    const check = (property: fc.IAsyncProperty<unknown>) => fc.assert(property, { numRuns: 30 });

    it('are never taken for an error of a server that marks its errors', () =>
      check(
        fc.asyncProperty(records as fc.Arbitrary<unknown>, async (all) => {
          const outcome = await play('generateStream', { headers: MARKED, lines: all as Json[] });
          expect([outcome.error, outcome.result]).toEqual([undefined, all]);
        }),
      ));

    it('arrive before the error of a server that marks its errors', () =>
      check(
        fc.asyncProperty(fc.tuple(records, likeError) as fc.Arbitrary<unknown>, async (drawn) => {
          const [all, { error }] = drawn as [Json[], { error: { code: string } }];
          const lines = [...all, `${MARK}${JSON.stringify({ error })}\n`];
          const outcome = await play('generateStream', { headers: MARKED, lines });
          expect(outcome['records']).toEqual(all);
          expect(outcome.error).toMatchObject({ class: 'StreamInterruptedError', received: all.length });
        }),
      ));

    it('are taken for an error of an older server only if the last one has its form', () =>
      check(
        fc.asyncProperty(records as fc.Arbitrary<unknown>, async (drawn) => {
          const all = drawn as Json[];
          const outcome = await play('generateStream', { lines: all });
          if (isLikeError(all.at(-1))) expect(outcome.error?.class).toBe('StreamInterruptedError');
          else expect([outcome.error, outcome.result]).toEqual([undefined, all]);
        }),
      ));

    it('arrive as CSV byte by byte', () =>
      check(
        fc.asyncProperty(
          fc.array(text, { minLength: 1, maxLength: 4 }) as fc.Arbitrary<unknown>,
          async (drawn) => {
            const rows = (drawn as string[]).map((cell) => `"${cell.replaceAll('"', '""')}"\r\n`);
            const bytes = Buffer.from(`error\r\n${rows.join('')}`);
            const headers = { 'content-type': 'text/csv', 'x-generation-count': String(rows.length) };
            const outcome = await play('generateCsv', { headers, base64: bytes.toString('base64') });
            expect([outcome.error, outcome.result]).toEqual([
              undefined,
              { base64: bytes.toString('base64') },
            ]);
          },
        ),
      ));
  });
});
