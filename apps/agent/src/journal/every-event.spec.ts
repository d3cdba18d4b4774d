import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { create, toBinary, toJson, type DescField } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { EventSchema } from '@understudy/agent-protocol/schema';

import { EgressJournal } from './egress-journal.js';

const now = new Date('2026-01-02T03:04:05.000Z');
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'journal-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** All kinds of events. If the oneof is missing, the list is empty and Jest fails the suite. */
const CASES = EventSchema.oneofs.find(({ name }) => name === 'event')?.fields ?? [];

/**
 * Creates an event of this kind with the id `thing`. The first field of each kind is the id of the job or other
 * object.
 */
function eventOf(field: DescField, thing: string) {
  const encode = (journalSeq: number) => {
    const event = create(EventSchema, { journalSeq: BigInt(journalSeq) });
    if (field.fieldKind !== 'message') throw new TypeError(`expected a message: ${field.name}`);
    const [id] = field.message.fields;
    const value = reflect(field.message);
    if (id === undefined) throw new TypeError(`expected ${field.name} to have an id`);
    value.set(id, thing);
    reflect(EventSchema, event).set(field, value);
    return { bytes: toBinary(EventSchema, event), message: toJson(EventSchema, event) };
  };
  return { subject: 'us.evt.agt_1', encode };
}

describe('a journaled event', () => {
  it.each(CASES.map((field) => [field.localName, field] as const))(
    'gets its own number and stays until it is acknowledged: %s',
    async (_, field) => {
      const journal = await EgressJournal.open(folder, { maxBytes: 1_000_000, now });
      const first = await journal.appendEvent(eventOf(field, 'thing_1'), now);
      const second = await journal.appendEvent(eventOf(field, 'thing_2'), now);
      expect([first, second].map(({ journalSeq, about }) => [journalSeq, about])).toEqual([
        [1, 'thing_1'],
        [2, 'thing_2'],
      ]);
      expect(journal.unacknowledged()).toEqual([first, second]);
      await journal.close();

      const reopened = await EgressJournal.open(folder, { maxBytes: 1_000_000, now });
      expect(reopened.unacknowledged()).toEqual([first, second]);
      const third = await reopened.appendEvent(eventOf(field, 'thing_3'), now);
      expect(third.journalSeq).toBe(3);
      await reopened.acknowledge([1], now);
      expect(reopened.unacknowledged()).toEqual([second, third]);
      await reopened.close();
    },
  );

  it('gets its own number even if a newer agent version wrote it with an unknown kind', async () => {
    const unknown = {
      subject: 'us.evt.agt_1',
      // field 1011, empty
      encode: (journalSeq: number) => ({
        bytes: new Uint8Array([0x08, journalSeq, 0x9a, 0x3f, 0]),
        message: {},
      }),
    };
    const journal = await EgressJournal.open(folder, { maxBytes: 1_000_000, now });
    const first = await journal.appendEvent(unknown, now);
    const second = await journal.appendEvent(unknown, now);
    await journal.close();
    const reopened = await EgressJournal.open(folder, { maxBytes: 1_000_000, now });
    expect(reopened.unacknowledged().map(({ journalSeq }) => journalSeq)).toEqual([1, 2]);
    expect([first.journalSeq, second.journalSeq]).toEqual([1, 2]);
    await reopened.close();
  });
});
