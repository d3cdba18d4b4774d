import { covered, decidedOtherwise, leadIn, type Section } from '../row.js';
import {
  generators,
  generatorsApi,
  listAssets,
  machineSettings,
  outside,
  picks,
  statistics,
  uniqueRanges,
} from './suites.js';

/** Section 2.9 up to the list generator: forms, modifiers, the service generators and lists. */
export const GENERATORS: readonly Section[] = [
  {
    number: '2.9',
    title: 'Generator definitions',
    rows: [
      covered(
        'The engine runs every generator as an envelope `{ use, params, constraints, modifiers }`.',
        generators('Both forms are one envelope: params, constraints and modifiers give the same values'),
      ),
      covered(
        'A definition is authored in one of two forms:',
        generators(
          'A definition may be written as `{ type, <type-specific keys>, constraints?, <modifiers> }`',
        ),
        generators(
          'A definition may be written as { use, params }, with the name of any registered generator',
        ),
      ),
      decidedOtherwise(
        '`{ type, <type-specific keys>, constraints?, <modifiers> }`',
        'If a generator type has no constraints, the service refuses `constraints` with 422 instead of ignoring them.',
        generators(
          'A definition may be written as `{ type, <type-specific keys>, constraints?, <modifiers> }`',
        ),
        generators('Constraints on a type that has none are refused'),
      ),
      decidedOtherwise(
        '`{ use: <registered generator name>, params: {...} }`, which names any registered generator directly (custom or packaged generators).',
        'With `POST /v1/generators` you can register compositions. Generators written in code are possible only in programs that use the library.',
        outside('is used by its name, with params'),
        generators(
          'A definition may be written as { use, params }, with the name of any registered generator',
        ),
        generatorsApi('is returned as it was sent and can be used by name or version'),
      ),
      leadIn('Mapping of `type` to the reference it compiles to:'),
      covered(
        '| the service | `@svc/core:logic.<algorithm>` | `params` (verbatim) |',
        generators(
          'The service type with an algorithm is `@svc/core:logic.<algorithm>`, its params verbatim',
        ),
      ),
      covered(
        '| list | `@svc/core:list` | source, values, key, where |',
        generators('type list is @svc/core:list with source, values, key and where as params'),
      ),
      covered(
        '| model | `@svc/core:model` | source, generation |',
        generators('type model is @svc/core:model with source and generation as params'),
      ),
      covered(
        '| statistical | `@svc/core:statistical` | mode, values, distribution, params, differential_privacy, variables, correlations |',
        generators('type statistical is @svc/core:statistical with its seven keys as params'),
      ),
      covered(
        '| event_sequence | `@svc/core:event_sequence` | events |',
        generators('type event_sequence is @svc/core:event_sequence with events as params'),
      ),
      covered(
        'The types `template` and `linked` no longer exist as generator types; they error with guidance (author a composition body/variants, or a list over an asset).',
        generators('The types template and linked are gone: they error with guidance'),
      ),
    ],
  },
  {
    number: '2.9 modifiers',
    title: '',
    rows: [
      decidedOtherwise(
        '| unique | boolean | Emits distinct values across rows. On a collision it re-rolls up to 200 attempts, then errors. Nulls are exempt (they neither enter the dedup set nor consume attempts). |',
        'On a range of integers, such as that of `int_between`, the service draws without repetition. It does not fail while a number is left.',
        generators('unique emits distinct values across rows'),
        generators('unique re-rolls a collision up to 200 times, then errors'),
        generators('Nulls are exempt from unique: they are neither remembered nor use up attempts'),
        uniqueRanges('unique on a range gives every value once, for any range and seed'),
      ),
      covered(
        '| nullable | boolean or number | Probability of emitting null. `true` means rate 0.1; a number is an explicit rate in [0, 1]. Drawn on a dedicated sub-stream so it does not change the value stream. |',
        picks('weights are followed by nullable: true'),
        picks('weights are followed by nullable: 0.5'),
        generators('nullable as a number is the rate itself, in [0, 1]'),
        generators('nullable does not change the value stream'),
      ),
      covered(
        '| transform | string (expression) | Expression applied to the produced value, with `value` bound to it. |',
        generators('transform is an expression applied to the produced value, with `value` bound to it'),
      ),
    ],
  },
  {
    number: '2.9 the service generators',
    title: '',
    rows: [
      covered(
        'Pure, no data source, locale-independent.',
        generators(
          'They need no data source, and each value is a pure function of its cell: neither the number of rows nor other generators change it',
        ),
        machineSettings(
          'gives the same values for every algorithm in any locale and time zone of the machine',
        ),
      ),
      covered(
        'One algorithm per definition, chosen with `algorithm`.',
        generators('algorithm is required and names one algorithm'),
      ),
      covered(
        'Each value is a pure function of the cell seed (and of the row index for `sequence`).',
        generators(
          'They need no data source, and each value is a pure function of its cell: neither the number of rows nor other generators change it',
        ),
        generators('sequence gives start (1) + row index * step (1)'),
      ),
      covered('| uuid_v4 | string | none |', generators('uuid_v4 gives a string and takes no parameters')),
      covered(
        '| uuid_v7 | string | none; synthetic, index-sortable timestamp = reference instant + index |',
        generators(
          'uuid_v7 gives a string whose timestamp is the reference instant + index, sortable by index',
        ),
      ),
      covered(
        '| ulid | string | none; 26-character Crockford base32 |',
        generators('ulid gives 26 characters of Crockford base32'),
      ),
      covered(
        '| nanoid | string | length (21) |',
        generators('nanoid gives a string of `length` symbols, 21 by default'),
      ),
      covered(
        '| int_between | integer | min (0), max (2147483647), except (array; default none) |',
        generators('int_between gives integers from min (0) to max (2147483647)'),
        generators('int_between never gives what `except` lists'),
        picks('values are equally likely int_between: a die'),
      ),
      covered(
        '| float_between | number | min (0), max (1), precision (2) |',
        generators('float_between gives numbers from min (0) to max (1) with precision (2)'),
        statistics('generators follow their distributions float_between'),
      ),
      covered(
        '| boolean | boolean | probability (0.5, clamped to [0,1]) |',
        generators('boolean gives true with probability (0.5), clamped to [0, 1]'),
        picks('weights are followed by boolean: 0.001'),
      ),
      covered(
        '| datetime_between | string | start (1970-01-01), end (2038-01-01) |',
        generators('datetime_between gives strings from start (1970-01-01) to end (2038-01-01)'),
      ),
      covered(
        '| date_between | string | start (1970-01-01), end (2038-01-01) |',
        generators('date_between gives strings from start (1970-01-01) to end (2038-01-01)'),
      ),
      covered(
        '| time_between | string | start (00:00:00), end (23:59:59) |',
        generators('time_between gives strings from start (00:00:00) to end (23:59:59)'),
      ),
      covered(
        '| timestamp | integer | start (1970-01-01), end (2038-01-01); Unix seconds |',
        generators('timestamp gives Unix seconds from start (1970-01-01) to end (2038-01-01)'),
      ),
      covered(
        '| sequence | integer | start (1), step (1); value = start + row_index * step |',
        generators('sequence gives start (1) + row index * step (1)'),
      ),
      covered(
        '| gaussian | number | mean (0), stddev (1); rounded to 6 decimals |',
        generators('gaussian has mean (0) and stddev (1), rounded to 6 decimals'),
        statistics('generators follow their distributions gaussian'),
      ),
      covered(
        '| exponential | number | lambda (1); rounded to 6 decimals |',
        generators('exponential has lambda (1), rounded to 6 decimals'),
        statistics('generators follow their distributions exponential of svc'),
      ),
      covered(
        '| digits | integer or string | digits (1, clamped to 1-18), strict (false), leading_zero (false) |',
        generators('digits takes digits (1, clamped to 1-18), strict (false) and leading_zero (false)'),
      ),
      leadIn('Rules:'),
      covered('`int_between` errors when min > max.', generators('int_between errors when min > max')),
      decidedOtherwise(
        '`except` lists values to avoid; it errors when it excludes the whole range or when the set cannot be avoided within 1000 tries.',
        'The engine picks directly from the numbers that `except` leaves. So it fails only if no number is left.',
        generators('int_between never gives what `except` lists'),
        generators('int_between errors when `except` excludes the whole range'),
        generators('int_between finds the one number that `except` leaves of 5,000'),
      ),
      covered('`float_between` errors when min > max.', generators('float_between errors when min > max')),
      decidedOtherwise(
        'Bounds of `datetime_between`, `date_between`, `timestamp` accept ISO-8601 or relative specs (`now`, `today`, `-1year`, `now+7days`); the two bounds are ordered so either direction works.',
        'The service accepts ISO-8601 dates in the RFC 3339 profile. It refuses week dates, ordinal dates and the basic form.',
        generators(
          'Bounds of datetime_between, date_between and timestamp are ISO-8601 or relative: now, today, -1year, now+7days',
        ),
        generators('The two bounds of instants are ordered, so either direction works'),
        generators('Week dates, ordinal dates and the basic form of ISO-8601 are refused'),
      ),
      covered(
        'Bounds of `time_between` are `HH:MM:SS` or `HH:MM`.',
        generators('Bounds of time_between are HH:MM:SS or HH:MM'),
      ),
      covered(
        '`digits`: the value spans [min, 10^digits - 1], where min is 10^(digits-1) when `strict` is true, else 0.',
        generators('digits spans [10^(digits-1), 10^digits - 1] when strict, else from 0'),
      ),
      covered(
        'With `leading_zero` true the result is a zero-padded string; otherwise an integer.',
        generators('digits with leading_zero is a zero-padded string, otherwise an integer'),
      ),
    ],
  },
  {
    number: '2.9 list generator',
    title: '',
    rows: [
      covered(
        'Selects from a finite set (inline or an asset).',
        generators('`values` is the inline candidate set; `source` omitted or `inline` means it'),
        generators('`source` names an asset: a string other than inline, or { asset }'),
      ),
      covered(
        'Selection is inverse-CDF weighted: it follows the weights exactly and reproducibly.',
        picks('weights are followed by a list: whole'),
        picks('weights are followed by a list: fractions'),
        generators('The choice follows the weights exactly and reproducibly'),
      ),
      covered(
        '| values | array | Inline candidate set. |',
        generators('`values` is the inline candidate set; `source` omitted or `inline` means it'),
      ),
      covered(
        '| source | string or object | Asset reference: a string name other than `inline`, or `{ asset: <name> }`. `inline` or omitted means use `values`. |',
        generators('`source` names an asset: a string other than inline, or { asset }'),
        generators('`values` is the inline candidate set; `source` omitted or `inline` means it'),
      ),
      covered(
        '| key | string | When the source is a map, choose from the bucket `source[key]`, which must be an array. |',
        generators('Where the source is a map, `key` chooses the bucket'),
        listAssets('refuses {"source":"no_array"} before the first row'),
      ),
      covered(
        "| where | string (expression) | Predicate evaluated per element with `item` bound to the candidate (plus the caller's bindings). Matching elements are kept, then one is picked. |",
        generators(
          '`where` keeps the elements for which it holds, with `item` bound to the candidate beside other names',
        ),
      ),
      covered(
        'Element shapes: a plain scalar is returned as it is; `{ value, weight }` unwraps to `value`, with `weight` defaulting to 1 and 0 meaning kept but never selected; any other object (metadata record) is returned whole.',
        generators('A plain scalar is returned as it is'),
        generators('{ value, weight } unwraps to value; weight defaults to 1, and 0 is never selected'),
        generators('Any other object is returned whole'),
      ),
      covered(
        'Errors: an empty selection (nothing matched), all-zero weights, or a missing key bucket.',
        generators('An empty selection errors'),
        generators('All-zero weights error'),
        generators('A missing key bucket errors'),
      ),
    ],
  },
];
