import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { HeldNote } from './held-note';

test('the same result is said quietly, another one with how it was read', () => {
  render(<HeldNote held={{ state: 'same', text: '' }} />);
  expect(screen.getByText('The built-in analyst reads it the same.')).toBeTruthy();
  render(<HeldNote held={{ state: 'other', text: 'Number of deals by stage.' }} />);
  expect(
    screen.getByText('The built-in analyst comes to another result. It reads: Number of deals by stage.'),
  ).toBeTruthy();
});
