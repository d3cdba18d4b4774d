import { describeWith } from '@understudy/testing';

import { FaultServer } from './support/fault-server.js';
import { VARIANTS } from './support/languages.js';
import { Player } from './support/player.js';
import type { ScriptedResponse } from './support/scripted-response.js';

const MIB = 2 ** 20;
const SHORT = 8 * MIB;
/** `UNDERSTUDY_TEST_STREAM_MIB=2048` tests a response of 2 GiB. */
const LONG = Number(process.env['UNDERSTUDY_TEST_STREAM_MIB'] ?? 72) * MIB;
/** The memory that a long response may need in addition to a short one. A client that keeps the records needs more. */
const TOLERANCE = 48 * MIB;
const RECORD = `${JSON.stringify({ id: 1, text: 'x'.repeat(1000) })}\n`;

const recordsOf = (bytes: number): ScriptedResponse => {
  const times = Math.floor(bytes / RECORD.length);
  return {
    headers: { 'content-type': 'application/x-ndjson', 'x-generation-count': String(times) },
    repeat: { text: RECORD, times },
  };
};

// A PSR-18 client reads the whole response before it returns.
for (const variant of VARIANTS.filter(({ name }) => name !== 'PHP (PSR-18)'))
  describeWith(`the client for ${variant.name}`, variant.toolchain, () => {
    it('needs no more memory for a long stream of records than for a short one', async () => {
      const server = await FaultServer.start();
      const player = Player.start(variant);
      const peakAfter = async (bytes: number): Promise<number> => {
        const response = recordsOf(bytes);
        server.play([response]);
        const { error, received } = await player.play({
          call: 'generateStream',
          client: { token: 'token', base_url: server.origin },
          schema: { generators: {}, output: [] },
          count: 1,
          discard: true,
        });
        expect({ error, received }).toEqual({ received: response.repeat?.times });
        return player.peakMemory;
      };
      try {
        const short = await peakAfter(SHORT);
        const long = await peakAfter(LONG);
        if (LONG > 1024 * MIB)
          process.stderr.write(`${variant.name}: ${toMib(short)} MiB, then ${toMib(long)} MiB\n`);
        expect(toMib(long - short)).toBeLessThan(toMib(TOLERANCE));
      } finally {
        await player.stop();
        await server.stop();
      }
    });
  });

const toMib = (bytes: number): number => Math.round(bytes / MIB);
