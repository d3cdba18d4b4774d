import { decideRenewal, type IdentityState, type Renewal } from './decide-renewal.js';

const at = (seconds: number) => new Date(seconds * 1000);
const NEW: IdentityState = { instance: null, jwtIssuedAt: at(100), jwtsRefusedUntil: null };

const starts = (state: IdentityState, instance: string, now: number) =>
  decideRenewal(state, { instance, takesOver: true }, at(now)) as Renewal;
const continues = (state: IdentityState, instance: string | undefined, now: number) =>
  decideRenewal(state, { instance, takesOver: false }, at(now));

describe('a process that takes the identity over', () => {
  it('gets a JWT that is issued after all JWTs that are refused from then on', () => {
    const { issuedAt, next, outcome } = starts(NEW, 'a', 200);
    expect([outcome, issuedAt, next.jwtsRefusedUntil]).toEqual(['taken_over', at(200), at(199)]);
  });

  it.each([
    [100, 'in the same second'],
    [90, 'on a server whose clock is behind'],
  ])('refuses a JWT of second 100 at second %i, %s', (now) => {
    const { issuedAt, next } = starts(NEW, 'a', now);
    expect([issuedAt, next.jwtsRefusedUntil]).toEqual([at(101), at(100)]);
  });

  it('does not refuse its own JWT if it repeats the request', () => {
    const first = starts(NEW, 'a', 200);
    const again = starts(first.next, 'a', 200);
    expect(again).toEqual({ outcome: 'continued', issuedAt: at(200), next: first.next });
  });
});

describe('a process that continues', () => {
  const owned = starts(NEW, 'a', 200).next;

  it('gets JWTs while it owns the identity', () => {
    expect(continues(owned, 'a', 650)).toMatchObject({ outcome: 'continued', issuedAt: at(650) });
  });

  it('gets no JWT after another process has taken over', () => {
    expect(continues(starts(owned, 'b', 300).next, 'a', 650)).toBeUndefined();
  });

  it('owns the identity from then on if no process owned it', () => {
    expect(continues(NEW, 'a', 200)?.next.instance).toBe('a');
  });

  it('never gets a JWT that is refused, and is refused as a whole by the next process', () => {
    const second = starts(starts(NEW, 'a', 50).next, 'b', 50); // two starts on a server whose clock is behind
    const renewed = continues(second.next, 'b', 60);
    expect(renewed?.issuedAt.getTime()).toBeGreaterThan(second.next.jwtsRefusedUntil?.getTime() ?? Infinity);
    const third = starts(renewed?.next as IdentityState, 'c', 60);
    expect(third.next.jwtsRefusedUntil?.getTime()).toBeGreaterThanOrEqual(
      renewed?.issuedAt.getTime() ?? Infinity,
    );
  });
});

it('an agent that sends no instance gets JWTs, also after another process has taken over', () => {
  const owned = starts(NEW, 'a', 200).next;
  expect(continues(owned, undefined, 150)).toMatchObject({
    issuedAt: at(200),
    next: { instance: 'a', jwtIssuedAt: at(200) },
  });
});
