import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import Markdown from './markdown';

test('an allowed link opens in a new tab and gives nothing away', () => {
  render(<Markdown text="See [the policy](https://example.com/policy)." />);
  const link = screen.getByRole('link', { name: 'the policy' });
  expect(link.getAttribute('href')).toBe('https://example.com/policy');
  expect(link.getAttribute('target')).toBe('_blank');
  expect(link.getAttribute('rel')).toBe('noopener noreferrer');
});

test('refused links stay as text', () => {
  const text = [
    '[a](javascript:alert(1))',
    '[b](//evil.example/x)',
    '[c](&#106;avascript:alert(1))',
    '[d](data:text/html,x)',
    '[e](#top)',
    '[f]',
    '<javascript:alert(1)>',
    '',
    '[f]: vbscript:x',
  ].join('\n');
  const { container } = render(<Markdown text={text} />);
  expect(screen.queryByRole('link')).toBeNull();
  expect(container.textContent).toContain('a');
  expect(container.innerHTML).not.toMatch(/href|evil\.example/);
});

test('images of every kind are dropped', () => {
  const text =
    '![x](https://evil.example/1.png) ![y][y] <img src="https://evil.example/3.png">\n\n[y]: https://evil.example/2.png';
  const { container } = render(<Markdown text={text} />);
  expect(container.innerHTML).not.toContain('evil.example');
  expect(document.head.innerHTML).not.toContain('evil.example');
});

test('raw HTML is not taken over', () => {
  const { container } = render(
    <Markdown text={'<script>alert(1)</script><b onclick="x()">bold</b>\n\n<iframe src="x"></iframe>'} />,
  );
  expect(container.querySelector('script, b, iframe')).toBeNull();
});

test('headings stand below those of the conversation and tables scroll for themselves', () => {
  render(<Markdown text={'# One\n\n## Two\n\n| A | B |\n| - | -: |\n| 1 | 2 |'} />);
  expect(screen.getByRole('heading', { name: 'One', level: 3 })).toBeDefined();
  expect(screen.getByRole('heading', { name: 'Two', level: 4 })).toBeDefined();
  expect(screen.getByRole('region', { name: 'Table' }).tabIndex).toBe(0);
});

test('a column of figures stands right, one with words or an alignment of its own as it is', () => {
  render(
    <Markdown
      text={
        '| Region | Change | Said |\n|---|---|:-:|\n| Nordics | +12 % | 1 |\n| Iberia | −3 % | 2 |\n| Q3 | – | 3 |'
      }
    />,
  );
  const sides = screen.getAllByRole('columnheader').map(({ style }) => style.textAlign);
  expect(sides).toEqual(['', 'right', 'center']);
  expect(screen.getByRole('cell', { name: '−3 %' }).style.textAlign).toBe('right');
});

test('a quarter or a month keeps its year on its line, and code stays as it is', () => {
  const { container } = render(<Markdown text={'From Q3 2026 (**4 Oct 2025**) on: `Q1 2024`'} />);
  const tied = [...container.querySelectorAll('span')].map((span) => [
    span.textContent,
    span.style.whiteSpace,
  ]);
  expect(tied).toEqual([
    ['Q3 2026', 'nowrap'],
    ['4 Oct 2025', 'nowrap'],
  ]);
  expect(container.textContent).toBe('From Q3 2026 (4 Oct 2025) on: Q1 2024');
});

test('code can be copied', async () => {
  const user = userEvent.setup();
  render(<Markdown text={'```sql\nSELECT 1\n```'} />);
  await user.click(screen.getByRole('button', { name: 'Copy code' }));
  expect(await navigator.clipboard.readText()).toBe('SELECT 1\n');
});
