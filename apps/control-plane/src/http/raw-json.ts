/** JSON that was written already, piece by piece; the envelope takes it as it is. */
export class RawJson {
  constructor(readonly text: string) {}
}
