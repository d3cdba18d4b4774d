import { type RecordMaker, fakerMaker } from './faker-maker.js';
import { log } from '../bench-environment.js';
import { ratios, summaryOf } from '../summary.js';
import { personRecords } from './schemas/person-records.js';

/** Duration of a run, long enough that one pause of the garbage collector does not dominate it. */
const RUN_MS = 700;
const WARM_UP_RECORDS = 20_000;

/** Generates persons with six fields with faker and with our library, in turn, in this thread. */
export function sideBySide(rounds: number) {
  const contenders = [fakerMaker('internet'), fakerMaker('template'), ownMaker('lists'), ownMaker('models')];
  const counts = contenders.map((maker) => {
    maker.run(WARM_UP_RECORDS);
    return Math.ceil(speed(maker, WARM_UP_RECORDS).perSecond * (RUN_MS / 1000));
  });
  const speeds = contenders.map((): number[] => []);
  const bytesPerRecord = contenders.map(() => 0);
  for (let round = 0; round < rounds; round++) {
    contenders.forEach((maker, i) => {
      const measured = speed(maker, counts[i] as number);
      speeds[i]?.push(measured.perSecond);
      bytesPerRecord[i] = measured.bytesPerRecord;
    });
    log(
      `round ${round + 1}: ${contenders.map(({ name }, i) => `${name} ${Math.round(speeds[i]?.at(-1) ?? 0)}/s`).join(', ')}`,
    );
  }
  const [peer, plainPeer] = speeds as [number[], number[]];
  return {
    contenders: contenders.map(({ name }, i) => {
      const own = speeds[i] as number[];
      return {
        name,
        records_per_second: summaryOf(own),
        bytes_per_record: bytesPerRecord[i] as number,
        /** Our speed divided by faker's, in each round. A value above 1 means that ours is faster. */
        ratio_to_faker: ratios(own, peer),
        ratio_to_faker_with_template_email: ratios(own, plainPeer),
      };
    }),
  };
}

function ownMaker(names: 'lists' | 'models'): RecordMaker {
  const make = personRecords(names);
  return { name: `understudy, names from ${names}`, run: (count) => make(0, count) };
}

function speed(maker: RecordMaker, count: number): { perSecond: number; bytesPerRecord: number } {
  const started = performance.now();
  const bytes = maker.run(count);
  const seconds = (performance.now() - started) / 1000;
  return { perSecond: count / seconds, bytesPerRecord: bytes / count };
}
