/** A rule or a generator definition, as it is written in a job. */
export type Written = Readonly<Record<string, unknown>>;

/** A rule that makes texts of steps. */
export function composed(steps: Written, body: string): Written {
  return { generator: { let: steps, body } };
}

export function model(source: string): Written {
  return { type: 'model', source };
}

export function digits(count: number): Written {
  return { type: 'svc', algorithm: 'digits', params: { digits: count, leading_zero: true } };
}

export function integer(min: number, max: number): Written {
  return { type: 'svc', algorithm: 'int_between', params: { min, max } };
}

/** So many digits, each a number of its own: for sums. */
export function digitList(count: number): Written {
  return { repeat: { count, of: integer(0, 9) } };
}

/** So many capital letters, each by itself. */
export function letterList(count: number): Written {
  return { repeat: { count, of: { type: 'list', values: [...'ABCDEFGHJKLMNPRSTUVWXYZ'] } } };
}

export const UUID: Written = { type: 'svc', algorithm: 'uuid_v4' };

/** NULL everywhere. */
export const NULLS: Written = { type: 'list', values: [''], nullable: 1 };
