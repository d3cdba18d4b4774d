import type { Clue } from './words-of-name.js';

/** Clues for names of people, in parts or in full, and for names of companies. */
export const PERSON_CLUES: readonly Clue[] = [
  {
    kind: 'first_name',
    strength: 'strong',
    phrases: [
      'first name, firstname, fname, f name, given name, given names, forename, christian name, name first',
      'middle name, mname, second name, preferred name, known as, vorname, vornamen, rufname, prenom',
      'prenoms, primer nombre, segundo nombre, nombre de pila, nombre pila, primo nome, nome proprio',
      'nome batismo, primeiro nome, voornaam, voornamen, roepnaam, imie, drugie imie, fornamn, tilltalsnamn',
      'fornavn, etunimi, jmeno, 名, 名字, first name kana',
    ],
  },
  { kind: 'first_name', strength: 'weak', phrases: ['first, given, nick name, nickname, rufnamen'] },
  {
    kind: 'last_name',
    strength: 'strong',
    phrases: [
      'last name, lastname, lname, l name, surname, family name, familyname, name last, maiden name',
      'mothers maiden name, birth name, nachname, familienname, geburtsname, zuname, nom de famille',
      'nom famille, nom naissance, nom jeune fille, apellido, apellidos, primer apellido, segundo apellido',
      'apellido paterno, apellido materno, cognome, sobrenome, apelido, achternaam, geslachtsnaam',
      'meisjesnaam, nazwisko, nazwisko rodowe, efternamn, etternavn, sukunimi, prijmeni, soyad, 姓, 姓氏',
    ],
  },
  { kind: 'last_name', strength: 'weak', phrases: ['last'] },
  {
    kind: 'full_name',
    strength: 'strong',
    phrases: [
      'full name, fullname, person name, customer name, client name, contact name, employee name',
      'patient name, student name, teacher name, guest name, passenger name, recipient name, recipient',
      'sender name, cardholder, cardholder name, card holder, name on card, account holder, account owner',
      'holder name, beneficiary, beneficiary name, real name, attn, attention to, emergency contact',
      'next of kin, signatory, signed by name, shipping name, billing name, ship name, ship to name',
      'bill to name, ansprechpartner, kontaktperson, vollstandiger name, name vollstandig, kundenname',
      'mitarbeitername, kontoinhaber, empfanger, karteninhaber, nom complet, nom client, nom prenom',
      'titulaire, destinataire, nombre completo, nombre y apellidos, nombre cliente, titular, destinatario',
      'nome completo, nome e cognome, nome cliente, intestatario, nominativo, nome do titular, nome da mae',
      'nome do pai, volledige naam, naam klant, klantnaam, contactpersoon, rekeninghouder, imie i nazwisko',
      'imie nazwisko, nazwa klienta, odbiorca, fullstandigt namn, kontaktperson namn, kundnamn',
      'kontoinnehavare, 氏名, 姓名, お名前, 担当者名, driver name, author name, reviewer name, doctor name',
      'physician name, attending physician, owner name, tenant name full, applicant name',
    ],
  },
  {
    kind: 'full_name',
    strength: 'weak',
    phrases: [
      'display name, legal name, name, naam, namn, nom, nombre, nome, nazwa, namen, contact, driver, author',
      'reviewer, doctor, physician, owner, assignee, manager, sales rep, agent name, created by, updated by',
      'approved by, signed by, supervisor, guardian, spouse, applicant, inhaber, autor, auteur',
      'verantwoordelijke, responsable, composer, 名前, user, username display, customer, patient, passenger',
      'employee, witness',
    ],
  },
  {
    kind: 'company',
    strength: 'strong',
    phrases: [
      'company, company name, companyname, employer, employer name, organization name, organisation name',
      'business name, trading name, firma, firmenname, firmen name, arbeitgeber, unternehmen',
      'nom entreprise, raison sociale, societe, entreprise, employeur, empresa, nombre empresa',
      'razon social, ragione sociale, azienda, datore di lavoro, razao social, nome fantasia, empregador',
      'bedrijf, bedrijfsnaam, werkgever, nazwa firmy, pracodawca, foretag, foretagsnamn, arbetsgivare',
      'bolag, 会社名, 公司',
    ],
  },
  {
    kind: 'company',
    strength: 'weak',
    phrases: ['organization, organisation, org name, account name, ship name'],
  },
];
