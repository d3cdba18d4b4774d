/** The process that owns the identity of an agent, and the JWTs that the agent has received. */
export interface IdentityState {
  /** Random id of the process. Null if no process has taken the identity over. */
  readonly instance: string | null;
  /** The time in the newest JWT, in whole seconds. */
  readonly jwtIssuedAt: Date | null;
  /** NATS refuses the JWTs that were issued up to this second. Null if it refuses none. */
  readonly jwtsRefusedUntil: Date | null;
}

export interface RenewingProcess {
  /** Absent if the agent is too old to send it. */
  readonly instance: string | undefined;
  /** True in the first renewal of a process. */
  readonly takesOver: boolean;
}

export interface Renewal {
  readonly outcome: 'continued' | 'taken_over';
  readonly next: IdentityState;
  /** The time that the new JWT must contain, in whole seconds. */
  readonly issuedAt: Date;
}

/**
 * Decides whether a process gets the next JWT of an agent.
 *
 * - A process that takes the identity over gets a JWT that is issued later than all JWTs before it. NATS then refuses
 *   the older JWTs and closes their connections.
 * - If the same process takes the identity over again, because it did not receive the response, its earlier JWTs stay
 *   valid.
 * - A process that does not take over gets a JWT only while no other process has taken over.
 * - An agent that sends no instance always gets a JWT. NATS refuses its older JWTs if another process took over.
 *
 * @returns undefined if another process owns the identity
 */
export function decideRenewal(
  state: IdentityState,
  { instance, takesOver }: RenewingProcess,
  now: Date,
): Renewal | undefined {
  const isOther = instance !== undefined && instance !== state.instance;
  if (isOther && !takesOver && state.instance !== null) return undefined;
  const newest = Math.max(secondOf(state.jwtIssuedAt), secondOf(state.jwtsRefusedUntil));
  if (isOther && takesOver) {
    const second = Math.max(secondOf(now), newest + 1);
    const next = { instance, jwtIssuedAt: atSecond(second), jwtsRefusedUntil: atSecond(second - 1) };
    return { outcome: 'taken_over', next, issuedAt: atSecond(second) };
  }
  const second = Math.max(secondOf(now), secondOf(state.jwtsRefusedUntil) + 1);
  return {
    outcome: 'continued',
    next: {
      instance: instance ?? state.instance,
      jwtIssuedAt: atSecond(Math.max(second, newest)),
      jwtsRefusedUntil: state.jwtsRefusedUntil,
    },
    issuedAt: atSecond(second),
  };
}

function secondOf(time: Date | null): number {
  return time === null ? 0 : Math.floor(time.getTime() / 1000);
}

function atSecond(second: number): Date {
  return new Date(second * 1000);
}
