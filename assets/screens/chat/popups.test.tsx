import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { Overlay } from 'design/components/overlay';
import { popupOpen, usePopup } from 'stores/popup';
import { expect, test, vi } from 'vitest';
import { Popups } from './popups';

const none = () => undefined;

test('Escape takes back a popup whose program is on its way, and nothing that lies below it', async () => {
  const sheetClosed = vi.fn();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <div id="app" />
      <Overlay kind="sheet" label="Panel" onClose={sheetClosed}>
        <button type="button">Preview</button>
      </Overlay>
      <Popups chatHistory={() => ''} onFill={none} onUpload={none} />
    </QueryClientProvider>,
  );
  act(() => popupOpen({ kind: 'help' }));
  expect(screen.getAllByRole('dialog')).toHaveLength(1);
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(usePopup.getState().popup).toBeNull();
  expect(sheetClosed).not.toHaveBeenCalled();
  await act(async () => void (await import('features/help/help-popup')));
  expect(screen.getAllByRole('dialog')).toHaveLength(1);
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(sheetClosed).toHaveBeenCalledOnce();
});
