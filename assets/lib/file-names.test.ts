import { describe, expect, test } from 'vitest';
import { cleanName, displayName, nameParts, uploadProblem } from './file-names';

describe('file names', () => {
  test('are shown without prefix and ending', () => {
    expect(displayName('hubspot_deals.csv')).toBe('deals');
    expect(displayName('googlesheets_Targets__tab__2026.csv')).toBe('Targets - 2026');
    expect(displayName('pipeline 2026.csv')).toBe('pipeline 2026');
  });

  test('are shown as the server says them: only a spreadsheet has a tab in its name, and case does not count', () => {
    expect(displayName('plan__tab__2026.csv')).toBe('plan__tab__2026');
    expect(displayName('HubSpot_deals.csv')).toBe('deals');
  });

  test('are cleaned, and a workbook becomes a .csv', () => {
    expect(cleanName('Umsätze #1 & more: Q1-2.xlsx')).toBe('Umsätze 1  more: Q1-2.csv');
  });

  test('are split for a middle ellipsis without losing a letter', () => {
    for (const name of ['a', 'deals.csv', 'targets by rep and quarter with comments.csv']) {
      expect(nameParts(name).join('')).toBe(name);
    }
    expect(nameParts('revenue by region and product line')[1]).toBe(' product line');
    expect(nameParts('a_name_without_a_single_space.csv')[1]).toBe('_space.csv');
  });
});

describe('an upload', () => {
  const check = (name: string, existing: string[] = []) => uploadProblem(name, existing, 'Bob');

  test('is refused for parentheses first, whatever else is wrong', () => {
    expect(check('hubspot_deals (1).txt')).toBe('Please remove parentheses from: hubspot_deals (1).txt');
  });

  test('is refused for a name that exists, ignoring case, before its type is looked at', () => {
    expect(check('Deals.CSV', ['deals.csv'])).toBe(
      'A file with the name: Deals.CSV already exists. Please delete it and try again.',
    );
    expect(check('deals.xlsx', ['deals.csv'])).toContain('already exists');
    expect(check('notes.txt', ['notes.txt'])).toContain('already exists');
  });

  test('is refused for a type other than .csv and .xlsx', () => {
    expect(check('hubspot_notes.txt')).toBe('We apologize. Bob does not support this file type yet.');
  });

  test('is refused for the prefix of a connected source', () => {
    expect(check('hubspot_deals.csv')).toBe('Please remove the prefix: hubspot_ from hubspot_deals.csv');
    expect(check('googlesheets_x.csv')).toBe(
      'Please remove the prefix: googlesheets_ from googlesheets_x.csv',
    );
  });

  test('is taken otherwise', () => {
    expect(check('deals.csv', ['companies.csv'])).toBeNull();
    expect(check('Deals.XLSX')).toBeNull();
  });
});
