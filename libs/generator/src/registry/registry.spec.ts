import { CORE_REGISTRY } from '../types/core-registry.js';
import { Registry } from './registry.js';

const [digits] = CORE_REGISTRY.all();
if (digits === undefined) throw new Error('the registry is empty');
const named = (name: string): typeof digits => ({ ...digits, name });

describe('Registry', () => {
  it.each(['@a/b:c', '@acme/people:nick-name', '@acme/people:v1.nick_name', '@0/1:2'])('takes %s', (name) => {
    expect(Registry.EMPTY.with(named(name)).names()).toEqual([name]);
  });

  it.each([
    '',
    'a',
    'a/b:c',
    '@a:c',
    '@a/b',
    '@a/b:',
    '@/b:c',
    '@a/b:c/d',
    '@A/b:c',
    '@a/b:c ',
    '@a/b:.c',
    '@-a/b:c',
  ])('refuses %j', (name) => {
    expect(() => Registry.EMPTY.with(named(name))).toThrow(RangeError);
  });

  it('does not change when another registry is derived from it', () => {
    const before = CORE_REGISTRY.names();
    const more = CORE_REGISTRY.with(named('@a/b:c'), named('@a/b:d'));
    expect(CORE_REGISTRY.names()).toEqual(before);
    expect(more.names()).toEqual([...before, '@a/b:c', '@a/b:d']);
    expect(() => more.with(named('@a/b:d'))).toThrow('@a/b:d is already registered');
    expect(() => Registry.EMPTY.with(named('@a/b:d'), named('@a/b:d'))).toThrow(RangeError);
  });

  it('finds registered names and nothing else', () => {
    expect(CORE_REGISTRY.find('@svc/core:list')?.name).toBe('@svc/core:list');
    for (const name of ['constructor', '__proto__', 'list', ''])
      expect(CORE_REGISTRY.find(name)).toBeUndefined();
  });

  it('contains every generator of the reference', () => {
    const algorithms =
      'uuid_v4 uuid_v7 ulid nanoid int_between float_between boolean datetime_between date_between time_between timestamp sequence gaussian exponential digits';
    expect([...CORE_REGISTRY.names()].sort()).toEqual(
      [
        ...algorithms.split(' ').map((algorithm) => `@svc/core:logic.${algorithm}`),
        '@svc/core:list',
        '@svc/core:model',
        '@svc/core:statistical',
        '@svc/core:event_sequence',
      ].sort(),
    );
  });
});
