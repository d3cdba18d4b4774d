/**
 * Values that exist in the source and nowhere else, and the search for them in anything that left the agent.
 * Texts are letters and digits only, so that no escaping can hide them.
 */
export class Canaries {
  private readonly texts: string[] = [];

  /** A text no one else would write. */
  text(label: string): string {
    const text = `Zq${label}${String(this.texts.length).padStart(3, '0')}Canary${(7919 * (this.texts.length + 11)).toString(36)}Xv`;
    this.texts.push(text);
    return text;
  }

  /** A number of 15 digits, searched for as text and as eight bytes. */
  number(): number {
    const value = 731_905_264_018_000 + this.texts.length;
    this.texts.push(String(value));
    return value;
  }

  all(): readonly string[] {
    return this.texts;
  }

  /** Where a canary shows in `haystack`: plain, hex, base64 at any alignment, UTF-16, reversed, or a number's bytes. */
  findIn(haystack: Buffer): readonly string[] {
    return this.texts.filter((text) => forms(text).some((form) => haystack.includes(form)));
  }
}

function forms(text: string): readonly Buffer[] {
  const plain = Buffer.from(text);
  const found = [
    plain,
    Buffer.from(text, 'utf16le'),
    Buffer.from(plain.toString('hex')),
    Buffer.from([...text].reverse().join('')),
  ];
  for (const lead of [0, 1, 2]) {
    // A base64 text of other bytes around ours shares all its characters but those at the two ends.
    const encoded = Buffer.concat([Buffer.alloc(lead), plain])
      .toString('base64')
      .replace(/=+$/, '');
    found.push(Buffer.from(encoded.slice(lead === 0 ? 0 : lead + 1, -1)));
  }
  if (/^\d+$/.test(text)) {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(text));
    found.push(bytes, Buffer.from(bytes).reverse());
  }
  return found;
}
