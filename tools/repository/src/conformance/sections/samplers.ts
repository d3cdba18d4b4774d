import { covered, decidedOtherwise, leadIn, type Section } from '../row.js';
import {
  conditions,
  eventSequence,
  generateApi,
  generators,
  independence,
  jobsApi,
  modelsApi,
  modes,
  picks,
  statistical,
  statistics,
} from './suites.js';

/** Section 2.9: the model, statistical and event-sequence generators. */
export const SAMPLERS: readonly Section[] = [
  {
    number: '2.9 model generator',
    title: '',
    rows: [
      covered(
        'Delegates to the trained N-gram engine; the model is an asset resolved by name.',
        generators('`source` names a model and is required; the output is a function of the seed'),
        modelsApi('makes the model visible immediately and generates the same values for the same seed'),
      ),
      covered(
        'Output is a pure function of the cell seed.',
        generators('`source` names a model and is required; the output is a function of the seed'),
        modes('a model over chars mode word is a pure function of the stream'),
      ),
      covered(
        '| source | string, required | Model asset name. |',
        generators('`source` names a model and is required; the output is a function of the seed'),
      ),
      covered(
        '| generation | object | `{ mode, params }`; `mode` defaults to `word`. |',
        generators('generation.mode defaults to word'),
      ),
      covered(
        '| word | none | Honours the top-level constraints. |',
        generators('word honours the top-level constraints'),
      ),
      covered(
        '| sentence | word_count (learned), punctuation (`.`; a string or an array to pick from), starts_with | |',
        generators(
          'sentence takes word_count, punctuation (`.`; a string or an array to pick from) and starts_with',
        ),
        modes('a model over chars sentence learns the number of words per sentence'),
      ),
      covered(
        '| text | max_chars (200), suffix (empty string), starts_with | Prose up to max_chars. |',
        generators('text takes max_chars (200), suffix (empty) and starts_with'),
      ),
      covered(
        '| paragraph | sentence_count (learned), starts_with | |',
        generators('paragraph takes sentence_count and starts_with'),
        modes('a model over chars paragraph learns the number of sentences per paragraph'),
      ),
      covered(
        '| poem | verses (4), stanza_length (4), max_words (8) | |',
        generators('poem takes verses (4), stanza_length (4) and max_words (8)'),
      ),
      covered(
        '| acrostic | initials (empty string), max_words (8) | An unsatisfiable initial errors; there is no silent fallback. |',
        generators('acrostic takes initials (empty) and max_words (8)'),
        generators('An initial of acrostic that cannot be met errors: there is no silent fallback'),
      ),
      decidedOtherwise(
        '| real_word | prefix (none) | Samples an actual training item; null when none matches. |',
        'An uploaded model does not contain its training items. For such a model, the service refuses `real_word` with 422.',
        generators('real_word samples an actual training item with prefix (none); null when none matches'),
        modes(
          'a model over chars real_word is refused if the values are not recorded, or if they are to be excluded',
        ),
        modelsApi('supports neither real_word nor exclude_originals, as the detail view reports'),
      ),
      covered(
        '`starts_with` may come from `generation.params` or fall back to the top-level constraints.',
        generators('starts_with may come from generation.params or from the constraints'),
      ),
      covered(
        'Top-level `constraints` (applied where the mode supports them):',
        generators('A constraint that a mode does not support is named in a warning, and changes nothing'),
        generateApi('warns about constraints that a mode ignores, in json'),
        jobsApi('warns about a constraint that a rule ignores, with its path'),
      ),
      covered(
        '| starts_with | string | Required prefix. |',
        generators('Constraint starts_with is a required prefix'),
      ),
      covered(
        '| ends_with | string | Required suffix. |',
        generators('Constraint ends_with is a required suffix'),
      ),
      covered(
        '| contains | string | Required substring. |',
        generators('Constraint contains is a required substring'),
      ),
      covered(
        '| min_length | integer | Minimum length. |',
        generators('Constraints min_length and max_length bound the length'),
      ),
      covered(
        '| max_length | integer | Maximum length. |',
        generators('Constraints min_length and max_length bound the length'),
      ),
      decidedOtherwise(
        '| exclude_originals | boolean (false) | Never emit a verbatim training item. |',
        'An uploaded model does not contain its training items. For such a model, the service refuses `exclude_originals` with 422.',
        generators('Constraint exclude_originals never emits a training item verbatim'),
        modes('a model over chars no mode gives a training value under exclude_originals, by values'),
        modelsApi('supports neither real_word nor exclude_originals, as the detail view reports'),
      ),
    ],
  },
  {
    number: '2.9 statistical generator',
    title: '',
    rows: [
      covered('`mode` defaults to `continuous`.', generators('mode defaults to continuous')),
      covered(
        '| categorical | any | Frequency-preserving weighted pick. |',
        picks('weights are followed by statistical categorical: three hundred'),
        generators(
          'categorical picks by weight among { value, weight }; weight defaults to 1, 0 means never',
        ),
      ),
      covered(
        '| continuous | number | Samples a named distribution. |',
        generators('continuous samples `distribution`, normal by default, rounded to 6 decimals'),
        statistics('generators follow their distributions normal'),
      ),
      covered(
        '| multivariate | object | Correlated draws. |',
        statistics(
          'multivariate correlates as [[1,0.8,-0.3],[0.8,1,0.1],[-0.3,0.1,1]] requires, with normal variables',
        ),
      ),
      covered(
        '| algebraic | n/a | Not a generator mode; it errors with guidance to use a composition `let`/`computed` step. |',
        generators('algebraic is no mode: it errors with guidance to use let/computed'),
      ),
      covered(
        '`categorical`: `values` (array, required) of `{ value, weight }`; weight defaults to 1, 0 means never; an empty or all-zero set errors.',
        generators(
          'categorical picks by weight among { value, weight }; weight defaults to 1, 0 means never',
        ),
        generators('categorical errors on an empty or all-zero set'),
        conditions('categorical, absent'),
      ),
      leadIn('`continuous`:'),
      covered(
        '| distribution | string (default `normal`) | Distribution to sample. |',
        generators('continuous samples `distribution`, normal by default, rounded to 6 decimals'),
      ),
      covered(
        '| params | object | Distribution parameters. |',
        generators('normal has mean (0) and stddev (1)'),
      ),
      covered(
        '| differential_privacy | object | Optional noise. |',
        generators('differential_privacy is off by default; enabled, it adds noise'),
      ),
      covered(
        'Top-level constraints `min` and `max` form a window: the value is resampled up to 50 times to land inside it, then clamped.',
        generators('Constraints min and max form a window in which the value lies, clamped in the end'),
        statistical('retries at most 50 times to hit the window, and then returns the nearer bound'),
      ),
      covered(
        'The result is rounded to 6 decimals.',
        generators('continuous samples `distribution`, normal by default, rounded to 6 decimals'),
      ),
      covered(
        '| normal | mean (0), stddev (1) |',
        generators('normal has mean (0) and stddev (1)'),
        statistics('generators follow their distributions normal'),
      ),
      covered(
        '| lognormal | mu (0), sigma (1) |',
        generators('lognormal has mu (0) and sigma (1)'),
        statistics('generators follow their distributions lognormal'),
      ),
      covered(
        '| exponential | lambda (1) |',
        generators('exponential has lambda (1)'),
        statistics('generators follow their distributions exponential'),
      ),
      covered(
        '| uniform | min (0), max (1) |',
        generators('uniform has min (0) and max (1)'),
        statistics('generators follow their distributions uniform'),
      ),
      covered(
        '| poisson | lambda (1) |',
        generators('poisson has lambda (1)'),
        statistics('generators follow their distributions poisson'),
      ),
      covered(
        '| beta | alpha (1), beta (1) |',
        generators('beta has alpha (1) and beta (1)'),
        statistics('generators follow their distributions beta'),
      ),
      covered(
        '| gamma | shape (1), scale (1) |',
        generators('gamma has shape (1) and scale (1)'),
        statistics('generators follow their distributions gamma'),
      ),
      leadIn('`differential_privacy` object:'),
      covered(
        '| enabled | boolean | false | Turns noise on. |',
        generators('differential_privacy is off by default; enabled, it adds noise'),
      ),
      covered(
        '| epsilon | number | 1.0 | Privacy budget, floored at 1e-6. |',
        generators(
          'differential_privacy has epsilon (1.0), sensitivity (1.0) and mechanism (laplace, or gaussian)',
        ),
        generators('epsilon is floored at 1e-6'),
        statistics(
          'differential privacy laplace of its defaults noise has its distribution and is independent of the value',
        ),
      ),
      covered(
        '| sensitivity | number | 1.0 | Query sensitivity. |',
        generators(
          'differential_privacy has epsilon (1.0), sensitivity (1.0) and mechanism (laplace, or gaussian)',
        ),
        statistics('differential privacy laplace noise has its distribution and is independent of the value'),
      ),
      covered(
        '| mechanism | string | laplace | `laplace` or `gaussian`. |',
        generators(
          'differential_privacy has epsilon (1.0), sensitivity (1.0) and mechanism (laplace, or gaussian)',
        ),
        statistics('differential privacy laplace noise has its distribution and is independent of the value'),
        statistics(
          'differential privacy gaussian noise has its distribution and is independent of the value',
        ),
      ),
      covered(
        'The noise is drawn on its own stream and does not disturb the value stream.',
        statistical('adds the same noise, scaled, to the values that the window selected'),
      ),
      leadIn('`multivariate`:'),
      covered(
        '| variables | array, required | Each `{ name, mean (0), stddev (1) }`; names non-empty and unique. |',
        generators(
          'multivariate gives an object of its variables { name, mean (0), stddev (1) }, rounded to 6 decimals',
        ),
        generators('Variables of multivariate have names that are non-empty and unique'),
      ),
      covered(
        '| correlations | array | N x N correlation matrix (default identity); must be square and positive-definite. |',
        generators('multivariate draws jointly from `correlations`, by default the identity'),
        generators('correlations must be square and positive-definite'),
      ),
      covered(
        'The result is an object `{ <name>: <value>, ... }`, values rounded to 6 decimals, drawn jointly through a Cholesky factorization of the correlation matrix.',
        generators(
          'multivariate gives an object of its variables { name, mean (0), stddev (1) }, rounded to 6 decimals',
        ),
        statistics(
          'multivariate correlates as [[1,0.8,-0.3],[0.8,1,0.1],[-0.3,0.1,1]] requires, with normal variables',
        ),
      ),
    ],
  },
  {
    number: '2.9 event-sequence generator',
    title: '',
    rows: [
      covered(
        'Produces a chronologically valid series: an object mapping each event name to an ISO-8601 datetime, or null when an optional event is skipped or its predecessor was skipped.',
        generators('The value maps each event name to an ISO-8601 datetime in chronological order'),
        generators('An event whose probability fails is null, and so are its dependents'),
        eventSequence('keeps the order of time for any sequence of events'),
      ),
      covered(
        '`events`: array, required, at least 1 element.',
        generators('`events` is required and has at least one element'),
      ),
      leadIn('Each event:'),
      covered(
        '| name | string, required | Key in the output. |',
        generators('The value maps each event name to an ISO-8601 datetime in chronological order'),
        generators('The name of an event is required'),
      ),
      covered(
        '| base | boolean | Marks an anchor event that lands in range. |',
        generators('An anchor lands in its range { start, end }, ISO or relative'),
        generators('An anchor is needed: an event with base: true or without after'),
      ),
      covered(
        '| range | object | `{ start, end }` for an anchor event (ISO or relative specs). |',
        generators('An anchor lands in its range { start, end }, ISO or relative'),
      ),
      covered(
        '| after | string | Name of the predecessor; this event is the predecessor plus a delay. |',
        generators('`after` names the predecessor; the event is it plus a delay between min and max'),
      ),
      covered(
        '| probability | number | Gate in [0, 1]; when the roll fails the event and its dependents are null. Rolled on a dedicated sub-stream. |',
        generators('An event whose probability fails is null, and so are its dependents'),
        generators('The gate of an event is rolled on a sub-stream of its own: it moves no other value'),
        independence(
          'independence holds for the gate of an event, its delay, the instant of its anchor and the gate of another event',
        ),
      ),
      covered(
        '| delay | object | `{ min, max }` durations added to the predecessor. |',
        generators('`after` names the predecessor; the event is it plus a delay between min and max'),
      ),
      covered(
        'Rules: the sequence needs an anchor (an event with `base: true` or without `after`); every `after` must name a defined event (both checked statically).',
        generators('An anchor is needed: an event with base: true or without after'),
        generators('Every after must name a defined event'),
      ),
      covered(
        'A delay duration is a number plus a unit: `s` (or none), `m`, `h`, `d`, `w`.',
        generators('A delay is a number and a unit: s (or none), m, h, d, w'),
      ),
    ],
  },
];
