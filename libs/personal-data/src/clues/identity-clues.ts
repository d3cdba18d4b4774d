import type { Clue } from './words-of-name.js';

/** Clues for numbers and dates that identify a person. */
export const IDENTITY_CLUES: readonly Clue[] = [
  {
    kind: 'card',
    strength: 'strong',
    phrases: [
      'card number, card no, cardnumber, credit card, creditcard, credit card number, creditcard number',
      'cc number, cc no, ccnum, cc num, debit card, payment card, kreditkarte, kreditkartennummer',
      'kartennummer, carte bancaire, numero carte, numero carte bancaire, numero de carte, tarjeta',
      'numero tarjeta, numero de tarjeta, tarjeta credito, carta di credito, carta credito, numero carta',
      'cartao, numero cartao, numero do cartao, cartao credito, kaartnummer, creditcardnummer, numer karty',
      'karta platnicza, kortnummer, カード番号',
    ],
  },
  { kind: 'card', strength: 'weak', phrases: ['pan, card, account number, karta, kort'] },
  {
    kind: 'iban',
    strength: 'strong',
    phrases: [
      'iban, bank account, bank account number, account iban, bankverbindung, kontonummer, kontonr',
      'iban nummer, compte bancaire, numero compte, numero de compte, rib, cuenta bancaria, numero cuenta',
      'numero de cuenta, conto corrente, conto bancario, conta bancaria, conta corrente, numero da conta',
      'bankrekening, rekeningnummer, numer konta, numer rachunku, rachunek bankowy, nr rachunku, bankkonto',
      'kontonummer bank, 口座番号, 银行账号',
    ],
  },
  {
    kind: 'iban',
    strength: 'weak',
    phrases: [
      'account number, account no, acct, acct no, acct number, account, konto, compte, cuenta, conto, conta',
      'rekening, rachunek, routing number',
    ],
  },
  {
    kind: 'birth_date',
    strength: 'strong',
    phrases: [
      'birth date, birthdate, birthday, bday, date of birth, dateofbirth, dob, d o b, birth, birth dt, born',
      'born on, born at, year of birth, birth year, birth month, dob year, dob month, geburtsdatum, geburtstag',
      'geb datum, gebdatum, geb dat, gebdat, geb, geburtsjahr, geboren, geboren am, date naissance, date de naissance',
      'date naiss, dt naiss, dt naissance, ddn, annee naissance, ne le, fecha nacimiento',
      'fecha de nacimiento, fecha nac, f nacimiento, fec nacimiento, fec nac, fecnac, ano nacimiento',
      'nacimiento, data nascita, data di nascita, anno nascita, nato il, data nasc, data nascimento',
      'data de nascimento, dt nascimento, dt nasc, nascimento, geboortedatum, geboortejaar, gebdatum',
      'data urodzenia, dt urodzenia, rok urodzenia, fodelsedatum, fodelsedag, fodelsear, fodt dato',
      'syntymaaika, 生年月日, 出生日期',
    ],
  },
  {
    kind: 'national_id',
    strength: 'strong',
    phrases: [
      'ssn, social security, social security number, social security no, national id, national id number',
      'national insurance number, ni number, nino, nhs number, mrn, medical record number',
      'medical record no, health insurance number, tax id, taxid, tax number, tax payer id, taxpayer id',
      'tin, itin, passport, passport number, passport no, passport num, driver license, drivers license',
      'driver licence, driving licence, driving license, license number driver, id card, id card number',
      'identity card, identity number, personal id, personal number, personal code, steuer id, steuerid',
      'steueridnr, steuer identifikationsnummer, steuernummer, sozialversicherungsnummer, sv nummer, sv nr',
      'rentenversicherungsnummer, personalausweis, personalausweisnummer, ausweisnummer, ausweis nr',
      'reisepass, reisepassnummer, fuhrerscheinnummer, nir, numero securite sociale, securite sociale',
      'num secu, numero secu, passeport, numero passeport, carte identite, dni, nie, nif, dni nie, dni nif',
      'numero seguridad social, seguridad social, pasaporte, numero pasaporte, curp, rfc, cedula',
      'codice fiscale, codfisc, cod fiscale, cf codice, carta identita, numero passaporto, passaporto, cpf',
      'rg, cnh, nif contribuinte, numero contribuinte, pis, bsn, burgerservicenummer, sofinummer, paspoort',
      'paspoortnummer, rijbewijs, rijbewijsnummer, identiteitskaart, pesel, nip osoby, numer dowodu, dowod',
      'dowod osobisty, nr dowodu, numer paszportu, paszport, personnummer, personnr, samordningsnummer',
      'pass nummer, fodselsnummer, cpr, cpr nummer, henkilotunnus, hetu, rodne cislo, aadhaar, aadhar',
      'aadhaar number, マイナンバー, 身份证, 身份证号',
    ],
  },
  {
    kind: 'national_id',
    strength: 'weak',
    phrases: [
      'nip, licence number, license number, insurance number, ahv, id number, documento, document number',
      'identification, numero identificacion',
    ],
  },
];
