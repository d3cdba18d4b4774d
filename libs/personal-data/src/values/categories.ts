import { plainLetters } from '../clues/words-of-name.js';

/** Kinds whose values come from small public vocabularies. */
export type CategoryKind = 'gender' | 'marital_status' | 'health' | 'belief' | 'origin' | 'orientation';

/**
 * The words or codes of one language or one coding system, which occur together in a column. The most common
 * ones come first. All are public knowledge.
 */
export type Vocabulary = readonly string[];

const words = (text: string): Vocabulary => text.split(', ');

/** The vocabularies of each kind, the most common first. The first one is used if the values match none of them. */
export const VOCABULARIES: Readonly<Record<CategoryKind, readonly Vocabulary[]>> = {
  gender: [
    words('female, male, other'),
    words('F, M, X'),
    words('woman, man, non-binary'),
    words('f, m, d'),
    words('w, m, d'),
    words('weiblich, männlich, divers'),
    words('Frau, Mann, divers'),
    words('F, H'),
    words('femme, homme, autre'),
    words('féminin, masculin'),
    words('mujer, hombre, otro'),
    words('femenino, masculino'),
    words('donna, uomo, altro'),
    words('femmina, maschio'),
    words('femminile, maschile'),
    words('feminino, masculino, outro'),
    words('mulher, homem'),
    words('V, M, X'),
    words('vrouw, man, anders'),
    words('K, M'),
    words('kobieta, mężczyzna'),
    words('kvinna, man, annat'),
    words('1, 2'),
    words('0, 1'),
    words('1, 2, 9'),
  ],
  marital_status: [
    words('married, single, divorced, widowed, separated, registered partnership'),
    words('M, S, D, W'),
    words('never married, married, divorced, widowed'),
    words('verheiratet, ledig, geschieden, verwitwet, eingetragene Lebenspartnerschaft'),
    words('VH, LD, GS, VW'),
    words('marié, célibataire, divorcé, veuf, pacsé'),
    words('mariée, célibataire, divorcée, veuve, pacsée'),
    words('casado, soltero, divorciado, viudo'),
    words('casada, soltera, divorciada, viuda'),
    words('coniugato, celibe, divorziato, vedovo'),
    words('coniugata, nubile, divorziata, vedova'),
    words('casado, solteiro, divorciado, viúvo'),
    words('casada, solteira, divorciada, viúva'),
    words('gehuwd, ongehuwd, gescheiden, weduwe, weduwnaar'),
    words('żonaty, kawaler, rozwiedziony, wdowiec'),
    words('zamężna, panna, rozwiedziona, wdowa'),
    words('gift, ogift, skild, änka, änkling'),
    words('1, 2, 3, 4'),
  ],
  health: [
    words('Headache, Common cold, Back pain, Sprained ankle, Hay fever, Sore throat'),
    words('A+, O+, B+, AB+, A-, O-, B-, AB-'),
    words('A+, 0+, B+, AB+, A-, 0-, B-, AB-'),
    words('A, O, B, AB'),
    words('Z00.0, J06.9, R51, M54.5, J30.1, S93.4, K52.9, H10.9'),
    words('none, mobility, hearing, vision'),
    words('never, former, current'),
    words('Penicillin, Latex, Pollen, Nuts, None'),
    words('Ibuprofen, Paracetamol, Aspirin, None'),
    words('yes, no'),
    words('ja, nein'),
    words('Y, N'),
  ],
  belief: [
    words('none, Christian, Muslim, Hindu, Buddhist, Jewish, Sikh, other'),
    words('None, Catholic, Protestant, Orthodox, Muslim, Jewish, Hindu, Buddhist'),
    words('Christianity, Islam, Hinduism, Buddhism, Judaism, none'),
    words('keine, evangelisch, katholisch, römisch-katholisch, orthodox, muslimisch, jüdisch'),
    words('--, ev, rk, ak, is'),
    words('sans, catholique, protestant, musulman, juif, orthodoxe'),
    words('ninguna, católica, evangélica, musulmana, judía'),
    words('nessuna, cattolica, ortodossa, musulmana, ebraica'),
    words('sem religião, católica, evangélica, espírita'),
    words('geen, katholiek, protestants, islam, joods'),
    words('independent, liberal, conservative, green, labour, social democrat'),
    words('Democrat, Republican, Independent, Green, Libertarian'),
    words('yes, no'),
  ],
  origin: [
    words(
      'German, French, Italian, Spanish, Polish, Dutch, British, American, Turkish, Portuguese, Swedish, Indian',
    ),
    words('DE, FR, IT, ES, PL, NL, GB, US, TR, PT, SE, IN, AT, CH, BE, CZ, DK, RO'),
    words('DEU, FRA, ITA, ESP, POL, NLD, GBR, USA, TUR, PRT, SWE, IND, AUT, CHE, BEL'),
    words(
      'Germany, France, Italy, Spain, Poland, Netherlands, United Kingdom, United States, Turkey, Portugal, Sweden, India',
    ),
    words('White, Asian, Black, Mixed, Hispanic, Latino, Other'),
    words('White British, White Other, Asian British, Black British, Mixed'),
    words(
      'deutsch, französisch, italienisch, spanisch, polnisch, niederländisch, britisch, türkisch, österreichisch, schweizerisch, rumänisch',
    ),
    words('française, belge, suisse, allemande, italienne, espagnole, portugaise, marocaine, algérienne'),
    words('española, mexicana, argentina, colombiana, francesa, italiana, portuguesa, rumana, marroquí'),
    words('italiana, francese, tedesca, spagnola, rumena, albanese, polacca'),
    words('brasileira, portuguesa, argentina, italiana, espanhola'),
    words('branca, preta, parda, amarela, indígena'),
    words('polska, niemiecka, ukraińska, czeska'),
    words('Nederlandse, Belgische, Duitse, Turkse, Marokkaanse'),
  ],
  orientation: [
    words('heterosexual, homosexual, bisexual, other'),
    words('straight, gay, lesbian, bisexual, other'),
    words('heterosexuell, homosexuell, bisexuell, andere'),
    words('heterosexual, homosexual, bisexual, otra'),
  ],
};

const KNOWN: ReadonlyMap<CategoryKind, ReadonlySet<string>> = new Map(
  (Object.keys(VOCABULARIES) as CategoryKind[]).map((kind) => [
    kind,
    new Set(VOCABULARIES[kind].flat().map(plainLetters)),
  ]),
);

/** Tests for a word of the kind's vocabularies, in any letter case. */
export function isCategory(kind: CategoryKind, text: string): boolean {
  return KNOWN.get(kind)?.has(plainLetters(text.trim())) === true;
}

/**
 * Tests for a word of the kind's vocabularies with more than three characters, because shorter ones are
 * ambiguous.
 */
export function isUnambiguousCategory(kind: CategoryKind, text: string): boolean {
  return text.trim().length > 3 && isCategory(kind, text);
}

/** Tests for a code of the International Classification of Diseases, such as `J45.9`. */
export function isDiseaseCode(text: string): boolean {
  return /^[A-TV-Z]\d[\dA-B](?:\.[\dA-Z]{1,4})?$/.test(text.trim());
}

/** Tests for an amount of money in a common format, such as `52,000`, `€ 3.100,50` or `50-75k`. */
export function isAmount(text: string): boolean {
  return /^(?:[a-z]{3}\s?|[€$£¥]\s?)?[<>~-]?\d[\d.,' -]*k?(?:\s?[a-z]{3}|\s?[€$£¥])?$/i.test(text.trim());
}
