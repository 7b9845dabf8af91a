import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { DEFAULT_PREFERENCES } from 'api/preferences';
import type { Permission } from 'api/types';
import { expect, test } from 'vitest';
import { SettingsPanel } from './settings-panel';

const nothing = () => {};

function show(may: readonly Permission[]) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SettingsPanel
        me={{ username: 'ana', email: '', name: 'Ana', organization: 'Acme', role: 'basic', may }}
        preferences={DEFAULT_PREFERENCES}
        sessions={null}
        footer={null}
        onIntake={nothing}
        onFormatting={nothing}
        onKeywords={nothing}
        onMembers={nothing}
        onUsage={nothing}
        onAudit={nothing}
        onHelp={nothing}
        onFeedback={nothing}
        onClose={nothing}
      />
    </QueryClientProvider>,
  );
}

test('the administration is offered to those who may manage members', () => {
  show(['manage_members']);
  expect(screen.getByRole('link', { name: 'Members and administration' }).getAttribute('href')).toBe(
    '/admin/',
  );
  expect(screen.getByRole('button', { name: 'Members' })).toBeTruthy();
});

test('and to nobody else', () => {
  show(['edit_context']);
  expect(screen.queryByRole('link')).toBeNull();
  for (const name of ['Members', 'Usage', 'Audit Log'])
    expect(screen.queryByRole('button', { name })).toBeNull();
});

test('usage and the audit log are offered to those who may read them', () => {
  show(['read_usage', 'read_audit_log']);
  expect(screen.getByRole('button', { name: 'Usage' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Audit Log' })).toBeTruthy();
});
