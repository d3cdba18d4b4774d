/** The texts of the card that shows what a model generates after a prefix. */
export const DISTRIBUTION = {
  symbols: {
    title: 'Next symbol',
    text: 'Type the beginning of a value to see what the model generates next. Your browser computes it from the file of the model.',
    prefix: 'Beginning of a value',
    name: { char: 'Character', word: 'Word' } as Readonly<Record<string, string>>,
    symbol: 'Symbol',
    caption: (prefix: string) => (prefix === '' ? 'First symbols' : `Symbols after "${prefix}"`),
    rest: (count: number) => (count === 1 ? '1 other symbol' : `${count.toLocaleString('en')} other symbols`),
    unknown: (prefix: string) =>
      prefix === ''
        ? 'No value of the model begins like this. The table shows the first symbols.'
        : `No value of the model begins like this. The table shows the symbols after "${prefix}".`,
    announced: (prefix: string, symbol: string, share: string) =>
      `After "${prefix}", the most probable next symbol is ${symbol} with ${share}.`,
    add: (symbol: string) => `Add ${symbol}`,
  },
  values: {
    title: 'Values and their shares',
    text: 'The list has these values. Type the beginning of a value to see the values that begin with it.',
    prefix: 'Beginning of a value',
    name: 'Value',
    caption: (prefix: string) =>
      prefix === '' ? 'Values of the list' : `Values that begin with "${prefix}"`,
    rest: (count: number) => (count === 1 ? '1 other value' : `${count.toLocaleString('en')} other values`),
    keys: (keys: readonly string[]) =>
      `The lists of the map have the keys ${keys.slice(0, 100).join(', ')}${keys.length > 100 ? ' and others' : ''}.`,
    none: 'No value of the list begins like this.',
    share: (share: string) => `${share} of the generated values begin like this.`,
  },
  parts: {
    title: 'Parts',
    text: 'The composition fills one of these templates, and each name in it is a step.',
    template: 'Template',
    caption: 'Templates of the composition',
    rest: (count: number) => `${count} other templates`,
    steps: 'Steps',
  },
  probability: 'Probability',
  end: 'End of the value',
  space: 'Space',
  percent: (share: number) => `${(100 * share).toFixed(1)} %`,
  failed: 'The file of the model could not be loaded. Check your connection, and load the page again.',
  timeout: (seconds: number) =>
    `Your browser did not finish within ${seconds} seconds. The model may be too large for this device. The sample values do not need your browser.`,
} as const;
