import { JsonLines } from './json-lines.js';

it('writes every event immediately, and progress at most once a second', () => {
  let now = 0;
  let text = '';
  const lines = new JsonLines({ write: (piece) => (text += String(piece)) !== '' }, () => now);
  for (; now < 2_500; now += 100) lines.progress(() => ({ now }));
  lines.event({ event: 'end' });
  expect(text).toBe('{"now":0}\n{"now":1000}\n{"now":2000}\n{"event":"end"}\n');
});
