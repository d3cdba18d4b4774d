/** The state of a statement of the reference. A statement is covered if it has tests and no note. */
export type State = 'covered' | Remark['state'];

export interface Remark {
  readonly state: 'decided otherwise' | 'left open' | 'planned' | 'not testable';
  readonly note: string;
}

/** Understudy differs from the reference on purpose. The note describes the difference, and the tests show it. */
const differs = (note: string): Remark => ({ state: 'decided otherwise', note });
/** The reference leaves a question open ("not shown"). The note has the decision, and the tests show it. */
const decides = (note: string): Remark => ({ state: 'left open', note });
/** No test can show the statement. */
const untestable = (note: string): Remark => ({ state: 'not testable', note });

const NULL_FOR_LISTS = differs(
  'A model id may also name a list or a composition, as its field `kind` shows. For these two, this field is null.',
);
const NO_PASSWORD = differs('Every response replaces the password in a URL by `***`.');
/** The note of a lead-in such as "Rules:", which has no meaning without the statements after it. */
const LEAD_IN = untestable('A lead-in. The units after it have their own rows.');
const ABOUT_ITSELF = untestable('Describes the reference itself, not the service.');

/** The notes of the statements that differ, are left open or cannot be tested, in the order of the reference. */
export const REMARKS: Readonly<Record<string, Remark>> = {
  '0/1': ABOUT_ITSELF,
  '0/2': ABOUT_ITSELF,
  '0/3': untestable('Describes the time when the reference was written. You run Understudy yourself.'),
  '2.1/4': differs(
    'Models that an agent trained have a third type, `private`. A list with `type=all` does not include them.',
  ),
  '2.1/5': NULL_FOR_LISTS,
  '2.1/6': NULL_FOR_LISTS,
  '2.1/8': NULL_FOR_LISTS,
  '2.1/9': NULL_FOR_LISTS,
  '2.1/11': differs('The list view also has `kind`. Section 9 of the reference allows new fields.'),
  '2.2/4': NO_PASSWORD,
  '2.2/5': NO_PASSWORD,
  '2.2/10': LEAD_IN,
  '2.2/17': decides('`postgres` is an alias of `postgresql`. The service refuses any other type with 422.'),
  '2.4/9': differs('`count` is at most 10,000.'),
  '2.5/7': decides('A member has id, email, name, role, status, invited_at and joined_at.'),
  '2.7/1': untestable('A reference to section 6.'),
  '2.8/4': decides('[The generator page](generators.md) lists all functions. You cannot add functions.'),
  '2.8/5': decides('The service refuses it. The error shows what to use instead.'),
  '2.9/3': differs(
    'If a generator type has no constraints, the service refuses `constraints` with 422 instead of ignoring them.',
  ),
  '2.9/4': differs(
    'With `POST /v1/generators` you can register compositions. Generators written in code are possible only in programs that use the library.',
  ),
  '2.9/5': LEAD_IN,
  '2.9.1/1': differs(
    'On a range of integers, such as that of `int_between`, the service draws without repetition. It does not fail while a number is left.',
  ),
  '2.9.2/19': LEAD_IN,
  '2.9.2/21': differs(
    'The engine picks directly from the numbers that `except` leaves. So it fails only if no number is left.',
  ),
  '2.9.2/23': differs(
    'The service accepts ISO-8601 dates in the RFC 3339 profile. It refuses week dates, ordinal dates and the basic form.',
  ),
  '2.9.4/11': differs(
    'An uploaded model does not contain its training items. For such a model, the service refuses `real_word` with 422.',
  ),
  '2.9.4/19': differs(
    'An uploaded model does not contain its training items. For such a model, the service refuses `exclude_originals` with 422.',
  ),
  '2.9.5/7': LEAD_IN,
  '2.9.5/20': LEAD_IN,
  '2.9.5/26': LEAD_IN,
  '2.9.6/3': LEAD_IN,
  '2.9.7/1': differs(
    'An inline composition may have at most 64 levels of JSON. Registered compositions may be nested at most 200 levels deep.',
  ),
  '2.9.7/4': differs(
    'Names are in lower case. A namespace or package must not contain a dot or an underscore.',
  ),
  '2.9.7/5': differs('A version must be a semantic version, such as 1.0.0.'),
  '2.9.7/7': differs(
    'A required param must not have a default. The [generator page](generators.md) lists the allowed types.',
  ),
  '2.9.7/12': LEAD_IN,
  '2.9.7/16': LEAD_IN,
  '2.9.7/19': differs(
    'On a range of integers, such as that of `int_between`, the service draws without repetition.',
  ),
  '2.9.7/20': LEAD_IN,
  '3/2': decides(
    'A pending job becomes running or failed. A running job becomes completed or failed. No other transition exists.',
  ),
  '3/3': differs(
    'Snapshots, restores, members and webhooks also have a `status`. Section 9 of the reference allows new fields.',
  ),
  '3/4': differs(
    'The `status` of a snapshot is creating, ready, failed, expired or deleting. Section 9 of the reference allows new fields.',
  ),
  '4/4': untestable('Explains a notation.'),
  '4.1/3': untestable('A reference to section 7.'),
  '4.2/8': decides('The body is CSV or NDJSON without an envelope. The metadata is in headers.'),
  '4.3/2': LEAD_IN,
  '4.3/9': decides('Clients may send the slash as `/` or as `%2F`.'),
  '4.3/11': LEAD_IN,
  '4.4/6': decides('The response is 201 with a `Location` header and the whole job.'),
  '4.4/8': decides(
    'The job has the fields of the list, and seed, created_at, table_progress, attempts, agent_id, models, error and warnings.',
  ),
  '4.4/10': decides(
    'If the job has not ended, the operation cancels it (202). If it has ended, the operation deletes it (200).',
  ),
  '4.5/2': LEAD_IN,
  '4.5/7': LEAD_IN,
  '4.5/11': decides(
    'POST /snapshots: 201 with the snapshot. Restore: 202 with { id, restore_id, target_database, status }. DELETE: 200 with { deleted, id }.',
  ),
  '4.6/4': decides('POST: 201 with the whole endpoint. DELETE: 200 with { deleted, id }.'),
  '4.7/5': decides(
    'POST takes { email, role } and returns 201. GET returns { members, total, page, per_page }. DELETE returns 200.',
  ),
  '5/1': differs(
    'Five operations need no token. Each needs a one-time secret or a signature instead, or shows the OpenAPI document.',
  ),
  '5/7': decides(
    'The roles are viewer, member, admin and owner. [The API page](api.md) shows the role that each operation needs.',
  ),
  '5/8': decides('A token may be limited to scopes. By default, it expires after 90 days.'),
  '5/9': decides('A call needs no token unless the endpoint has `auth: "token"`.'),
  '6/1': differs('The dashboard configures webhooks. There are also operations for it, under /v1/webhooks.'),
  '6/2': LEAD_IN,
  '6/8': differs('The payload also has an `id`. Section 9 of the reference allows new fields.'),
  '6/11': decides('[The webhook page](../guides/webhooks.md) shows the data of each event.'),
  '6/12': decides(
    'The service tries a delivery up to ten times within about 75 hours. Each attempt has a time-out of 15 s. Events may arrive in another order.',
  ),
  '7/9': differs(
    '`except` of `int_between` fails only if it excludes the whole range. All other conditions are errors, as the reference requires.',
  ),
  '7/10': decides(
    'The status is 422. The code is `validation_error` if the definition is invalid, or `generation_failed` if a record cannot be generated.',
  ),
  '7/11': decides('The status is 402 with the code `quota_exceeded`.'),
  '7/12': decides('The status is 409 with the code `conflict`.'),
  '8/1': LEAD_IN,
  '8/8': LEAD_IN,
  '8/12': differs(
    'There is no limit of tries. `int_between` picks only from the numbers that `except` leaves.',
  ),
  '8/18': decides(
    'Quotas of sync jobs, endpoints, snapshots and API calls: free 5, 1, 2, 10,000; starter 50, 10, 10, 100,000; team 500, 50, 50, 1,000,000; business 5,000, 500, 500, 10,000,000.',
  ),
  '8/19': decides('The period is 1 to 365 days. The default is 30.'),
  '8/20': decides(
    'A model file and the body of a new sync job may have at most 32 MiB. Any other body may have at most 1 MiB.',
  ),
};
